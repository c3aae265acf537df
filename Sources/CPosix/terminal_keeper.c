// The terminal keeper: a small separate process that restores the terminal when the program that took it over is killed.
//
// From the fork to its end it makes only async-signal-safe calls and uses only memory on its stack, like the guard.
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "detached.h"

enum { CHANNEL = 3, TERMINAL = 4 };

struct keeping {
    struct termios found, taken;
    int flags;  // of the open terminal; -1: nobody else uses it
    size_t size;
    uint8_t sequence[cposix_terminal_sequence_size];
};

// Whether the line settings are still those that the program set. A shell that has changed them since needs no help.
static bool is_taken(const struct termios *taken) {
    struct termios now;
    if (tcgetattr(TERMINAL, &now) != 0) return false;
    return now.c_iflag == taken->c_iflag && now.c_oflag == taken->c_oflag && now.c_lflag == taken->c_lflag;
}

static void restore(const struct keeping *what) {
    size_t sent = 0;
    for (int attempt = 0; attempt < 100 && sent < what->size; attempt++) {
        ssize_t count = write(TERMINAL, what->sequence + sent, what->size - sent);
        if (count > 0) {
            sent += (size_t)count;
        } else if (count < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = TERMINAL, .events = POLLOUT};
            poll(&ready, 1, 10);
        } else if (count < 0 && errno != EINTR) {
            break;
        }
    }
    if (is_taken(&what->taken)) tcsetattr(TERMINAL, TCSANOW, &what->found);
    if (what->flags >= 0) fcntl(TERMINAL, F_SETFL, what->flags);
}

static _Noreturn void stand_by(const struct keeping *what) {
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

static _Noreturn void become_keeper(int channel, int terminal, const struct keeping *what) {
    struct keeping own = *what;
    cposix_detach();
    // An orphan: the program need not wait for it.
    pid_t second = fork();
    if (second != 0) _exit(second < 0);
    cposix_take_name("terminal-keeper");
    const int kept[] = {channel, terminal};
    cposix_keep_only(kept, 2);
    stand_by(&own);
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
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) become_keeper(ends[1], terminal, &what);
    int reason = errno, status = 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (child > 0 && status == 0) return ends[0];
    close(ends[0]);
    errno = child < 0 ? reason : EAGAIN;
    return -1;
}

int cposix_terminal_keeper_tell(int channel, bool taken) {
    uint8_t message = taken;
    return send(channel, &message, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 ? 0 : -1;
}
