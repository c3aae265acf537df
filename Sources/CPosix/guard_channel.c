// The daemon's side of the guard, see guard.h.
#define _GNU_SOURCE
#include "guard_message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// The limit of unread heartbeats in bytes, about a second of them; a guard that is further behind counts as lost.
static const int unread = 8 * 1024;

bool cposix_child_end(pid_t child) {
    // The process id belongs to the guard only until it is reaped. The system may reap it (SIGCHLD ignored), or another part of
    // this process that waits for all children.
    siginfo_t state;
    if (child <= 0 || waitid(P_PID, (id_t)child, &state, WEXITED | WNOHANG | WNOWAIT) != 0) return true;
    kill(child, SIGKILL);
    return waitpid(child, NULL, WNOHANG) != 0;
}

static pid_t failed(int channel, pid_t child, int reason) {
    close(channel);
    for (int left = 100; !cposix_child_end(child) && left > 0; left--) poll(NULL, 0, 1);
    errno = reason;
    return -1;
}

// Forks the guard, and does not wait for it.
static pid_t begin(int *channel, int *threads) {
    struct stat tasks;
    *threads = stat("/proc/self/task", &tasks) == 0 ? (int)tasks.st_nlink - 2 : 0;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &unread, sizeof unread);
    // No signal handler of the daemon may run in the child before the child has set its own.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) cposix_guard_become(ends[1]);
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    *channel = ends[0];
    return child < 0 ? failed(ends[0], 0, reason) : child;
}

pid_t cposix_guard_start(int *channel, int *threads) {
    pid_t child = begin(channel, threads);
    if (child < 0) return -1;
    struct pollfd first = {.fd = *channel, .events = POLLIN};
    while (poll(&first, 1, 1000) < 0 && errno == EINTR) {}
    struct cposix_guard_report report;
    return cposix_guard_take(*channel, &report) == 1 ? child : failed(*channel, child, ETIMEDOUT);
}

pid_t cposix_guard_replace(int channel) {
    int fresh, threads;
    pid_t child = begin(&fresh, &threads);
    if (child < 0) return -1;
    int result = dup3(fresh, channel, O_CLOEXEC), reason = errno;
    close(fresh);
    if (result >= 0) return child;
    cposix_child_end(child);
    errno = reason;
    return -1;
}

int cposix_guard_watch(int channel, int port, const uint8_t *stop, size_t size, double timeout) {
    struct message message = {.kind = WATCH, .size = (uint16_t)size, .time = timeout};
    if (size == 0 || size > sizeof message.stop) {
        errno = EINVAL;
        return -1;
    }
    memcpy(message.stop, stop, size);
    union { struct cmsghdr head; char space[CMSG_SPACE(sizeof(int))]; } control;
    memset(&control, 0, sizeof control);
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.head), &port, sizeof port);
    struct iovec part = {.iov_base = &message, .iov_len = HEAD + size};
    struct msghdr whole = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    return sendmsg(channel, &whole, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -1 : 0;
}

static int tell(int channel, uint8_t kind, bool moving, double time) {
    struct message message;
    memset(&message, 0, HEAD);
    message.kind = kind;
    message.moving = moving;
    message.time = time;
    return send(channel, &message, HEAD, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -1 : 0;
}

int cposix_guard_beat(int channel, bool moving, double now) { return tell(channel, BEAT, moving, now); }

int cposix_guard_release(int channel) { return tell(channel, RELEASE, false, 0); }

int cposix_guard_take(int channel, struct cposix_guard_report *report) {
    while (true) {
        ssize_t size = recv(channel, report, sizeof *report, MSG_DONTWAIT);
        if (size == sizeof *report) return 1;
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
        if (size <= 0) return -1;
    }
}

void cposix_guard_end(int channel) { shutdown(channel, SHUT_RDWR); }
