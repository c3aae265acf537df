// An emulated webcam for the real ffmpeg and the real program: a shim between them and the C library that answers as a kernel's
// V4L2 would. A bright square moves over a dark image, and each frame has its time.
//
//   LD_PRELOAD=webcam.so WEBCAM=FOLDER ffmpeg -f v4l2 -i /dev/video0 ...
//
// FOLDER/dev stands for /dev. FOLDER/state is the camera's state, and may change at any time: `ok`, `realtime` (its times are on
// another clock), `busy` (another program has it), `silent` (no more frames), `gone` (unplugged).
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 640, HEIGHT = 480, SIZE = WIDTH * HEIGHT * 2, BUFFERS = 4, RATE = 30, METADATA = 1 };
static int camera = -1, metadata = -1;
static unsigned queue[BUFFERS], queued, count;
static struct timespec next;

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static const char *place(const char *name) {
    static _Thread_local char path[512];
    const char *folder = getenv("WEBCAM");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "/nonexistent", name);
    return path;
}

static int is(const char *word) {
    char text[32] = "";
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int file = real(place("state"), O_RDONLY | O_CLOEXEC);
    if (file < 0) return strcmp(word, "gone") == 0;
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    return got > 0 && strncmp(text, word, strlen(word)) == 0;
}

static int number(const char *path) { return strncmp(path, "/dev/video", 10) == 0 ? atoi(path + 10) : -1; }

static int open_camera(int which) {
    if (which > METADATA || is("gone")) return errno = ENOENT, -1;
    int file = memfd_create("webcam", MFD_CLOEXEC);
    if (which == METADATA) return metadata = file;
    if (ftruncate(file, BUFFERS * SIZE) < 0) return -1;
    queued = count = 0;
    return camera = file;
}

#define OPEN(name)                                                          \
    int name(const char *path, int flags, ...) {                            \
        va_list rest;                                                       \
        va_start(rest, flags);                                              \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                       \
        if (number(path) >= 0) return open_camera(number(path));            \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);      \
        return real(path, flags, mode);                                     \
    }
OPEN(open)
OPEN(open64)

int access(const char *path, int mode) {
    REAL(access);
    if (number(path) < 0) return real(path, mode);
    return is("gone") ? (errno = ENOENT, -1) : 0;
}

DIR *opendir(const char *path) {
    REAL(opendir);
    if (strcmp(path, "/dev") == 0) return real(place("dev"));
    if (strcmp(path, "/dev/v4l/by-id") == 0) return real(place("dev/v4l/by-id"));
    return real(path);
}

char *realpath(const char *restrict path, char *restrict to) {
    REAL(realpath);
    if (strncmp(path, "/dev/v4l/by-id/", 15) == 0) return strcpy(to, "/dev/video0");
    return real(path, to);
}

static int refuse(int error) { return errno = error, -1; }

/// A frame: dark, with a bright square that moves to the right.
static void draw(unsigned char *picture, unsigned index) {
    unsigned left = index * 4 % (WIDTH - 64);
    for (int at = 0; at < SIZE; at += 2) {
        unsigned x = at / 2 % WIDTH, y = at / 2 / WIDTH;
        picture[at] = x >= left && x < left + 64 && y >= 200 && y < 264 ? 235 : 16;
        picture[at + 1] = 128;
    }
}

static int give(struct v4l2_buffer *buffer) {
    static unsigned index;
    // A frame needs a free buffer. This wait always ends, because ffmpeg returns its buffers.
    while (is("silent") || queued == 0) {
        if (is("gone")) return refuse(ENODEV);
        usleep(20000);
    }
    if (is("gone")) return refuse(ENODEV);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    next = now;
    next.tv_nsec += 1000000000 / RATE;
    if (next.tv_nsec >= 1000000000) next.tv_sec++, next.tv_nsec -= 1000000000;
    if (is("realtime")) clock_gettime(CLOCK_REALTIME, &now);
    unsigned slot = queue[0];
    memmove(queue, queue + 1, sizeof queue[0] * --queued);
    unsigned char *picture = mmap(NULL, SIZE, PROT_WRITE, MAP_SHARED, camera, (off_t)slot * SIZE);
    if (picture == MAP_FAILED) return -1;
    draw(picture, index);
    munmap(picture, SIZE);
    *buffer = (struct v4l2_buffer){.index = slot, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP, .bytesused = SIZE,
                                   .flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC, .sequence = index++, .length = SIZE,
                                   .timestamp = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000}, .m.offset = slot * SIZE};
    return 0;
}

static int format(struct v4l2_format *wanted) {
    if (is("busy")) return refuse(EBUSY);
    wanted->fmt.pix = (struct v4l2_pix_format){.width = WIDTH, .height = HEIGHT, .pixelformat = V4L2_PIX_FMT_YUYV, .field = V4L2_FIELD_NONE,
                                               .bytesperline = WIDTH * 2, .sizeimage = SIZE};
    return 0;
}

static int describe(int file, struct v4l2_capability *found) {
    *found = (struct v4l2_capability){.driver = "uvcvideo", .card = "Emulated webcam\a", .bus_info = "usb-0000:00:14.0-1"};
    found->capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING | V4L2_CAP_DEVICE_CAPS;
    found->device_caps = file == metadata ? V4L2_CAP_META_CAPTURE : V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    return 0;
}

/// YUYV in two sizes, and MJPG in any size up to a maximum.
static int list(unsigned long request, void *argument) {
    struct v4l2_fmtdesc *kind = argument;
    struct v4l2_frmsizeenum *size = argument;
    struct v4l2_frmivalenum *time = argument;
    switch (request) {
    case VIDIOC_ENUM_FMT:
        if (kind->index > 1) return refuse(EINVAL);
        kind->pixelformat = kind->index ? V4L2_PIX_FMT_MJPEG : V4L2_PIX_FMT_YUYV;
        return 0;
    case VIDIOC_ENUM_FRAMESIZES:
        if (size->index > (size->pixel_format == V4L2_PIX_FMT_YUYV)) return refuse(EINVAL);
        if (size->pixel_format == V4L2_PIX_FMT_YUYV) {
            size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
            size->discrete = (struct v4l2_frmsize_discrete){WIDTH >> size->index, HEIGHT >> size->index};
        } else {
            size->type = V4L2_FRMSIZE_TYPE_STEPWISE;
            size->stepwise = (struct v4l2_frmsize_stepwise){160, 1920, 16, 120, 1080, 8};
        }
        return 0;
    default:
        if (time->index > 1) return refuse(EINVAL);
        time->type = V4L2_FRMIVAL_TYPE_DISCRETE;
        time->discrete = (struct v4l2_fract){1, time->index ? RATE : 15};
        return 0;
    }
}

static int answer(int file, unsigned long request, void *argument) {
    struct v4l2_buffer *buffer = argument;
    struct v4l2_requestbuffers *wanted = argument;
    struct v4l2_streamparm *parameters = argument;
    struct v4l2_input *input = argument;
    if (is("gone")) return refuse(ENODEV);
    switch (request) {
    case VIDIOC_QUERYCAP: return describe(file, argument);
    case VIDIOC_ENUM_FMT:
    case VIDIOC_ENUM_FRAMESIZES:
    case VIDIOC_ENUM_FRAMEINTERVALS: return list(request, argument);
    case VIDIOC_G_INPUT: return *(int *)argument = 0;
    case VIDIOC_ENUMINPUT:
        if (input->index > 0) return refuse(EINVAL);
        *input = (struct v4l2_input){.name = "Camera 1", .type = V4L2_INPUT_TYPE_CAMERA};
        return 0;
    case VIDIOC_G_FMT:
    case VIDIOC_TRY_FMT:
    case VIDIOC_S_FMT: return format(argument);
    case VIDIOC_G_PARM:
    case VIDIOC_S_PARM:
        parameters->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
        parameters->parm.capture.timeperframe = (struct v4l2_fract){1, RATE};
        return 0;
    case VIDIOC_REQBUFS:
        count = wanted->count = wanted->count < BUFFERS ? wanted->count : BUFFERS;
        return 0;
    case VIDIOC_QUERYBUF:
        if (buffer->index >= count) return refuse(EINVAL);
        buffer->length = SIZE;
        buffer->m.offset = buffer->index * SIZE;
        return 0;
    case VIDIOC_QBUF:
        if (buffer->index >= count || queued == BUFFERS) return refuse(EINVAL);
        queue[queued++] = buffer->index;
        return 0;
    case VIDIOC_STREAMON: return clock_gettime(CLOCK_MONOTONIC, &next);
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
    return file >= 0 && (file == camera || file == metadata) ? answer(file, request, argument) : real(file, request, argument);
}
