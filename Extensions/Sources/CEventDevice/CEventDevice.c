#define _GNU_SOURCE
#include "CEventDevice.h"

#include <linux/input.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

_Static_assert(cevent_key_bytes == KEY_CNT / 8, "the kernel has more keys");
_Static_assert(cevent_axis_bytes == ABS_CNT / 8, "the kernel has more axes");

size_t cevent_size(void) { return sizeof(struct input_event); }

cevent_event cevent_decode(const void *bytes) {
    struct input_event event;
    memcpy(&event, bytes, sizeof event);
    return (cevent_event){.type = event.type, .code = event.code, .value = event.value};
}

void cevent_encode(cevent_event event, void *bytes) {
    struct input_event raw;
    memset(&raw, 0, sizeof raw);
    raw.type = event.type;
    raw.code = event.code;
    raw.value = event.value;
    memcpy(bytes, &raw, sizeof raw);
}

int cevent_ask_identity(int descriptor, cevent_identity *identity) {
    struct input_id id;
    if (ioctl(descriptor, EVIOCGID, &id) < 0) return -1;
    *identity = (cevent_identity){.bus = id.bustype, .vendor = id.vendor, .product = id.product, .version = id.version};
    return 0;
}

int cevent_ask_name(int descriptor, char *name, size_t size) {
    if (size == 0) return -1;
    memset(name, 0, size);
    int length = ioctl(descriptor, EVIOCGNAME(size - 1), name);
    return length;
}

int cevent_ask_keys(int descriptor, uint8_t *bits) {
    memset(bits, 0, cevent_key_bytes);
    return ioctl(descriptor, EVIOCGBIT(EV_KEY, cevent_key_bytes), bits) < 0 ? -1 : 0;
}

int cevent_ask_axes(int descriptor, uint8_t *bits) {
    memset(bits, 0, cevent_axis_bytes);
    return ioctl(descriptor, EVIOCGBIT(EV_ABS, cevent_axis_bytes), bits) < 0 ? -1 : 0;
}

int cevent_ask_pressed(int descriptor, uint8_t *bits) {
    memset(bits, 0, cevent_key_bytes);
    return ioctl(descriptor, EVIOCGKEY(cevent_key_bytes), bits) < 0 ? -1 : 0;
}

int cevent_ask_axis(int descriptor, uint16_t code, cevent_axis *axis) {
    struct input_absinfo info;
    if (code >= ABS_CNT || ioctl(descriptor, EVIOCGABS(code), &info) < 0) return -1;
    *axis = (cevent_axis){.value = info.value, .low = info.minimum, .high = info.maximum, .flat = info.flat};
    return 0;
}

int cevent_watch_folder(const char *path) {
    int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (descriptor < 0) return -1;
    // The rights of a new device are set a moment after it appears.
    if (inotify_add_watch(descriptor, path, IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO | IN_ONLYDIR) < 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

int cevent_discard_news(int descriptor) {
    char bytes[8192] __attribute__((aligned(8)));
    int result = 0;
    // Bounded, because another program may create files without end.
    for (int turn = 0; turn < 16; turn++) {
        ssize_t count = read(descriptor, bytes, sizeof bytes);
        if (count <= 0) break;
        for (ssize_t at = 0; at + (ssize_t)sizeof(struct inotify_event) <= count;) {
            const struct inotify_event *event = (const struct inotify_event *)(bytes + at);
            if (event->mask & (IN_IGNORED | IN_UNMOUNT)) result = -1;
            at += (ssize_t)sizeof *event + event->len;
        }
    }
    return result;
}

int cevent_bell(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void cevent_ring(int bell) {
    const uint64_t one = 1;
    // It cannot fail in a way that matters: a full counter is readable, too.
    ssize_t written = write(bell, &one, sizeof one);
    (void)written;
}
