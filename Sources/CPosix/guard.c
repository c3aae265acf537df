// The guard's process, see guard.h.
//
// After the fork, only async-signal-safe calls and memory on its own stack: other threads of the daemon may have held any lock.
#define _GNU_SOURCE
#include "detached.h"
#include "guard_message.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { CHANNEL = 3 };                // the only descriptor that the child keeps
static const double again = 0.1;     // s between stops during the silence
static const double patience = 0.2;  // s for one stop to be written
static const int apart = 20;         // ms between the two stops after the daemon's death: a lossy line may lose one

struct watch {
    int port;             // -1: none
    bool moving, silent;  // silent: this silence has been answered
    double timeout, beat, due;
    struct cposix_guard_report report;
    size_t size;
    uint8_t stop[cposix_guard_stop_size];
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void let_go(struct watch *w) {
    if (w->port >= 0) close(w->port);  // at once: a device that hung up, its lock and its name are free only after that
    w->port = -1;
    w->moving = w->silent = false;
}

static bool write_stop(const struct watch *w) {
    double end = now() + patience;
    for (size_t sent = 0; sent < w->size;) {
        ssize_t count = write(w->port, w->stop + sent, w->size - sent);
        if (count > 0) sent += (size_t)count;
        else if (count == 0 || (errno != EAGAIN && errno != EINTR)) return false;
        else {
            double left = end - now();
            struct pollfd room = {.fd = w->port, .events = POLLOUT};
            if (left <= 0) return false;
            poll(&room, 1, (int)(left * 1e3) + 1);
            if (room.revents & (POLLHUP | POLLERR | POLLNVAL)) return false;
        }
    }
    return true;
}

// Receives one message, and the descriptor that came with it (else -1). Returns its size; 0 if the daemon is gone; -1 if there
// is none or it is invalid.
static ssize_t receive(struct message *m, int *port) {
    union { struct cmsghdr head; char space[CMSG_SPACE(4 * sizeof(int))]; } control;
    struct iovec part = {.iov_base = m, .iov_len = sizeof *m};
    struct msghdr all = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *port = -1;
    ssize_t size = recvmsg(CHANNEL, &all, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (size < 0) return -1;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&all); c; c = CMSG_NXTHDR(&all, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        for (size_t at = CMSG_LEN(0); at + sizeof(int) <= c->cmsg_len; at += sizeof(int)) {
            if (*port >= 0) close(*port);  // a message carries one port
            memcpy(port, (const char *)c + at, sizeof(int));
        }
    }
    if (size > 0) return size;
    struct pollfd end = {.fd = CHANNEL, .events = POLLRDHUP};  // an empty message is not the end
    poll(&end, 1, 0);
    errno = EBADMSG;
    return end.revents & (POLLRDHUP | POLLHUP) ? 0 : -1;
}

// Reads all pending messages, so that no decision is based on an old heartbeat; false if the daemon is gone.
static bool hear(struct watch *w) {
    for (int left = 1024; left > 0; left--) {
        struct message m;
        int port;
        ssize_t size = receive(&m, &port);
        if (size == 0) return false;
        if (size < 0) {
            // A reset means that the daemon ended before it read all reports; its earlier messages still follow.
            if (errno == EINTR || errno == ECONNRESET || errno == EBADMSG) continue;
            return errno == EAGAIN;
        }
        if (m.kind == WATCH && size > HEAD && size == HEAD + m.size && port >= 0) {
            let_go(w);
            w->port = port;
            w->timeout = m.time >= 0.05 && m.time <= 10 ? m.time : 0.25;
            w->size = m.size;
            memcpy(w->stop, m.stop, m.size);
            continue;
        }
        if (port >= 0) close(port);
        if (m.kind == RELEASE && size == HEAD) let_go(w);
        if (m.kind == BEAT && size == HEAD) {
            double at = now();
            w->beat = m.time < at ? m.time : at;
            w->moving = m.moving;
            w->silent = false;
            w->due = w->beat + w->timeout;
        }
    }
    return true;
}

static void intervene(struct watch *w, double at) {
    // Discarded once: afterwards only our own stops wait there, and perhaps a last set-point before them.
    if (!w->silent) tcflush(w->port, TCOFLUSH);
    bool wrote = write_stop(w);
    w->due = at + again;
    if (w->silent) return;
    w->silent = true;
    w->report.number++;
    w->report.wrote = wrote;
    w->report.age = at - w->beat;
    send(CHANNEL, &w->report, sizeof w->report, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static _Noreturn void stand_guard(void) {
    struct watch w;
    memset(&w, 0, sizeof w);
    w.port = -1;
    send(CHANNEL, &w.report, sizeof w.report, MSG_DONTWAIT | MSG_NOSIGNAL);
    for (bool alive = true; alive;) {
        bool watches = w.port >= 0 && w.moving;
        double wait = watches ? (w.due - now()) * 1e3 : -1;
        struct pollfd waits[2] = {{.fd = CHANNEL, .events = POLLIN}, {.fd = w.port}};
        poll(waits, 2, !watches ? -1 : wait > 0 ? (int)wait + 1 : 0);
        if (waits[1].revents) let_go(&w);
        alive = hear(&w);
        double at = now();
        if (alive && w.port >= 0 && w.moving && at >= w.due) intervene(&w, at);
    }
    if (w.port >= 0) tcflush(w.port, TCOFLUSH);
    for (int count = 0; w.port >= 0 && count < 2; count++) {
        write_stop(&w);
        poll(NULL, 0, apart);
    }
    _exit(0);
}

_Noreturn void cposix_guard_become(int channel) {
    cposix_detach();
    cposix_take_name("dock-guard");
    struct sched_param first = {.sched_priority = 51};  // above the loop's priority, if allowed
    sched_setscheduler(0, SCHED_FIFO, &first);
    cposix_keep_only(&channel, 1);
    stand_guard();
}
