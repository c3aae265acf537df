// What catches the firmware's own faults: hardware watchdog, unexpected interrupts, a stack that has grown into the data.
#pragma once

namespace guard {
// After this, `feed` must be called every 120 ms, or the chip starts anew, without pulses.
void begin();
void feed();
// Cuts the servos and lets the watchdog start the chip anew.
[[noreturn]] void fail();
}  // namespace guard
