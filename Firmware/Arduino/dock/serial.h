// The line: 115200 baud, 8N1, by interrupts. Input waits in a ring of 128 bytes, output in its frame.
#pragma once
#include <stdint.h>

namespace serial {
void begin();
// Returns whether there was a byte.
bool read(uint8_t &byte);
bool isIdle();
// Starts to send. The bytes must stay valid until the line is idle again.
void send(const uint8_t *bytes, uint8_t count);
}  // namespace serial
