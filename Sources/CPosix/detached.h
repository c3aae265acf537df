// How a child of the daemon becomes a process of its own: the guard and the reaper. Only async-signal-safe calls.
#ifndef CPOSIX_DETACHED_H
#define CPOSIX_DETACHED_H

// Leaves the daemon's session, folder and signal handlers. Signals that end a daemon are ignored: the process ends when the daemon does.
void cposix_detach(void);

// Puts a name in the place of the daemon's command line.
void cposix_take_name(const char *name);

// Moves a descriptor to `kept` and closes all others; the standard ones lead nowhere.
void cposix_keep_only(int descriptor, int kept);

#endif
