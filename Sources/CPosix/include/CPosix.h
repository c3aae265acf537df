// Functions that the Glibc module hides from Swift, one job each. No allocation, and no state except for the signals.
#ifndef CPOSIX_H
#define CPOSIX_H

#include <stdbool.h>
#include <stddef.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include "camera.h"
#include "guard.h"
#include "lanes.h"
#include "line_speed.h"
#include "share.h"

/// Seconds of CLOCK_MONOTONIC: the time of everything that moves.
double cposix_monotonic_now(void);
/// Seconds of CLOCK_BOOTTIME: runs ahead of CLOCK_MONOTONIC after a suspend.
double cposix_boottime_now(void);
/// Seconds of CLOCK_REALTIME since 1970.
double cposix_realtime_now(void);

/// Releases code and constants that were needed only until now; if they are needed again, they are reloaded from the file
/// cache.
void cposix_release_code(void);
/// Returns free parts of the heap to the system.
void cposix_release_heap(void);
/// From now on, large blocks return to the system when they are freed: writing a trace takes megabytes.
void cposix_keep_heap_small(void);

/// Makes threads share two heaps: a separate one would reserve 64 MB of address space, and 128 MB for a moment.
void cposix_share_heaps(void);

/// The limited resources of a process.
typedef enum { cposix_address_space, cposix_data, cposix_stack } cposix_resource;
/// The limit in force, bytes; UINT64_MAX for none.
uint64_t cposix_limit_of(cposix_resource resource);
/// Whether this many bytes are available now; tested by allocating and freeing them. Data means writable memory.
bool cposix_has_room(cposix_resource resource, size_t bytes);

/// A timer descriptor on CLOCK_MONOTONIC, non-blocking and close-on-exec, or -1 with errno.
int cposix_timer_create(void);
/// Arms the timer once at `deadline` (seconds of CLOCK_MONOTONIC); a deadline in the past fires at once, 0 disarms.
int cposix_timer_arm(int descriptor, double deadline);
/// A wake-up descriptor (eventfd), non-blocking and close-on-exec, or -1 with errno.
int cposix_wake_create(void);
/// Reads and clears a timer or wake-up descriptor; the count, or 0 if there was none.
uint64_t cposix_counter_take(int descriptor);
/// Adds one to a wake-up descriptor.
void cposix_wake_ring(int descriptor);

/// Opens a pseudo-terminal pair, both ends close-on-exec and raw; the slave's path goes into `path`. 0, or -1 with errno.
int cposix_open_pty(int *master, int *slave, char *path, size_t path_size);
/// Makes a terminal raw with VMIN = 1, so that an empty read is EAGAIN and 0 means hang-up. 0, or -1 with errno.
int cposix_make_raw(int descriptor);
/// The same, keeping the line's speed and everything else that a serial library has set. 0, or -1 with errno.
int cposix_make_raw_keeping_speed(int descriptor);
/// A pipe, both ends close-on-exec. 0, or -1 with errno.
int cposix_pipe(int *read_end, int *write_end);
/// Requests a capacity in bytes for a pipe, so that a frame passes in few turns. The system may refuse; the pipe still works.
void cposix_pipe_size(int descriptor, int bytes);
/// Makes a program that is about to be spawned start without any descriptor from `first` on. 0, or an errno.
int cposix_spawn_closes_from(posix_spawn_file_actions_t *actions, int first);
/// The flag with which a spawned program leads a new session, and with it a new process group.
short cposix_spawn_session_flag(void);
/// A descriptor that becomes readable when a child process ends, close-on-exec, or -1 with errno (before Linux 5.3: ENOSYS).
int cposix_process_descriptor(pid_t child);

/// Opens a folder for calls that end with `at`, without following a link. The descriptor, or -1 with errno: ENOTDIR if it is
/// not a folder.
int cposix_open_folder(int folder, const char *name);
/// Whether a folder is in /proc, whose links come from the kernel.
bool cposix_is_process_folder(int folder);

/// Starts the reaper, which ends process groups when this process dies for any reason. The descriptor of its channel,
/// close-on-exec, or -1 with errno. May be called while other threads run: the child makes only async-signal-safe calls.
int cposix_reaper_start(void);
/// Registers a process group (2...) to end with this process, or removes it. Never blocks. 0, or -1 with errno: the reaper is
/// gone.
int cposix_reaper_tell(int channel, pid_t group, bool lives);

/// Longest sequence that restores a terminal, bytes.
enum { cposix_terminal_sequence_size = 256 };
/// Starts the terminal keeper, which restores a terminal if this process dies while the terminal is taken. `found`: the line
/// settings to restore, if those of the terminal are still `taken`; `flags`: the file status flags to restore, -1: leave them;
/// `sequence`: bytes for the terminal. The descriptor of its channel, close-on-exec, or -1 with errno. Closing it ends the keeper.
/// May be called while other threads run: the child makes only async-signal-safe calls.
int cposix_terminal_keeper_start(
    int terminal, const struct termios *found, const struct termios *taken, int flags, const uint8_t *sequence, size_t size);
/// Tells the keeper whether the terminal is taken from now on. Never blocks; safe in a signal handler. 0, or -1 with errno: the
/// keeper is gone.
int cposix_terminal_keeper_tell(int channel, bool taken);

/// Bytes in the kernel's buffer that the device has not accepted yet (TIOCOUTQ), or -1.
int cposix_output_queued(int descriptor);
/// Discards output that is written but not yet sent. 0, or -1 with errno.
int cposix_discard_output(int descriptor);
/// Takes an exclusive advisory lock (flock) without waiting. 0, or -1 with errno (EWOULDBLOCK: held by another program).
int cposix_lock_exclusive(int descriptor);
/// Opens a terminal that no other program holds, non-blocking, without changing it, locks it (flock) and returns its settings.
/// The lock lasts until the descriptor is closed. The descriptor, or -1 with errno (EBUSY, EWOULDBLOCK: another program holds
/// it).
///
/// A terminal with TIOCEXCL is rejected too, but this function does not set it: see `cposix_set_exclusive`.
int cposix_claim_terminal(const char *path, struct termios *found);
/// Prevents all users except root from opening a terminal (TIOCEXCL), or allows it again. 0, or -1 with errno.
///
/// For real ports, where it ends with the last close. On a pseudo-terminal it would outlast the program that set it, and the
/// next user would be rejected.
int cposix_set_exclusive(int descriptor, bool on);
/// Makes the driver of an adapter pass received bytes on at once instead of collecting them: an FTDI chip then waits 1 ms instead of 16.
/// 0, or -1 with errno if the driver has no such setting.
int cposix_set_low_latency(int descriptor);
/// Raises or drops DTR and RTS together. 0, or -1 with errno.
int cposix_set_modem_lines(int descriptor, bool on);
/// Sets O_NONBLOCK on or off. 0, or -1 with errno.
int cposix_set_nonblocking(int descriptor, bool on);
/// Sets FD_CLOEXEC. 0, or -1 with errno.
int cposix_set_cloexec(int descriptor);

/// Cells and pixels of a terminal; pixels are 0 if it does not report them. 0, or -1 with errno.
int cposix_window_size(int descriptor, int *columns, int *rows, int *pixel_width, int *pixel_height);
/// Sets a terminal's size, as a terminal emulator does. 0, or -1 with errno.
int cposix_set_window_size(int descriptor, int columns, int rows);

/// Gives the calling thread SCHED_FIFO with the priority. 0, or an errno.
int cposix_thread_realtime(int priority);
/// Makes writing into a pipe without a reader an error for the calling thread, instead of a signal that ends the process.
void cposix_thread_blocks_pipe_signal(void);
/// Names the calling thread for debuggers and `top -H` (15 characters).
void cposix_thread_name(const char *name);

/// Executes this process's program again with these words, as in a new process: no signal is blocked or ignored, except HUP.
/// Returns only if the system refuses, with errno.
void cposix_begin_anew(char *const words[]);

/// From now on INT, TERM and HUP (with `all` also QUIT and TSTP, the keys Ctrl-\ and Ctrl-Z) do not end the process, whichever
/// thread receives them. They make the descriptor readable. There is one per process, permanently. The descriptor, or -1 with
/// errno.
int cposix_signal_descriptor(bool all);
/// The number of the last signal that made it readable; 0 if there was none.
int cposix_signal_last(void);

// The thread sanitizer reports a contended Synchronization.Mutex as a race; these functions declare the order that the lock
// ensures.
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));
static inline void cposix_tsan_acquire(void *address) { if (__tsan_acquire) __tsan_acquire(address); }
static inline void cposix_tsan_release(void *address) { if (__tsan_release) __tsan_release(address); }

#endif
