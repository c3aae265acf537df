// See detached.h.
#define _GNU_SOURCE
#include "detached.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The words of the daemon's command line. A child overwrites them with its name, so that `pkill -f` does not match both.
static char *words;
static size_t words_size;

#ifdef __GLIBC__  // passes the words to a constructor
__attribute__((constructor)) static void find_words(int count, char **all) {
    if (count < 1 || !all || !all[0] || all[count - 1] < all[0]) return;
    words = all[0];
    words_size = (size_t)(all[count - 1] - all[0]) + strlen(all[count - 1]);
}
#endif

void cposix_take_name(const char *name) {
    size_t size = strlen(name) + 1;
    prctl(PR_SET_NAME, name);
    if (words_size >= size) memcpy(memset(words, 0, words_size), name, size);
}

void cposix_detach(void) {
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGABRT};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
    action.sa_handler = SIG_IGN;
    for (size_t index = 0; index < sizeof ignored / sizeof *ignored; index++) sigaction(ignored[index], &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();  // signals from the terminal's keys do not reach it
    if (chdir("/") != 0) _exit(1);
}

void cposix_keep_only(const int *descriptors, int count) {
    if (count > 2) _exit(1);
    // No new descriptor is needed, because all may be in use. The standard ones hold the two while they change places; the second
    // may itself be a standard one.
    for (int index = count - 1; index >= 0; index--) {
        if (dup2(descriptors[index], index) < 0) _exit(1);
    }
    for (int index = 0; index < count; index++) {
        if (dup2(index, 3 + index) < 0) _exit(1);
    }
    if (syscall(SYS_close_range, 3 + count, ~0U, 0) != 0) {
        for (int other = 3 + count; other < 4096; other++) close(other);
    }
    int nothing = open("/dev/null", O_RDWR);
    for (int standard = 0; standard < 3; standard++) {
        if (nothing < 0) close(standard); else dup2(nothing, standard);
    }
    if (nothing >= 3 + count) close(nothing);
}
