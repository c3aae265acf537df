// The reaper: a small process of its own that ends the children of the daemon, and what they have started, when the daemon dies. A
// child that ignores TERM, or that waits for a program of its own, would otherwise go on with the camera.
//
// Between the fork and its end only async-signal-safe calls and memory of its own stack, as in the guard.
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard_message.h"

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
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGABRT};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
    action.sa_handler = SIG_IGN;  // it ends when the daemon does
    for (size_t index = 0; index < sizeof ignored / sizeof *ignored; index++) sigaction(ignored[index], &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    // A child of nobody: the daemon need not wait for it, and it is no leftover of a daemon that begins anew.
    pid_t second = fork();
    if (second != 0) _exit(second < 0);
    if (chdir("/") != 0) _exit(1);
    cposix_take_name("dock-reaper");
    if (dup2(channel, CHANNEL) < 0) _exit(1);
    if (syscall(SYS_close_range, CHANNEL + 1, ~0U, 0) != 0) {
        for (int other = CHANNEL + 1; other < 4096; other++) close(other);
    }
    int nothing = open("/dev/null", O_RDWR);
    for (int standard = 0; standard < 3; standard++) {
        if (nothing < 0) close(standard); else dup2(nothing, standard);
    }
    if (nothing > CHANNEL) close(nothing);
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
