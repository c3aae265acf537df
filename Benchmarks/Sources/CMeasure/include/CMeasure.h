// What Swift's C library module does not show: pseudo-terminals, timers, clocks of other processes, spawning.
#pragma once
#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

/// CLOCK_MONOTONIC, nanoseconds.
int64_t measure_now(void);
/// CPU time of a process, user and system, nanoseconds; -1 if it is gone.
int64_t measure_cpu(pid_t process);

/// A timer for `poll`; -1 on error.
int measure_timer_create(void);
/// Arms it for a time of CLOCK_MONOTONIC, nanoseconds.
void measure_timer_arm(int timer, int64_t deadline);

/// A raw pseudo-terminal of 80 x 24 cells that does not block its master; 0, or -1 with errno.
int measure_pty_open(int *master, int *slave, char *path, size_t size);
/// Opens a pseudo-terminal's device by path, raw and non-blocking; -1 with errno.
int measure_pty_client(const char *path);
/// A pipe that children do not inherit; 0, or -1 with errno.
int measure_pipe(int *read_end, int *write_end);

/// Starts a program: `input`, `output` and `errors` become its descriptors 0, 1, 2. With `terminal` (a path) it leads a
/// session whose terminal that is, and 1 is that terminal. Its number, or -1 with errno.
pid_t measure_spawn(char *const arguments[], int input, int output, int errors, const char *terminal);
