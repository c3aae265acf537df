// The reaper: a small separate process that ends the daemon's children, and the processes that they started, when the daemon
// dies. A child that ignores TERM, or that waits for a program of its own, would otherwise keep the camera.
//
// From the fork to its end it makes only async-signal-safe calls and uses only memory on its stack, like the guard.
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "detached.h"

enum { CHANNEL = 3, MOST = 64 };

static _Noreturn void stand_by(void) {
    pid_t groups[MOST];
    int count = 0;
    while (true) {
        pid_t message;
        ssize_t size = recv(CHANNEL, &message, sizeof message, 0);
        if (size < 0 && errno == EINTR) continue;
        if (size != sizeof message) break;  // the daemon is gone
        if (message > 1 && count < MOST) groups[count++] = message;
        for (int index = 0; message < 0 && index < count; index++) {
            if (groups[index] != -message) continue;
            groups[index] = groups[--count];
            break;
        }
    }
    for (int index = 0; index < count; index++) kill(-groups[index], SIGKILL);
    _exit(0);
}

static _Noreturn void become_reaper(int channel) {
    cposix_detach();
    // An orphan: the daemon need not wait for it, and a restarted daemon does not inherit it as a child.
    pid_t second = fork();
    if (second != 0) _exit(second < 0);
    cposix_take_name("dock-reaper");
    cposix_keep_only(&channel, 1);
    stand_by();
}

int cposix_reaper_start(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) become_reaper(ends[1]);
    int reason = errno, status = 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (child > 0 && status == 0) return ends[0];
    close(ends[0]);
    errno = child < 0 ? reason : EAGAIN;
    return -1;
}

int cposix_reaper_tell(int channel, pid_t group, bool lives) {
    pid_t message = lives ? group : -group;
    return send(channel, &message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof message ? 0 : -1;
}
