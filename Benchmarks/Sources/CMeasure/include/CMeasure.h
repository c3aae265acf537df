// Calls that Swift's C library module lacks: pseudo-terminals, timers, clocks of other processes, spawning.
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
/// Sets it to a time of CLOCK_MONOTONIC, nanoseconds.
void measure_timer_arm(int timer, int64_t deadline);

/// A raw pseudo-terminal of 80 x 24 cells with a non-blocking master; 0, or -1 with errno.
int measure_pty_open(int *master, int *slave, char *path, size_t size);
/// Opens a pseudo-terminal's device by path, raw and non-blocking; -1 with errno.
int measure_pty_client(const char *path);
/// A pipe that children do not inherit; 0, or -1 with errno.
int measure_pipe(int *read_end, int *write_end);

/// Starts a program with `input`, `output` and `errors` as its descriptors 0, 1, 2. With `terminal` (a path) the program leads a session
/// with that terminal, and descriptor 1 is the terminal. Returns its process id, or -1 with errno.
pid_t measure_spawn(char *const arguments[], int input, int output, int errors, const char *terminal);
