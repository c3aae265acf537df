// Properties that a V4L2 device reports: https://docs.kernel.org/userspace-api/media/v4l/v4l2.html
#ifndef CPOSIX_CAMERA_H
#define CPOSIX_CAMERA_H

#include <stdbool.h>
#include <stdint.h>

/// A camera's name, and whether it delivers frames at all: some cameras have a second device for metadata.
typedef struct {
    char name[33];
    char bus[33];
    bool captures;
} cposix_camera;

/// One format and size that a camera supports.
typedef struct {
    /// Four letters: MJPG, YUYV, ...
    char format[5];
    uint32_t width, height;
    /// The highest frame rate, frames per second; 0 if not reported.
    double rate;
} cposix_camera_mode;

/// Opens a device to query it, without disturbing the program that uses it. The descriptor, or -1 with errno.
int cposix_camera_open(const char *path);
/// 0, or -1 with errno.
int cposix_camera_describe(int descriptor, cposix_camera *camera);
/// The mode with the number `size` of the pixel format with the number `format`, both from 0. 1; 0 if there is no such size; -1
/// if there is no such format.
int cposix_camera_mode_at(int descriptor, uint32_t format, uint32_t size, cposix_camera_mode *mode);

/// The range of the camera's own zoom (V4L2_CID_ZOOM_ABSOLUTE), in units that the driver chooses.
typedef struct {
    int32_t low, high, step;
} cposix_camera_zoom;

/// 0; -1 with errno if the camera has no zoom, or one that programs cannot set.
int cposix_camera_zoom_range(int descriptor, cposix_camera_zoom *zoom);
/// 0, or -1 with errno.
int cposix_camera_zoom_read(int descriptor, int32_t *value);
/// 0, or -1 with errno.
int cposix_camera_zoom_write(int descriptor, int32_t value);

#endif
