// What a pseudo-terminal lacks of a serial port: modem lines (libserialport asks for them when it opens a port), and a name of
// its own: the test bed's /dev/ttyACM0 is a link, a kernel's is none.
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
    // Not the next ioctl in line: umockdev's own would look for a device of its own here.
    default: return (int)syscall(SYS_ioctl, descriptor, request, argument);
    }
}

char *realpath(const char *path, char *resolved) {
    if (strncmp(path, "/dev/tty", 8) == 0) return resolved ? strcpy(resolved, path) : strdup(path);
    char *(*next)(const char *, char *) = (char *(*)(const char *, char *))dlsym(RTLD_NEXT, "realpath");
    return next(path, resolved);
}
