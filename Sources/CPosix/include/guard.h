// The guard: a small separate process that stops the dock when the daemon cannot.
//
// It is forked from the daemon, holds a duplicate of the port and the driver's stop command, and receives the loop thread's
// heartbeat over a socket. It writes only if the heartbeat stops while the dock is being moved, or if the daemon is gone.
#ifndef CPOSIX_GUARD_H
#define CPOSIX_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The longest stop command, bytes.
enum { cposix_guard_stop_size = 256 };

/// A report of the guard.
struct cposix_guard_report {
    /// Number of interventions so far; 0 at the start.
    uint32_t number;
    /// Whether the complete stop was written.
    bool wrote;
    /// The age of the last heartbeat, seconds.
    double age;
};

/// Forks the guard and waits until it runs, at most one second. Its process id, or -1 with errno.
/// `channel`: the daemon's end, non-blocking and close-on-exec; closing it ends the guard. `threads`: the number of threads of
/// this process, 0 if unknown. May be called while other threads run: the child makes only async-signal-safe calls.
pid_t cposix_guard_start(int *channel, int *threads);

/// Forks a replacement for a guard that is gone; the channel keeps its descriptor number. Does not wait: the guard runs when
/// its first report (number 0) arrives.
pid_t cposix_guard_replace(int channel);

/// Kills a child and reaps it, without waiting. True if it is gone, or is not (or no longer) a child of this process; then
/// nothing was killed. False if it was killed and another call must reap it.
bool cposix_child_end(pid_t child);

/// Passes the port (the guard keeps its own duplicate) and the stop command. From the first heartbeat with `moving`, the guard
/// answers a silence of more than `timeout` seconds (0.05...10) with that stop. 0, or -1 with errno.
int cposix_guard_watch(int channel, int port, const uint8_t *stop, size_t size, double timeout);
/// One heartbeat at `now` (CLOCK_MONOTONIC). Never blocks. 0, or -1 with errno: EAGAIN (the guard has read nothing for about a
/// second), EPIPE (it is gone).
int cposix_guard_beat(int channel, bool moving, double now);
/// Makes the guard close its duplicate of the port. 0, or -1 with errno.
int cposix_guard_release(int channel);
/// Reads one report. 1 if there was one; 0 if not; -1 if the guard is gone.
int cposix_guard_take(int channel, struct cposix_guard_report *report);
/// Signals the end of the daemon, so that the guard ends; the descriptor stays open.
void cposix_guard_end(int channel);

#endif
