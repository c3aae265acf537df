// The reaper: a small separate process that ends the daemon's children, and the processes that they started, when the daemon
// dies. A child that ignores TERM, or that waits for a program of its own, would otherwise keep the camera.
//
// From the fork to its end it makes only async-signal-safe calls and uses only memory on its stack, like the guard.
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "detached.h"

enum { CHANNEL = 3, MOST = 64 };

static void stand_by(const void *context) {
    (void)context;
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

int cposix_reaper_start(void) { return cposix_start_orphan("dock-reaper", -1, stand_by, NULL); }

int cposix_reaper_tell(int channel, pid_t group, bool lives) {
    pid_t message = lives ? group : -group;
    return send(channel, &message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof message ? 0 : -1;
}
