// The frames of DLP/1: COBS(type, sequence, body, CRC-16/MCRF4XX low byte first) 00. No board in it.
#pragma once
#include <stdint.h>

namespace wire {
constexpr uint8_t largestBody = 56, largestFrame = 62;

uint16_t crc(uint16_t before, uint8_t byte);

// A frame on its way out, stuffed while it is written; bytes beyond the largest body are left out.
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

// A frame that came in. Whoever reads past its end gets zeros and `isShort`.
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

// Finds frames in a stream. A run of bytes that is none is dropped whole, so garbage costs at most the frame it touches.
struct Decoder {
    uint8_t run[largestFrame - 1];
    uint16_t count;

    // Whether the byte completed a frame; its body stands in `run` until the next byte.
    bool push(uint8_t byte, Frame &frame);

private:
    bool unstuff(uint8_t length, Frame &frame);
};
}  // namespace wire
