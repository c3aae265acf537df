// See detached.h.
#define _GNU_SOURCE
#include "detached.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

int cposix_start_orphan(const char *name, int kept, void (*become)(const void *context), const void *context) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) {
        cposix_detach();
        pid_t second = fork();
        if (second != 0) _exit(second < 0);
        cposix_take_name(name);
        const int descriptors[] = {ends[1], kept};
        cposix_keep_only(descriptors, kept < 0 ? 1 : 2);
        become(context);
        _exit(1);
    }
    int reason = errno, status = 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (child > 0 && status == 0) return ends[0];
    close(ends[0]);
    errno = child < 0 ? reason : EAGAIN;
    return -1;
}
