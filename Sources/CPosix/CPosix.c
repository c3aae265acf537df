#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/serial.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

static double now_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double cposix_monotonic_now(void) { return now_of(CLOCK_MONOTONIC); }
double cposix_boottime_now(void) { return now_of(CLOCK_BOOTTIME); }
double cposix_realtime_now(void) { return now_of(CLOCK_REALTIME); }

int cposix_timer_create(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

int cposix_timer_arm(int descriptor, double deadline) {
    struct itimerspec spec = {0};
    if (deadline > 0) {
        spec.it_value.tv_sec = (time_t)deadline;
        spec.it_value.tv_nsec = (long)((deadline - (double)spec.it_value.tv_sec) * 1e9);
        if (spec.it_value.tv_sec == 0 && spec.it_value.tv_nsec == 0) spec.it_value.tv_nsec = 1;  // 0 would disarm
    }
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &spec, NULL);
}

int cposix_wake_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

uint64_t cposix_counter_take(int descriptor) {
    uint64_t count = 0;
    return read(descriptor, &count, sizeof count) == sizeof count ? count : 0;
}

void cposix_wake_ring(int descriptor) {
    uint64_t one = 1;
    ssize_t ignored = write(descriptor, &one, sizeof one);  // if it is full, it is already signalled
    (void)ignored;
}

int cposix_make_raw(int descriptor) {
    struct termios settings;
    if (tcgetattr(descriptor, &settings) != 0) return -1;
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    return tcsetattr(descriptor, TCSANOW, &settings);
}

int cposix_make_raw_keeping_speed(int descriptor) {
    struct termios settings;
    if (tcgetattr(descriptor, &settings) != 0) return -1;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    return tcsetattr(descriptor, TCSANOW, &settings);
}

int cposix_open_pty(int *master, int *slave, char *path, size_t path_size) {
    // Both are close-on-exec from the start. Another thread may start a program at any moment, and a copy in it would keep the
    // line open when this process hangs up.
    *slave = -1;
    *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*master < 0) return -1;
    if (grantpt(*master) == 0 && unlockpt(*master) == 0 && ptsname_r(*master, path, path_size) == 0)
        *slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*slave < 0 || cposix_make_raw(*slave) != 0) {
        int reason = errno;
        if (*slave >= 0) close(*slave);
        close(*master);
        errno = reason;
        return -1;
    }
    return 0;
}

int cposix_pipe(int *read_end, int *write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

void cposix_thread_blocks_pipe_signal(void) {
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    (void)pthread_sigmask(SIG_BLOCK, &pipes, NULL);
}

void cposix_pipe_size(int descriptor, int bytes) { (void)fcntl(descriptor, F_SETPIPE_SZ, bytes); }

int cposix_spawn_closes_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

short cposix_spawn_session_flag(void) { return POSIX_SPAWN_SETSID; }

int cposix_process_descriptor(pid_t child) {
    int descriptor = (int)syscall(SYS_pidfd_open, child, 0);
    if (descriptor >= 0) (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

int cposix_open_folder(int folder, const char *name) {
    return openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool cposix_is_process_folder(int folder) {
    struct statfs system;
    return fstatfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

int cposix_output_queued(int descriptor) {
    int count = 0;
    return ioctl(descriptor, TIOCOUTQ, &count) == 0 ? count : -1;
}

int cposix_discard_output(int descriptor) { return tcflush(descriptor, TCOFLUSH); }

int cposix_lock_exclusive(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int cposix_set_exclusive(int descriptor, bool on) { return ioctl(descriptor, on ? TIOCEXCL : TIOCNXCL); }

int cposix_set_low_latency(int descriptor) {
    struct serial_struct settings;
    if (ioctl(descriptor, TIOCGSERIAL, &settings) != 0) return -1;
    settings.flags |= ASYNC_LOW_LATENCY;
    return ioctl(descriptor, TIOCSSERIAL, &settings);
}

int cposix_claim_terminal(const char *path, struct termios *found) {
    int descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int isTaken = 0;  // root can open a terminal that another program holds exclusively
    if (ioctl(descriptor, TIOCGEXCL, &isTaken) != 0) isTaken = 0;
    if (isTaken) errno = EBUSY;
    if (isTaken || flock(descriptor, LOCK_EX | LOCK_NB) != 0 || tcgetattr(descriptor, found) != 0) {
        int reason = errno;
        close(descriptor);
        errno = reason;
        return -1;
    }
    return descriptor;
}

int cposix_set_modem_lines(int descriptor, bool on) {
    int lines = TIOCM_DTR | TIOCM_RTS;
    return ioctl(descriptor, on ? TIOCMBIS : TIOCMBIC, &lines);
}

int cposix_set_nonblocking(int descriptor, bool on) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) return -1;
    return fcntl(descriptor, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

int cposix_set_cloexec(int descriptor) { return fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

int cposix_window_size(int descriptor, int *columns, int *rows, int *pixel_width, int *pixel_height) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    *pixel_width = size.ws_xpixel;
    *pixel_height = size.ws_ypixel;
    return 0;
}

int cposix_set_window_size(int descriptor, int columns, int rows) {
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    return ioctl(descriptor, TIOCSWINSZ, &size);
}

int cposix_thread_realtime(int priority) {
    struct sched_param parameter = {.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
}

void cposix_thread_name(const char *name) { prctl(PR_SET_NAME, name); }

static volatile sig_atomic_t signal_bell = -1;
static volatile sig_atomic_t signal_number = 0;

static void ring_signal_bell(int number) {
    int reason = errno;
    signal_number = number;
    if (signal_bell >= 0) cposix_wake_ring(signal_bell);
    errno = reason;
}

int cposix_signal_last(void) { return signal_number; }

int cposix_signal_descriptor(bool all) {
    int bell = cposix_wake_create();
    if (bell < 0) return -1;
    signal_bell = bell;
    struct sigaction action = {.sa_handler = ring_signal_bell, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
    for (size_t index = 0; index < (all ? 5 : 4); index++) {
        if (sigaction(numbers[index], &action, NULL) != 0) return -1;
    }
    return bell;
}

void cposix_begin_anew(char *const words[]) {
    // A thread of a pool has all signals blocked, and ignored signals stay ignored: the new program would not receive them.
    const int numbers[] = {SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGTSTP, SIGCONT, SIGCHLD};
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) signal(numbers[index], SIG_DFL);
    // A HUP during the restart must not end the process; the settings are read at the start anyway.
    signal(SIGHUP, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execv("/proc/self/exe", words);
    // Without /proc: the path by which it was started, if it is still a path.
    int reason = errno;
    const char *path = (const char *)getauxval(AT_EXECFN);
    if (path) execv(path, words);
    errno = reason;
}
