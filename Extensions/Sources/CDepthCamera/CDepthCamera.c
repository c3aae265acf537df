#include "CDepthCamera.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

// Repeats a request that a signal has interrupted.
static int ask(int descriptor, unsigned long request, void *answer) {
    int result;
    do result = ioctl(descriptor, request, answer);
    while (result < 0 && errno == EINTR);
    return result;
}

int cdepth_ask_captures(int descriptor) {
    struct v4l2_capability found = {0};
    if (ask(descriptor, VIDIOC_QUERYCAP, &found) < 0) return -1;
    // The abilities of this device, if the driver distinguishes them from those of the whole camera.
    uint32_t abilities = found.capabilities & V4L2_CAP_DEVICE_CAPS ? found.device_caps : found.capabilities;
    return (abilities & V4L2_CAP_VIDEO_CAPTURE) && (abilities & V4L2_CAP_STREAMING);
}

int cdepth_ask_format(int descriptor, uint32_t number, uint32_t *format) {
    struct v4l2_fmtdesc found = {.index = number, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    if (ask(descriptor, VIDIOC_ENUM_FMT, &found) < 0) return -1;
    *format = found.pixelformat;
    return 0;
}

int cdepth_set_shape(int descriptor, cdepth_shape *shape) {
    struct v4l2_format wanted = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    wanted.fmt.pix.width = shape->width;
    wanted.fmt.pix.height = shape->height;
    wanted.fmt.pix.pixelformat = shape->format;
    wanted.fmt.pix.field = V4L2_FIELD_NONE;
    if (ask(descriptor, VIDIOC_S_FMT, &wanted) < 0) return -1;
    *shape = (cdepth_shape){
        .format = wanted.fmt.pix.pixelformat,
        .width = wanted.fmt.pix.width,
        .height = wanted.fmt.pix.height,
        .stride = wanted.fmt.pix.bytesperline,
    };
    return 0;
}

int cdepth_set_rate(int descriptor, uint32_t rate) {
    struct v4l2_streamparm wanted = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    wanted.parm.capture.timeperframe = (struct v4l2_fract){.numerator = 1, .denominator = rate};
    return ask(descriptor, VIDIOC_S_PARM, &wanted) < 0 ? -1 : 0;
}

int cdepth_request_buffers(int descriptor, uint32_t count) {
    struct v4l2_requestbuffers wanted = {.count = count, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    return ask(descriptor, VIDIOC_REQBUFS, &wanted) < 0 ? -1 : (int)wanted.count;
}

static struct v4l2_buffer buffer_at(uint32_t index) {
    return (struct v4l2_buffer){.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
}

const void *cdepth_map_buffer(int descriptor, uint32_t index, size_t *size) {
    struct v4l2_buffer buffer = buffer_at(index);
    if (ask(descriptor, VIDIOC_QUERYBUF, &buffer) < 0) return NULL;
    void *memory = mmap(NULL, buffer.length, PROT_READ, MAP_SHARED, descriptor, buffer.m.offset);
    if (memory == MAP_FAILED) return NULL;
    *size = buffer.length;
    return memory;
}

void cdepth_unmap_buffer(const void *memory, size_t size) { munmap((void *)memory, size); }

int cdepth_queue_buffer(int descriptor, uint32_t index) {
    struct v4l2_buffer buffer = buffer_at(index);
    return ask(descriptor, VIDIOC_QBUF, &buffer) < 0 ? -1 : 0;
}

int cdepth_take_buffer(int descriptor, cdepth_picture *picture) {
    struct v4l2_buffer buffer = buffer_at(0);
    if (ask(descriptor, VIDIOC_DQBUF, &buffer) < 0) return -1;
    *picture = (cdepth_picture){
        .index = buffer.index,
        .used = buffer.bytesused,
        .time = (double)buffer.timestamp.tv_sec + (double)buffer.timestamp.tv_usec / 1e6,
        .is_monotonic = (buffer.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC,
        .is_damaged = (buffer.flags & V4L2_BUF_FLAG_ERROR) != 0,
    };
    return 0;
}

int cdepth_start(int descriptor) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    return ask(descriptor, VIDIOC_STREAMON, &type) < 0 ? -1 : 0;
}

int cdepth_stop(int descriptor) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    return ask(descriptor, VIDIOC_STREAMOFF, &type) < 0 ? -1 : 0;
}
