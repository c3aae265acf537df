// The parts of the kernel's input interface that Swift cannot import: macros with arguments, and one call for folders.
#ifndef CEVENTDEVICE_H
#define CEVENTDEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An event without its time.
typedef struct {
    uint16_t type, code;
    int32_t value;
} cevent_event;

/// The kernel's four numbers of a device.
typedef struct {
    uint16_t bus, vendor, product, version;
} cevent_identity;

/// An axis: its value, its range, and how far from the middle it counts as at rest.
typedef struct {
    int32_t value, low, high, flat;
} cevent_axis;

/// The size of an event as a device delivers it, in bytes.
size_t cevent_size(void);
/// Reads an event from `cevent_size` bytes at any address.
cevent_event cevent_decode(const void *bytes);
/// Writes an event with the time 0 as a device would deliver it, into `cevent_size` bytes.
void cevent_encode(cevent_event event, void *bytes);

/// The number of bytes of a map of all keys, and of all axes: one bit each.
enum { cevent_key_bytes = 0x300 / 8, cevent_axis_bytes = 0x40 / 8 };

/// Asks a device for its numbers. 0, or -1 with errno (ENOTTY: it is not an input device).
int cevent_ask_identity(int descriptor, cevent_identity *identity);
/// Asks for its name, ended by a zero byte. The name's length, or -1 with errno.
int cevent_ask_name(int descriptor, char *name, size_t size);
/// Asks which keys it has, `cevent_key_bytes`. 0, or -1 with errno.
int cevent_ask_keys(int descriptor, uint8_t *bits);
/// Asks which axes it has, `cevent_axis_bytes`. 0, or -1 with errno.
int cevent_ask_axes(int descriptor, uint8_t *bits);
/// Asks which keys are pressed now, `cevent_key_bytes`. 0, or -1 with errno.
int cevent_ask_pressed(int descriptor, uint8_t *bits);
/// Asks for an axis. 0, or -1 with errno.
int cevent_ask_axis(int descriptor, uint16_t code, cevent_axis *axis);

/// Begins to watch a folder for files that appear, disappear or get other rights. A descriptor that becomes readable, non-blocking
/// and close-on-exec, or -1 with errno.
int cevent_watch_folder(const char *path);
/// Discards what a watched folder reported, some of it if it is much. 0, or -1 if the folder is gone, so that nothing more will come.
int cevent_discard_news(int descriptor);
/// A descriptor that `cevent_ring` makes readable, non-blocking and close-on-exec, or -1 with errno.
int cevent_bell(void);
/// Makes a bell readable.
void cevent_ring(int bell);

#endif
