// Memory that other processes may only read, and descriptors as part of a message on a Unix socket.
#ifndef CPOSIX_SHARE_H
#define CPOSIX_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// Creates shared memory of `size` bytes, close-on-exec, and maps it for writing. The descriptor, or -1 with errno. From then on
/// no process can map it for writing, write to it, or change its size, not even this one: the mapping is the only writer.
int cposix_share_create(const char *name, size_t size, void **memory);
/// Maps shared memory for reading. Its size is fixed by its seals, so a read can never fault; memory without them is rejected
/// with EPERM. 0, or -1 with errno.
int cposix_share_map(int descriptor, void **memory, size_t *size);

/// The most descriptors that travel with one message.
enum { cposix_most_descriptors = 4 };
/// Sends bytes together with descriptors, without waiting. `count`: 1 to `cposix_most_descriptors`. The number of bytes sent
/// (the descriptors went with the first of them), or -1 with errno.
ssize_t cposix_send_with(int socket, const void *bytes, size_t size, const int *descriptors, int count);
/// Receives bytes and the descriptors that came with them, close-on-exec, without waiting. `count` holds the room in
/// `descriptors`, then the number received; those beyond the room are closed. The number of bytes, 0 at the end, or -1 with errno.
ssize_t cposix_receive_with(int socket, void *bytes, size_t size, int *descriptors, int *count);

/// Rings a bell: makes its reader's end readable, as an eventfd is, by writing the number 1 in 8 bytes, unless it is already
/// readable. Never blocks, whatever the reader does. False if the reader is gone.
bool cposix_bell_ring(int write_end);
/// Creates a bell: a pair of sockets, both ends close-on-exec and non-blocking. 0, or -1 with errno.
///
/// It is neither an eventfd nor a pipe. Two processes share the flags of an eventfd, and the lock of a pipe, which a reader holds
/// while it copies to memory that may never answer. Either would let a reader block the daemon.
int cposix_bell_create(int *read_end, int *write_end);

#endif
