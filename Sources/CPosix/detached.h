// Separates a child from the daemon: for the guard, the reaper and the terminal keeper. Only async-signal-safe calls.
#ifndef CPOSIX_DETACHED_H
#define CPOSIX_DETACHED_H

// Leaves the daemon's session, folder and signal handlers. Signals that end a daemon are ignored: the process ends when the
// daemon does.
void cposix_detach(void);

// Overwrites the daemon's command line with a name.
void cposix_take_name(const char *name);

// Moves `count` descriptors (1 or 2) to 3 and above, in their order, and closes all others; the standard descriptors are connected
// to /dev/null.
void cposix_keep_only(const int *descriptors, int count);

// Starts an orphan of this process that runs `become` with the descriptors `channel` (3) and `kept` (4; -1: none) and this name. Its
// parent need not wait for it, and a restarted daemon does not inherit it as a child. `become` never returns; `context` stays
// readable. The other end of the channel, close-on-exec, or -1 with errno.
int cposix_start_orphan(const char *name, int kept, void (*become)(const void *context), const void *context);

#endif
