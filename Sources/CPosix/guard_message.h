// The daemon's messages to its guard: one packet each.
#ifndef CPOSIX_GUARD_MESSAGE_H
#define CPOSIX_GUARD_MESSAGE_H

#include "guard.h"

enum { WATCH = 1, BEAT, RELEASE };

struct message {
    uint8_t kind, moving;
    uint16_t size;
    double time;  // a heartbeat's time; a watch's timeout
    uint8_t stop[cposix_guard_stop_size];
};
enum { HEAD = offsetof(struct message, stop) };

// The entry point of the child after the fork, with its end of the channel.
_Noreturn void cposix_guard_become(int channel);

#endif
