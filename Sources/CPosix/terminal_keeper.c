// The terminal keeper: a small separate process that restores the terminal when the program that took it over is killed.
//
// From the fork to its end it makes only async-signal-safe calls and uses only memory on its stack, like the guard.
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "detached.h"

enum { CHANNEL = 3, TERMINAL = 4 };

struct keeping {
    struct termios found, taken;
    int flags;  // of the open terminal; -1: no other program shares it
    size_t size;
    uint8_t sequence[cposix_terminal_sequence_size];
};

// Whether the line settings are still those that the program set. A shell that has changed them since needs no help.
static bool is_taken(const struct termios *taken) {
    struct termios now;
    if (tcgetattr(TERMINAL, &now) != 0) return false;
    return now.c_iflag == taken->c_iflag && now.c_oflag == taken->c_oflag && now.c_lflag == taken->c_lflag;
}

// A terminal that reads nothing, for example over a slow connection, gets about ten seconds.
enum { ATTEMPTS = 1000, WAIT = 10 };  // WAIT: ms

static void restore(const struct keeping *what) {
    size_t sent = 0;
    for (int attempt = 0; attempt < ATTEMPTS && sent < what->size; attempt++) {
        ssize_t count = write(TERMINAL, what->sequence + sent, what->size - sent);
        if (count > 0) {
            sent += (size_t)count;
        } else if (count < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = TERMINAL, .events = POLLOUT};
            poll(&ready, 1, WAIT);
        } else if (count < 0 && errno != EINTR) {
            break;
        }
    }
    if (is_taken(&what->taken)) tcsetattr(TERMINAL, TCSANOW, &what->found);
    if (what->flags >= 0) fcntl(TERMINAL, F_SETFL, what->flags);
}

static void stand_by(const void *context) {
    const struct keeping *what = context;
    bool taken = false;
    while (true) {
        uint8_t message;
        ssize_t size = recv(CHANNEL, &message, 1, 0);
        if (size < 0 && errno == EINTR) continue;
        if (size != 1) break;  // the program is gone
        taken = message != 0;
    }
    if (taken) restore(what);
    _exit(0);
}

int cposix_terminal_keeper_start(
    int terminal, const struct termios *found, const struct termios *taken, int flags, const uint8_t *sequence, size_t size
) {
    struct keeping what = {.found = *found, .taken = *taken, .flags = flags, .size = size};
    if (size > sizeof what.sequence) {
        errno = EMSGSIZE;
        return -1;
    }
    memcpy(what.sequence, sequence, size);
    return cposix_start_orphan("terminal-keeper", terminal, stand_by, &what);
}

int cposix_terminal_keeper_tell(int channel, bool taken) {
    uint8_t message = taken;
    return send(channel, &message, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 ? 0 : -1;
}
