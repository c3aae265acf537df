// The words that the program was started with, as the system passed them. Swift's runtime reads them from /proc, and has none
// if /proc is not mounted. A verb would then do something other than what was asked: `dockface stop` would stop nothing.
#include "CPosix.h"

extern char **environ;

// The runtime's function to override the words from /proc; it only stores them. `CommandLine.arguments`, which the argument
// parser reads, asks the runtime for them.
void _swift_stdlib_overrideUnsafeArgvArgc(char **words, int count);

// Constructors run before any Swift code, in every program with this module.
#ifdef __GLIBC__  // passes the words to a constructor
__attribute__((constructor)) static void hand_over_words(int count, char **words) {
    if (count > 0 && words) _swift_stdlib_overrideUnsafeArgvArgc(words, count);
}
#else
__attribute__((constructor)) static void hand_over_words(void) {
    // The words end with a null pointer in front of the environment variables; their number precedes them.
    if (!environ || environ[-1]) return;
    for (long count = 0; count < 1 << 20; count++) {
        if ((long)environ[-2 - count] != count) continue;
        if (count > 0) _swift_stdlib_overrideUnsafeArgvArgc(environ - 1 - count, (int)count);
        return;
    }
}
#endif
