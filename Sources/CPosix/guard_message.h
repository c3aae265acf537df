// What the daemon tells its guard: one packet each.
#ifndef CPOSIX_GUARD_MESSAGE_H
#define CPOSIX_GUARD_MESSAGE_H

#include "guard.h"

enum { WATCH = 1, BEAT, RELEASE };

struct message {
    uint8_t kind, moving;
    uint16_t size;
    double time;  // a beat's time; a watch's timeout
    uint8_t stop[cposix_guard_stop_size];
};
enum { HEAD = offsetof(struct message, stop) };

// The child's way from the fork on, with its end of the channel.
_Noreturn void cposix_guard_become(int channel);

#endif
