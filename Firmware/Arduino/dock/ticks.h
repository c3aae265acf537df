// Time: timer 2 ticks 1000 times a second. Timer 0 is left to the Arduino core, and timer 1 makes the pulses.
#pragma once
#include <stdint.h>

namespace ticks {
void begin();
// Microseconds since boot, modulo 2^32.
uint32_t now();
// Milliseconds since the last call, at most 255.
uint8_t take();
}  // namespace ticks
