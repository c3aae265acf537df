// The guard: a small process of its own that stops the dock when the daemon cannot.
//
// It is forked from the daemon, holds a duplicate of the port and the driver's stop, and hears the loop thread's heart over
// a socket. It writes only where that heart stands still while the dock is being moved, or where the daemon is gone.
#ifndef CPOSIX_GUARD_H
#define CPOSIX_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A stop is no longer than this, bytes.
enum { cposix_guard_stop_size = 256 };

/// What the guard has done.
struct cposix_guard_report {
    /// Interventions so far; 0: it has only begun.
    uint32_t number;
    /// The stop went out whole.
    bool wrote;
    /// How old the last heartbeat was, seconds.
    double age;
};

/// Forks the guard and waits until it stands, one second at most. Its process id, or -1 with errno.
/// `channel`: the daemon's end, non-blocking and close-on-exec; closing it ends the guard. `threads`: how many threads this
/// process had, 0: not known. May be called beside other threads: the child makes only async-signal-safe calls.
pid_t cposix_guard_start(int *channel, int *threads);

/// The same in the place of one that is gone: its channel keeps its number. Does not wait: it stands when its first report
/// (number 0) comes.
pid_t cposix_guard_replace(int channel);

/// Kills a child and reaps it, without waiting: true if it is gone, or is no child of this process (any more), and then nothing
/// was killed; false: it was killed and is still to be reaped, by another call.
bool cposix_child_end(pid_t child);

/// Hands over the port (it keeps its own duplicate) and the stop; from the first beat that says `moving`, silence longer than
/// `timeout` seconds (0.05...10) is answered by that stop. 0, or -1 with errno.
int cposix_guard_watch(int channel, int port, const uint8_t *stop, size_t size, double timeout);
/// One beat at `now` (CLOCK_MONOTONIC). Never waits. 0, or -1 with errno: EAGAIN (the guard has read nothing for about a
/// second), EPIPE (it is gone).
int cposix_guard_beat(int channel, bool moving, double now);
/// It closes its duplicate of the port. 0, or -1 with errno.
int cposix_guard_release(int channel);
/// Takes one report. 1: there was one; 0: none waits; -1: the guard is gone.
int cposix_guard_take(int channel, struct cposix_guard_report *report);
/// The guard sees the end of the daemon and ends; the descriptor stays open.
void cposix_guard_end(int channel);

#endif
