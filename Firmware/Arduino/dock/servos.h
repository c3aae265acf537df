// Two hobby servos on timer 1: 50 Hz, 500 to 2500 microseconds, by the timer alone.
#pragma once
#include <stdint.h>

namespace servos {
void begin();
// Positions of the servos in milli-degrees of the motors (without trim), and which of them get pulses (bit 0 pan, bit 1 tilt).
void aim(int32_t pan, int32_t tilt, uint8_t on);
// Called every millisecond. Passes a new pulse to the timer once per period.
void tick();
// Whether no pulse is in progress and none will follow.
bool areOff();
// Ends all pulses at once; for faults.
void cut();
}  // namespace servos
