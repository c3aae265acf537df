#define _GNU_SOURCE
#include "CVirtualPad.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int add_axis(int pad, uint16_t code, int32_t low, int32_t high, int32_t flat) {
    struct uinput_abs_setup axis = {.code = code, .absinfo = {.minimum = low, .maximum = high, .flat = flat}};
    return ioctl(pad, UI_ABS_SETUP, &axis);
}

int virtual_pad_create(const char *name, uint16_t vendor, uint16_t product) {
    int pad = open("/dev/uinput", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (pad < 0) return -1;
    const int keys[] = {BTN_SOUTH, BTN_EAST, BTN_NORTH, BTN_WEST,   BTN_TL,    BTN_TR,
                        BTN_SELECT, BTN_START, BTN_MODE, BTN_THUMBL, BTN_THUMBR};
    struct uinput_setup setup = {.id = {.bustype = BUS_USB, .vendor = vendor, .product = product, .version = 1}};
    snprintf(setup.name, sizeof setup.name, "%s", name);
    int failures = ioctl(pad, UI_SET_EVBIT, EV_KEY) < 0 || ioctl(pad, UI_SET_EVBIT, EV_ABS) < 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) failures |= ioctl(pad, UI_SET_KEYBIT, keys[i]) < 0;
    const uint16_t sticks[] = {ABS_X, ABS_Y, ABS_RX, ABS_RY};
    for (size_t i = 0; i < 4; i++) failures |= add_axis(pad, sticks[i], -32768, 32767, 128) < 0;
    failures |= add_axis(pad, ABS_HAT0X, -1, 1, 0) < 0 || add_axis(pad, ABS_HAT0Y, -1, 1, 0) < 0;
    if (failures || ioctl(pad, UI_DEV_SETUP, &setup) < 0 || ioctl(pad, UI_DEV_CREATE) < 0) {
        int reason = errno;
        close(pad);
        errno = reason;
        return -1;
    }
    return pad;
}

int virtual_pad_path(int pad, char *path, size_t size) {
    char name[64] = {0}, folder[128];
    if (ioctl(pad, UI_GET_SYSNAME(sizeof name - 1), name) < 0) return -1;
    snprintf(folder, sizeof folder, "/sys/devices/virtual/input/%s", name);
    DIR *entries = opendir(folder);
    if (!entries) return -1;
    int result = -1;
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strncmp(entry->d_name, "event", 5) != 0) continue;
        snprintf(path, size, "/dev/input/%s", entry->d_name);
        result = 0;
    }
    closedir(entries);
    if (result < 0) errno = ENOENT;
    return result;
}

int virtual_pad_report(int pad, uint16_t type, uint16_t code, int32_t value) {
    struct input_event events[2] = {{.type = type, .code = code, .value = value}, {.type = EV_SYN, .code = SYN_REPORT}};
    return write(pad, events, sizeof events) == sizeof events ? 0 : -1;
}

void virtual_pad_destroy(int pad) {
    ioctl(pad, UI_DEV_DESTROY);
    close(pad);
}
