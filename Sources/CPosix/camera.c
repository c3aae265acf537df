#include "camera.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

int cposix_camera_open(const char *path) { return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC); }

// Repeats the request if a signal interrupted it.
static int ask(int descriptor, unsigned long request, void *answer) {
    int result;
    do result = ioctl(descriptor, request, answer);
    while (result < 0 && errno == EINTR);
    return result;
}

int cposix_camera_describe(int descriptor, cposix_camera *camera) {
    struct v4l2_capability found = {0};
    if (ask(descriptor, VIDIOC_QUERYCAP, &found) < 0) return -1;
    memset(camera, 0, sizeof *camera);
    memcpy(camera->name, found.card, sizeof found.card);
    memcpy(camera->bus, found.bus_info, sizeof found.bus_info);
    // The capabilities of this device, if the driver distinguishes them from those of the whole camera.
    uint32_t abilities = found.capabilities & V4L2_CAP_DEVICE_CAPS ? found.device_caps : found.capabilities;
    camera->captures = (abilities & V4L2_CAP_VIDEO_CAPTURE) != 0;
    return 0;
}

// The highest frame rate, frames per second.
static double fastest(int descriptor, uint32_t format, uint32_t width, uint32_t height) {
    double best = 0;
    for (uint32_t index = 0; index < 64; index++) {
        struct v4l2_frmivalenum interval = {.index = index, .pixel_format = format, .width = width, .height = height};
        if (ask(descriptor, VIDIOC_ENUM_FRAMEINTERVALS, &interval) < 0) break;
        bool isDiscrete = interval.type == V4L2_FRMIVAL_TYPE_DISCRETE;
        struct v4l2_fract time = isDiscrete ? interval.discrete : interval.stepwise.min;
        if (time.numerator > 0 && (double)time.denominator / time.numerator > best) best = (double)time.denominator / time.numerator;
        if (!isDiscrete) break;
    }
    return best;
}

int cposix_camera_mode_at(int descriptor, uint32_t format, uint32_t size, cposix_camera_mode *mode) {
    struct v4l2_fmtdesc found = {.index = format, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    if (ask(descriptor, VIDIOC_ENUM_FMT, &found) < 0) return -1;
    struct v4l2_frmsizeenum place = {.index = size, .pixel_format = found.pixelformat};
    if (ask(descriptor, VIDIOC_ENUM_FRAMESIZES, &place) < 0) return 0;
    bool isDiscrete = place.type == V4L2_FRMSIZE_TYPE_DISCRETE;
    // A camera that supports any size is listed with its largest.
    if (!isDiscrete && size > 0) return 0;
    memset(mode, 0, sizeof *mode);
    memcpy(mode->format, &found.pixelformat, 4);
    mode->width = isDiscrete ? place.discrete.width : place.stepwise.max_width;
    mode->height = isDiscrete ? place.discrete.height : place.stepwise.max_height;
    mode->rate = fastest(descriptor, found.pixelformat, mode->width, mode->height);
    return 1;
}

int cposix_camera_zoom_range(int descriptor, cposix_camera_zoom *zoom) {
    struct v4l2_queryctrl found = {.id = V4L2_CID_ZOOM_ABSOLUTE};
    if (ask(descriptor, VIDIOC_QUERYCTRL, &found) < 0) return -1;
    if (found.flags & (V4L2_CTRL_FLAG_DISABLED | V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_WRITE_ONLY)) {
        errno = EINVAL;
        return -1;
    }
    *zoom = (cposix_camera_zoom){.low = found.minimum, .high = found.maximum, .step = found.step};
    return 0;
}

int cposix_camera_zoom_read(int descriptor, int32_t *value) {
    struct v4l2_control control = {.id = V4L2_CID_ZOOM_ABSOLUTE};
    if (ask(descriptor, VIDIOC_G_CTRL, &control) < 0) return -1;
    *value = control.value;
    return 0;
}

int cposix_camera_zoom_write(int descriptor, int32_t value) {
    struct v4l2_control control = {.id = V4L2_CID_ZOOM_ABSOLUTE, .value = value};
    return ask(descriptor, VIDIOC_S_CTRL, &control);
}
