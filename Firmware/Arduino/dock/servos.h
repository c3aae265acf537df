// Two hobby servos on timer 1: 50 Hz, 500 to 2500 microseconds, made by the timer alone.
#pragma once
#include <stdint.h>

namespace servos {
void begin();
// What the servos are to do: milli-degrees of the motors (without trim), and which get pulses (bit 0 pan, bit 1 tilt).
void aim(int32_t pan, int32_t tilt, uint8_t on);
// Called every millisecond: hands a new pulse to the timer once a period.
void tick();
// No pulse is on its way, and none will come.
bool areOff();
// No pulse any more, from this moment on; for faults.
void cut();
}  // namespace servos
