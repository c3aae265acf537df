// The frames of DLP/1: COBS(type, sequence, body, CRC-16/MCRF4XX low byte first) 00. Independent of the board.
#pragma once
#include <stdint.h>

namespace wire {
constexpr uint8_t largestBody = 56, largestFrame = 62;

uint16_t crc(uint16_t before, uint8_t byte);

// An outgoing frame, stuffed while it is written. Bytes beyond the largest body are dropped.
struct Writer {
    uint8_t bytes[largestFrame];
    uint8_t count;

    void begin(uint8_t type, uint8_t sequence);
    void u8(uint8_t value);
    void u16(uint16_t value);
    void u32(uint32_t value);
    void i32(int32_t value) { u32((uint32_t)value); }
    void end();

private:
    uint8_t code, next;
    uint16_t sum;
    void put(uint8_t byte);
};

// A received frame. Reads past its end return zeros and set `isShort`.
struct Frame {
    uint8_t type, sequence;
    const uint8_t *body;
    uint8_t length;
    bool isShort;

    uint8_t u8();
    uint16_t u16();
    uint32_t u32();
    int32_t i32() { return (int32_t)u32(); }
};

// Finds frames in a stream. An invalid run of bytes is dropped as a whole, so garbage destroys at most the frame that it touches.
struct Decoder {
    uint8_t run[largestFrame - 1];
    uint16_t count;

    // Returns whether the byte completed a frame. Its body is in `run` until the next byte.
    bool push(uint8_t byte, Frame &frame);

private:
    bool unstuff(uint8_t length, Frame &frame);
};
}  // namespace wire
