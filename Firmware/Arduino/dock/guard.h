// Protection against the firmware's own faults: watchdog, unexpected interrupts, a stack that grows into the data.
#pragma once

namespace guard {
// After this, `feed` must be called every 120 ms. Otherwise the chip resets and gives no pulses.
void begin();
void feed();
// Cuts the servos' pulses and lets the watchdog reset the chip.
[[noreturn]] void fail();
}  // namespace guard
