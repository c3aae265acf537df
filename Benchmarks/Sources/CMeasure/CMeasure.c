#define _GNU_SOURCE
#include "CMeasure.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int64_t nanoseconds(clockid_t clock) {
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec : -1;
}

int64_t measure_now(void) { return nanoseconds(CLOCK_MONOTONIC); }

int64_t measure_cpu(pid_t process) {
    clockid_t clock;
    return clock_getcpuclockid(process, &clock) == 0 ? nanoseconds(clock) : -1;
}

int measure_timer_create(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

void measure_timer_arm(int timer, int64_t deadline) {
    struct itimerspec spec = {.it_value = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &spec, NULL);
}

static int raw(int descriptor) {
    struct termios settings;
    if (tcgetattr(descriptor, &settings) != 0) return -1;
    cfmakeraw(&settings);
    return tcsetattr(descriptor, TCSANOW, &settings);
}

int measure_pty_open(int *master, int *slave, char *path, size_t size) {
    struct winsize cells = {.ws_row = 24, .ws_col = 80};
    if (openpty(master, slave, NULL, NULL, &cells) != 0) return -1;
    fcntl(*master, F_SETFD, FD_CLOEXEC);
    fcntl(*slave, F_SETFD, FD_CLOEXEC);
    fcntl(*master, F_SETFL, O_RDWR | O_NONBLOCK);
    errno = ptsname_r(*master, path, size);
    return errno == 0 ? raw(*slave) : -1;
}

int measure_pty_client(const char *path) {
    int descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0) raw(descriptor), tcflush(descriptor, TCIFLUSH);  // discard output from before the client
    return descriptor;
}

int measure_pipe(int *read_end, int *write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

pid_t measure_spawn(char *const arguments[], int input, int output, int errors, const char *terminal) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    if (terminal) {
        // The first terminal that the leader of a session opens becomes the session's.
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
        posix_spawn_file_actions_addopen(&actions, 1, terminal, O_RDWR, 0);
    } else {
        posix_spawn_file_actions_adddup2(&actions, output, 1);
    }
    posix_spawn_file_actions_adddup2(&actions, errors, 2);
    pid_t process = -1;
    int reason = posix_spawn(&process, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    errno = reason;
    return reason == 0 ? process : -1;
}
