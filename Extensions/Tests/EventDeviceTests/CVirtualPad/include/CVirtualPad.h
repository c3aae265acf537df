// A gamepad made by the kernel's uinput, for tests.
#ifndef CVIRTUALPAD_H
#define CVIRTUALPAD_H

#include <stddef.h>
#include <stdint.h>

/// Makes a gamepad that follows the kernel's specification, with two sticks of -32768...32767 and a D-pad. A descriptor, or -1 with errno:
/// there is no /dev/uinput, or this user may not use it.
int virtual_pad_create(const char *name, uint16_t vendor, uint16_t product);
/// Finds the path of its device, such as /dev/input/event7. 0, or -1 with errno.
int virtual_pad_path(int pad, char *path, size_t size);
/// Reports a key (type 1) or an axis (type 3), followed by the end of the frame. 0, or -1 with errno.
int virtual_pad_report(int pad, uint16_t type, uint16_t code, int32_t value);
/// Unplugs it.
void virtual_pad_destroy(int pad);

#endif
