// What the Glibc module hides from Swift, as small functions with one job each. No allocation, and no state but the signals'.
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

/// Seconds of CLOCK_MONOTONIC: the time of everything that moves.
double cposix_monotonic_now(void);
/// Seconds of CLOCK_BOOTTIME: runs ahead of CLOCK_MONOTONIC after a suspend.
double cposix_boottime_now(void);
/// Seconds of CLOCK_REALTIME since 1970.
double cposix_realtime_now(void);

/// Gives back code and constants that were needed until now: what is needed further comes back from the cache of its file at once.
void cposix_release_code(void);
/// Gives back free pieces of the heap.
void cposix_release_heap(void);
/// From now on large blocks go back to the system when they are freed: a trace is megabytes while it is written.
void cposix_keep_heap_small(void);

/// Threads share two heaps: each one of its own would reserve 64 MB of address space, and 128 MB for a moment.
void cposix_share_heaps(void);

/// What a process may have.
typedef enum { cposix_address_space, cposix_data, cposix_stack } cposix_resource;
/// The limit in force, bytes; UINT64_MAX: none.
uint64_t cposix_limit_of(cposix_resource resource);
/// Whether so many bytes could be had now: tried, and given back. Data is memory that can be written to.
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
/// Gives a pipe room for so many bytes, so that a picture passes in few turns; the system may refuse, and it works all the same.
void cposix_pipe_size(int descriptor, int bytes);
/// Lets a program that is about to be spawned begin without any descriptor from `first` on. 0, or an errno.
int cposix_spawn_closes_from(posix_spawn_file_actions_t *actions, int first);
/// A descriptor that becomes readable when a child process ends, close-on-exec, or -1 with errno (before Linux 5.3: ENOSYS).
int cposix_process_descriptor(pid_t child);

/// Opens a folder for calls that end with `at`, without following a link. The descriptor, or -1 with errno: ENOTDIR where it is no folder.
int cposix_open_folder(int folder, const char *name);
/// Whether a folder is one of /proc, whose links are the kernel's.
bool cposix_is_process_folder(int folder);

/// How many words the program was started with, its own name first.
int cposix_argument_count(void);
/// One of them; NULL: there is none.
const char *cposix_argument(int index);
/// Gives them to Swift's runtime, before anybody asks for `CommandLine`.
void cposix_hand_over_arguments(void);

/// Begins the reaper, which ends groups of processes when this process dies, however it dies. The descriptor by which it is told,
/// close-on-exec, or -1 with errno. May be called beside other threads: the child makes only async-signal-safe calls.
int cposix_reaper_start(void);
/// A group of processes (2...) is to end with this process, or is gone. Never waits. 0, or -1 with errno: the reaper is gone.
int cposix_reaper_tell(int channel, pid_t group, bool lives);

/// Bytes the kernel holds that the device has not taken yet (TIOCOUTQ), or -1.
int cposix_output_queued(int descriptor);
/// Discards what is written but not yet sent. 0, or -1 with errno.
int cposix_discard_output(int descriptor);
/// Keeps other programs away that ask: an exclusive flock, without waiting. 0, or -1 with errno (EWOULDBLOCK: held).
int cposix_lock_exclusive(int descriptor);
/// Opens a terminal that nobody else has, non-blocking, without changing it, locks it (flock) and tells its settings; the lock
/// stands until it is closed. The descriptor, or -1 with errno (EBUSY, EWOULDBLOCK: another program has it).
///
/// A lock of its own (TIOCEXCL) is refused, too, but not taken: see `cposix_set_exclusive`.
int cposix_claim_terminal(const char *path, struct termios *found);
/// Keeps everybody but root from opening a terminal (TIOCEXCL), or lets them again. 0, or -1 with errno.
///
/// For real ports, where it ends with the last close. On a pseudo-terminal it would outlast whoever set it, and the next user were
/// refused.
int cposix_set_exclusive(int descriptor, bool on);
/// Raises or drops DTR and RTS together. 0, or -1 with errno.
int cposix_set_modem_lines(int descriptor, bool on);
/// Sets O_NONBLOCK on or off. 0, or -1 with errno.
int cposix_set_nonblocking(int descriptor, bool on);
/// Sets FD_CLOEXEC. 0, or -1 with errno.
int cposix_set_cloexec(int descriptor);

/// Cells and pixels of a terminal; pixels are 0 where it does not tell. 0, or -1 with errno.
int cposix_window_size(int descriptor, int *columns, int *rows, int *pixel_width, int *pixel_height);
/// Tells a terminal its size, as a terminal emulator does. 0, or -1 with errno.
int cposix_set_window_size(int descriptor, int columns, int rows);

/// Gives the calling thread SCHED_FIFO with the priority. 0, or an errno.
int cposix_thread_realtime(int priority);
/// Writing into a pipe that nobody reads is an error for the calling thread, and no signal that ends the process.
void cposix_thread_blocks_pipe_signal(void);
/// Names the calling thread for debuggers and `top -H` (15 characters).
void cposix_thread_name(const char *name);

/// This process begins its program anew with these words, as a fresh process would: no signal is blocked or ignored, but HUP.
/// Comes back only where the system refuses, with errno.
void cposix_begin_anew(char *const words[]);

/// From now on INT, TERM and HUP (where `all` also QUIT and TSTP, the keys Ctrl-\ and Ctrl-Z) do not end the process,
/// whichever thread they meet; they make the descriptor readable.
/// One in a process, for good. The descriptor, or -1 with errno.
int cposix_signal_descriptor(bool all);
/// The number of the signal that made it readable last; 0: none has yet.
int cposix_signal_last(void);

// A contended Synchronization.Mutex is a false race for the thread sanitizer; these tell it what the lock orders.
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));
static inline void cposix_tsan_acquire(void *address) { if (__tsan_acquire) __tsan_acquire(address); }
static inline void cposix_tsan_release(void *address) { if (__tsan_release) __tsan_release(address); }

#endif
