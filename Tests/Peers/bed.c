// A USB with emulated serial adapters: a umockdev test bed that runs the real program, with the real libserialport and
// libudev. Each adapter's line is connected to a simulated rig on a pseudo-terminal.
//
//   umockdev-wrapper bed MODEM_SHIM PROGRAM ARGUMENTS...
//
// Commands on descriptor 3, one per line, answered there with "ok":
//   add NAME CHAIN VENDOR PRODUCT SERIAL|- RIG   plug an adapter in: /dev/NAME at the chain of USB ports, rig on its line
//   remove NAME                                  pull it
//   quit                                         end the program and the test bed
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <umockdev.h>
#include <unistd.h>

enum { MOST = 8, SIZE = 512 };
static struct adapter {
    char name[64], chain[68];
    int line, rig;
} adapters[MOST];
static UMockdevTestbed *bed;

static void die(const char *what) {
    fprintf(stderr, "bed: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void must(gboolean done, GError *error) {
    if (done) return;
    fprintf(stderr, "bed: %s\n", error ? error->message : "refused");
    exit(2);
}

static void paths(const struct adapter *one, char *usb, char *interface, char *tty) {
    snprintf(usb, SIZE, "/sys/devices/pci0000:00/0000:00:14.0/usb1/%s", one->chain);
    snprintf(interface, SIZE, "/sys/devices/pci0000:00/0000:00:14.0/usb1/%s/%s:1.0", one->chain, one->chain);
    snprintf(tty, SIZE, "/sys/devices/pci0000:00/0000:00:14.0/usb1/%s/%s:1.0/tty/%s", one->chain, one->chain, one->name);
}

/// The path at which the program finds the device node.
static const char *place(char *node, const char *name) {
    char *root = umockdev_testbed_get_root_dir(bed);
    snprintf(node, SIZE, "%s/dev", root);
    mkdir(node, 0755);
    snprintf(node, SIZE, "%s/dev/%s", root, name);
    g_free(root);
    return node;
}

static void base(void) {
    GError *error = NULL;
    const char *text = "P: /devices/pci0000:00/0000:00:14.0\nE: SUBSYSTEM=pci\n\n"
                       "P: /devices/pci0000:00/0000:00:14.0/usb1\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\n"
                       "A: idVendor=1d6b\\n\nA: idProduct=0002\\n\nA: devpath=0\\n\n\n";
    must(umockdev_testbed_add_from_string(bed, text, &error), error);
}

static struct adapter *find(const char *name) {
    for (int index = 0; index < MOST; index++)
        if (strcmp(adapters[index].name, name) == 0) return &adapters[index];
    return NULL;
}

static void add(const char *name, const char *chain, const char *vendor, const char *product, const char *serial,
                const char *rig) {
    struct adapter *one = find("");
    if (one == NULL) die("too many adapters");
    snprintf(one->name, sizeof one->name, "%s", name);
    snprintf(one->chain, sizeof one->chain, "1-%s", chain);
    char usb[SIZE], interface[SIZE], tty[SIZE], text[4 * SIZE], number[128] = "";
    paths(one, usb, interface, tty);
    if (strcmp(serial, "-") != 0) snprintf(number, sizeof number, "A: serial=%s\\n\n", serial);
    static int minor = 0;
    snprintf(text, sizeof text,
             "P: %s\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\nA: idVendor=%s\\n\nA: idProduct=%s\\n\n%sA: devpath=%s\\n\n"
             "A: busnum=1\\n\nA: devnum=2\\n\n\nP: %s\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_interface\nA: bInterfaceNumber=00\\n\n\n"
             "P: %s\nE: SUBSYSTEM=tty\nE: DEVNAME=/dev/%s\nE: MAJOR=166\nE: MINOR=%d\nA: dev=166:%d\\n\nL: device=../../../%s:1.0\n",
             usb + 4, vendor, product, number, chain, interface + 4, tty + 4, name, minor, minor, one->chain);
    minor++;
    // The rig first: the program may open the port as soon as it is notified.
    one->rig = open(rig, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (one->rig < 0) die(rig);
    struct termios raw;
    if (tcgetattr(one->rig, &raw) == 0) {
        cfmakeraw(&raw);
        tcsetattr(one->rig, TCSANOW, &raw);
    }
    // We provide the device's end: umockdev's own cannot be used a second time for the same name.
    one->line = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (one->line < 0 || grantpt(one->line) != 0 || unlockpt(one->line) != 0) die("no line");
    if (tcgetattr(one->line, &raw) == 0) {
        cfmakeraw(&raw);
        tcsetattr(one->line, TCSANOW, &raw);
    }
    char node[SIZE];
    if (symlink(ptsname(one->line), place(node, name)) != 0) die(node);
    GError *error = NULL;
    must(umockdev_testbed_add_from_string(bed, text, &error), error);
}

static void pull(struct adapter *one) {
    char usb[SIZE], interface[SIZE], tty[SIZE], node[SIZE];
    paths(one, usb, interface, tty);
    unlink(place(node, one->name));
    close(one->line);
    umockdev_testbed_uevent(bed, tty, "remove");
    umockdev_testbed_remove_device(bed, tty);
    umockdev_testbed_remove_device(bed, interface);
    umockdev_testbed_remove_device(bed, usb);
    close(one->rig);
    memset(one, 0, sizeof *one);
}

static void copy(int from, int to) {
    char bytes[512];
    ssize_t count = read(from, bytes, sizeof bytes);
    if (count > 0 && write(to, bytes, (size_t)count) != count) fprintf(stderr, "bed: bytes lost\n");
}

static int obey(char *line) {
    char words[7][64];
    int count = sscanf(line, "%63s %63s %63s %63s %63s %63s %63s", words[0], words[1], words[2], words[3], words[4],
                       words[5], words[6]);
    struct adapter *one = count == 2 ? find(words[1]) : NULL;
    if (count == 7 && strcmp(words[0], "add") == 0) {
        add(words[1], words[2], words[3], words[4], words[5], words[6]);
    } else if (one != NULL && strcmp(words[0], "remove") == 0) {
        pull(one);
    } else if (strcmp(words[0], "quit") == 0) {
        return 0;
    } else {
        fprintf(stderr, "bed: unknown: %s\n", line);
        exit(2);
    }
    if (write(3, "ok\n", 3) != 3) die("answer");
    return 1;
}

int main(int count, char **words) {
    if (count < 3) return 64;
    bed = umockdev_testbed_new();
    base();
    char preload[1024];
    const char *before = getenv("LD_PRELOAD");
    // Before umockdev's own: calls that the shim answers must not reach it.
    snprintf(preload, sizeof preload, "%s:%s", words[1], before ? before : "");
    pid_t child = 0;
    char line[512];
    size_t length = 0;
    for (;;) {
        struct pollfd waits[1 + 2 * MOST];
        waits[0] = (struct pollfd){.fd = 3, .events = POLLIN};
        for (int index = 0; index < MOST; index++) {
            int live = adapters[index].name[0] != 0;
            waits[1 + 2 * index] = (struct pollfd){.fd = live ? adapters[index].line : -1, .events = POLLIN};
            waits[2 + 2 * index] = (struct pollfd){.fd = live ? adapters[index].rig : -1, .events = POLLIN};
        }
        // An unopened line reports a hang-up at once, so it is checked a thousand times a second instead.
        if (poll(waits, 1 + 2 * MOST, child ? 1000 : -1) < 0 && errno != EINTR) die("poll");
        for (int index = 0; index < MOST; index++) {
            if (waits[1 + 2 * index].revents & POLLIN) copy(adapters[index].line, adapters[index].rig);
            else if (waits[1 + 2 * index].revents & POLLHUP) usleep(1000);
            if (waits[2 + 2 * index].revents & POLLIN) copy(adapters[index].rig, adapters[index].line);
        }
        if (waits[0].revents == 0) continue;
        ssize_t got = read(3, line + length, sizeof line - 1 - length);
        if (got <= 0) break;
        length += (size_t)got;
        char *end;
        while ((end = memchr(line, '\n', length)) != NULL) {
            *end = 0;
            if (strcmp(line, "run") == 0) {
                child = fork();
                if (child == 0) {
                    setenv("LD_PRELOAD", preload, 1);
                    close(3);
                    execv(words[2], words + 2);
                    _exit(127);
                }
                if (write(3, "ok\n", 3) != 3) die("answer");
            } else if (!obey(line)) {
                goto over;
            }
            size_t used = (size_t)(end - line) + 1;
            memmove(line, end + 1, length - used);
            length -= used;
        }
    }
over:
    if (child > 0) {
        kill(child, SIGTERM);
        waitpid(child, NULL, 0);
    }
    g_object_unref(bed);
    return 0;
}
