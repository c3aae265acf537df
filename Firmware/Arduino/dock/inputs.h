// Buttons and other inputs, sampled every millisecond, and the battery, ten times a second.
#pragma once
#include <stdint.h>

struct Power {
    uint16_t millivolts;
    // 255: unknown.
    uint8_t percent;
    enum State : uint8_t { unknown = 0, discharging = 1, low = 4, critical = 5, external = 6 } state;
};

namespace inputs {
void begin();
void tick();
// Returns whether there is a new reading.
bool takePower(Power &power);
void light(bool isOn);
}  // namespace inputs
