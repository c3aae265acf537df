#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010  // since Linux 5.1
#endif

static int failed(int descriptor) {
    int reason = errno;
    close(descriptor);
    errno = reason;
    return -1;
}

int cposix_share_create(const char *name, size_t size, void **memory) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, (off_t)size) != 0) return failed(descriptor);
    void *place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (place == MAP_FAILED) return failed(descriptor);
    if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        int reason = errno;
        munmap(place, size);
        errno = reason;
        return failed(descriptor);
    }
    *memory = place;
    return descriptor;
}

int cposix_share_map(int descriptor, void **memory, size_t *size) {
    int seals = fcntl(descriptor, F_GET_SEALS);
    if (seals < 0) return -1;
    struct stat facts;
    if (fstat(descriptor, &facts) != 0) return -1;
    if (!(seals & F_SEAL_SHRINK) || facts.st_size <= 0) {
        errno = EPERM;
        return -1;
    }
    void *place = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (place == MAP_FAILED) return -1;
    *memory = place;
    *size = (size_t)facts.st_size;
    return 0;
}

typedef union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int) * cposix_most_descriptors)];
} control_room;

ssize_t cposix_send_with(int socket, const void *bytes, size_t size, const int *descriptors, int count) {
    if (count < 1 || count > cposix_most_descriptors || size == 0) {
        errno = EINVAL;
        return -1;
    }
    control_room room = {0};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes};
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
    memcpy(CMSG_DATA(head), descriptors, sizeof(int) * (size_t)count);
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t cposix_receive_with(int socket, void *bytes, size_t size, int *descriptors, int *count) {
    int room_left = *count, found = 0;
    *count = 0;
    control_room room = {0};
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    ssize_t received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (received < 0) return -1;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        size_t sent = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < sent; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(head) + index * sizeof(int), sizeof descriptor);
            if (found < room_left) {
                descriptors[found++] = descriptor;
            } else {
                close(descriptor);
            }
        }
    }
    *count = found;
    return received;
}

int cposix_bell_create(int *read_end, int *write_end) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return -1;
    // The reader has nothing to say.
    if (shutdown(ends[1], SHUT_RD) != 0) {
        int reason = errno;
        close(ends[0]);
        close(ends[1]);
        errno = reason;
        return -1;
    }
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

bool cposix_bell_ring(int write_end) {
    // One number at a time: a reader that slept finds one wake-up and not one for every picture. It looks at the newest picture
    // after it has read the number, so a number that is still there announces this picture, too.
    int waiting = 0;
    if (ioctl(write_end, SIOCOUTQ, &waiting) == 0 && waiting > 0) {
        struct pollfd reader = {.fd = write_end};
        return poll(&reader, 1, 0) == 0;  // POLLHUP: the reader is gone
    }
    const uint64_t one = 1;
    return send(write_end, &one, sizeof one, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof one || errno != EPIPE;
}
