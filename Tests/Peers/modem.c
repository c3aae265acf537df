// Adds what a pseudo-terminal lacks: modem lines (libserialport queries them when it opens a port), and a real name. The test
// bed's /dev/ttyACM0 is a link, a kernel's is not.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int ioctl(int descriptor, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    switch (request) {
    case TIOCMGET: *(int *)argument = 0; return 0;
    case TIOCMSET:
    case TIOCMBIS:
    case TIOCMBIC: return 0;
    // A direct system call: umockdev's ioctl would look for one of its own devices here.
    default: return (int)syscall(SYS_ioctl, descriptor, request, argument);
    }
}

char *realpath(const char *path, char *resolved) {
    if (strncmp(path, "/dev/tty", 8) == 0) return resolved ? strcpy(resolved, path) : strdup(path);
    char *(*next)(const char *, char *) = (char *(*)(const char *, char *))dlsym(RTLD_NEXT, "realpath");
    return next(path, resolved);
}
