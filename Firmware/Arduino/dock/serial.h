// The line: 115200 baud, 8N1, by interrupts. What comes in waits in a ring of 128 bytes, what goes out in its frame.
#pragma once
#include <stdint.h>

namespace serial {
void begin();
// Whether a byte was there.
bool read(uint8_t &byte);
bool isIdle();
// Starts to send; the bytes must stay until the line is idle again.
void send(const uint8_t *bytes, uint8_t count);
}  // namespace serial
