// Pictures of a video device of the kernel (V4L2) in mapped memory, as far as a depth camera needs that. Swift can import neither the
// macros nor the unions of this interface. All functions set errno.
#ifndef CDEPTHCAMERA_H
#define CDEPTHCAMERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a device lays out its pictures. Formats are four characters, the first one in the lowest byte.
typedef struct {
    uint32_t format;
    /// In pixels.
    uint32_t width, height;
    /// The bytes from one row to the next. A driver may leave it 0.
    uint32_t stride;
} cdepth_shape;

/// A picture in one of the device's buffers, until the buffer is queued again.
typedef struct {
    /// The number of the buffer.
    uint32_t index;
    /// The bytes that were written.
    uint32_t used;
    /// When it was exposed, in seconds, and whether that is CLOCK_MONOTONIC.
    double time;
    bool is_monotonic;
    /// Whether the device says that it is damaged.
    bool is_damaged;
} cdepth_picture;

/// Whether a device delivers pictures into mapped memory: 1 or 0; -1 if it is no video device (ENOTTY), or is gone.
int cdepth_ask_captures(int descriptor);
/// Asks for one of the formats of a device, from number 0 on. 0, or -1 after the last one (EINVAL).
int cdepth_ask_format(int descriptor, uint32_t number, uint32_t *format);
/// Sets format and size, and changes them to what the device will really deliver. 0, or -1 (EBUSY: another program uses it).
int cdepth_set_shape(int descriptor, cdepth_shape *shape);
/// Asks for a number of pictures in a second. A device may ignore it. 0, or -1.
int cdepth_set_rate(int descriptor, uint32_t rate);
/// Creates buffers, or with 0 destroys them. The number that the device has created, or -1.
int cdepth_request_buffers(int descriptor, uint32_t count);
/// Maps a buffer for reading. Its memory and the number of its bytes, or NULL.
const void *cdepth_map_buffer(int descriptor, uint32_t index, size_t *size);
/// Undoes the mapping.
void cdepth_unmap_buffer(const void *memory, size_t size);
/// Gives a buffer to the device, which will fill it. 0, or -1.
int cdepth_queue_buffer(int descriptor, uint32_t index);
/// Takes the oldest filled buffer from the device. 0, or -1 (EAGAIN: there is none yet; ENODEV: the device is gone).
int cdepth_take_buffer(int descriptor, cdepth_picture *picture);
/// Begins and ends the stream. 0, or -1.
int cdepth_start(int descriptor);
int cdepth_stop(int descriptor);

#endif
