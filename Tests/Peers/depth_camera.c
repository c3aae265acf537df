// An emulated depth camera for the real program: a shim between it and the C library that answers as a kernel's V4L2 would. Its
// pictures are a slope, in rows with gaps, and each has its time; now and then one is cut off.
//
//   LD_PRELOAD=depth_camera.so DEPTH_CAMERA=FILE dockface-depth send --depth-camera /dev/video9 ...
//
// FILE has the camera's state, and may change at any time: `ok`, `colour` (no depth), `metadata` (no pictures), `busy` (another
// program has it), `full` (no room on its bus), `silent` (no more pictures), `gone` (unplugged).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 640, HEIGHT = 480, STRIDE = 2 * WIDTH + 64, SIZE = STRIDE * HEIGHT, BUFFERS = 3, RATE = 30, PAGE = 4096 };
// A timer, so that it is readable when a picture is due.
static int camera = -1;
static unsigned queue[BUFFERS], queued, count;
static void *memory[BUFFERS];

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int refuse(int error) { return errno = error, -1; }

static int is_camera(const char *path) { return strcmp(path, "/dev/video9") == 0; }

static int is(const char *word) {
    char text[32] = "";
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int file = real(getenv("DEPTH_CAMERA"), O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    return got > 0 && strncmp(text, word, strlen(word)) == 0;
}

int stat(const char *restrict path, struct stat *restrict found) {
    REAL(stat);
    if (!is_camera(path)) return real(path, found);
    if (is("gone")) return refuse(ENOENT);
    *found = (struct stat){.st_mode = S_IFCHR | 0660, .st_rdev = makedev(81, 9)};
    return 0;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    if (!is_camera(path)) return real(path, flags, mode);
    if (is("gone")) return refuse(ENOENT);
    // The kernel wants both rights of a program that sets a format, and a program that waits must not block in a request.
    if ((flags & O_ACCMODE) != O_RDWR || !(flags & O_NONBLOCK)) return refuse(EINVAL);
    queued = count = 0;
    return camera = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
}

void *mmap(void *at, size_t size, int rights, int flags, int file, off_t offset) {
    REAL(mmap);
    if (file < 0 || file != camera) return real(at, size, rights, flags, file, offset);
    if (offset / PAGE >= count || flags != MAP_SHARED) return errno = EINVAL, MAP_FAILED;
    return memory[offset / PAGE] = real(NULL, size, rights | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int list(struct v4l2_fmtdesc *format) {
    static const uint32_t depth[] = {V4L2_PIX_FMT_GREY, V4L2_PIX_FMT_Z16}, colour[] = {V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_MJPEG};
    if (format->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || format->index > 1) return refuse(EINVAL);
    format->pixelformat = is("colour") ? colour[format->index] : depth[format->index];
    return 0;
}

static int set(struct v4l2_format *wanted) {
    if (is("busy")) return refuse(EBUSY);
    wanted->fmt.pix = (struct v4l2_pix_format){.width = WIDTH, .height = HEIGHT, .pixelformat = wanted->fmt.pix.pixelformat,
                                               .field = V4L2_FIELD_NONE, .bytesperline = STRIDE, .sizeimage = SIZE};
    return 0;
}

static int start(void) {
    if (is("full")) return refuse(ENOSPC);
    if (queued != count) return refuse(EINVAL);
    struct timespec pause = {.tv_nsec = 1000000000 / RATE};
    return timerfd_settime(camera, 0, &(struct itimerspec){pause, pause}, NULL);
}

/// A picture: 1000 at the left edge, and one more for each pixel to the right; the gaps are full of sevens.
static int give(struct v4l2_buffer *buffer) {
    static unsigned index;
    uint64_t due;
    if (read(camera, &due, sizeof due) != sizeof due || is("silent") || queued == 0) return refuse(EAGAIN);
    unsigned slot = queue[0];
    memmove(queue, queue + 1, sizeof queue[0] * --queued);
    for (int at = 0; at < SIZE / 2; at++) {
        int x = at % (STRIDE / 2);
        ((uint16_t *)memory[slot])[at] = x < WIDTH ? 1000 + x : 7;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *buffer = (struct v4l2_buffer){.index = slot, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP,
                                   .bytesused = ++index % 20 ? SIZE : 1000, .flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC,
                                   .timestamp = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000}};
    return 0;
}

static int answer(unsigned long request, void *argument) {
    struct v4l2_capability *found = argument;
    struct v4l2_requestbuffers *wanted = argument;
    struct v4l2_buffer *buffer = argument;
    if (is("gone")) return refuse(ENODEV);
    switch (request) {
    case VIDIOC_QUERYCAP:
        *found = (struct v4l2_capability){.capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING | V4L2_CAP_DEVICE_CAPS};
        found->device_caps = V4L2_CAP_STREAMING | (is("metadata") ? V4L2_CAP_META_CAPTURE : V4L2_CAP_VIDEO_CAPTURE);
        return 0;
    case VIDIOC_ENUM_FMT: return list(argument);
    case VIDIOC_S_FMT: return set(argument);
    case VIDIOC_S_PARM: return refuse(ENOTTY);
    case VIDIOC_REQBUFS:
        if (wanted->memory != V4L2_MEMORY_MMAP) return refuse(EINVAL);
        count = wanted->count = wanted->count < BUFFERS ? wanted->count : BUFFERS;
        return 0;
    case VIDIOC_QUERYBUF:
        if (buffer->index >= count) return refuse(EINVAL);
        buffer->length = (SIZE + PAGE - 1) / PAGE * PAGE;
        buffer->m.offset = buffer->index * PAGE;
        return 0;
    case VIDIOC_QBUF:
        if (buffer->index >= count || queued == count || buffer->memory != V4L2_MEMORY_MMAP) return refuse(EINVAL);
        queue[queued++] = buffer->index;
        return 0;
    case VIDIOC_STREAMON: return start();
    case VIDIOC_STREAMOFF: return queued = 0;
    case VIDIOC_DQBUF: return give(buffer);
    default: return refuse(ENOTTY);
    }
}

int ioctl(int file, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return file >= 0 && file == camera ? answer(request, argument) : real(file, request, argument);
}
