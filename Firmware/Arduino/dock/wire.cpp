#include "wire.h"

namespace wire {
uint16_t crc(uint16_t before, uint8_t byte) {
    before ^= byte;
    for (uint8_t bit = 0; bit < 8; bit++) before = before & 1 ? before >> 1 ^ 0x8408 : before >> 1;
    return before;
}

void Writer::begin(uint8_t type, uint8_t sequence) {
    code = 0;
    next = 1;
    sum = 0xFFFF;
    u8(type);
    u8(sequence);
}

// Every zero is replaced by the distance to the next one. No run reaches 254 bytes, so COBS' full block does not occur.
void Writer::put(uint8_t byte) {
    if (byte == 0) {
        bytes[code] = next - code;
        code = next;
    } else {
        bytes[next] = byte;
    }
    next++;
}

void Writer::u8(uint8_t value) {
    // Room for the checksum and the closing zero.
    if (next > largestFrame - 4) return;
    sum = crc(sum, value);
    put(value);
}

void Writer::u16(uint16_t value) {
    u8(value);
    u8(value >> 8);
}

void Writer::u32(uint32_t value) {
    u16(value);
    u16(value >> 16);
}

void Writer::end() {
    put(sum);
    put(sum >> 8);
    bytes[code] = next - code;
    bytes[next] = 0;
    count = next + 1;
}

uint8_t Frame::u8() {
    if (length == 0) {
        isShort = true;
        return 0;
    }
    length--;
    return *body++;
}

uint16_t Frame::u16() {
    uint8_t low = u8();
    return low | (uint16_t)u8() << 8;
}

uint32_t Frame::u32() {
    uint16_t low = u16();
    return low | (uint32_t)u16() << 16;
}

bool Decoder::push(uint8_t byte, Frame &frame) {
    if (byte != 0) {
        if (count < sizeof run) run[count] = byte;
        if (count <= sizeof run) count++;
        return false;
    }
    uint16_t length = count;
    count = 0;
    // An empty run is legal: a host sends a zero to end older bytes on the line.
    return length >= 5 && length <= sizeof run && unstuff(length, frame);
}

bool Decoder::unstuff(uint8_t length, Frame &frame) {
    uint8_t end = run[0];
    uint16_t sum = 0xFFFF;
    for (uint8_t index = 1; index < length; index++) {
        uint8_t byte = run[index];
        if (index == end) {
            // The distances must end exactly after the run. A distance beyond it is an error.
            if (byte > length - index) return false;
            end += byte;
            byte = 0;
        }
        run[index - 1] = byte;
        if (index < length - 2) sum = crc(sum, byte);
    }
    if (end != length || sum != (run[length - 3] | (uint16_t)run[length - 2] << 8)) return false;
    frame = {run[0], run[1], run + 2, (uint8_t)(length - 5), false};
    return true;
}
}  // namespace wire
