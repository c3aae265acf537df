// The words that the program was started with, as the system passed them. Swift's runtime reads them from /proc, and has none
// if /proc is not mounted.
#include "CPosix.h"

extern char **environ;

static int count;
static char **words;

#ifdef __GLIBC__  // passes the words to a constructor
__attribute__((constructor)) static void find_words(int number, char **all) {
    count = number;
    words = all;
}
#else
__attribute__((constructor)) static void find_words(void) {
    // The words end with a null pointer in front of the environment variables; their number precedes them.
    if (!environ || environ[-1]) return;
    for (long number = 0; number < 1 << 20; number++) {
        if ((long)environ[-2 - number] != number) continue;
        count = (int)number;
        words = environ - 1 - number;
        return;
    }
}
#endif

// The runtime's function to override the words from /proc. Libraries ask the runtime for them.
void _swift_stdlib_overrideUnsafeArgvArgc(char **words, int count) __attribute__((weak));

void cposix_hand_over_arguments(void) {
    if (words && _swift_stdlib_overrideUnsafeArgvArgc) _swift_stdlib_overrideUnsafeArgvArgc(words, count);
}

int cposix_argument_count(void) { return words ? count : 0; }
const char *cposix_argument(int index) { return index >= 0 && index < cposix_argument_count() ? words[index] : 0; }
