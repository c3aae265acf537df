// What is kept without power: the counter of boots, the dock's own number, and what SAVE keeps.
#pragma once
#include <stdint.h>

#include "board.h"

struct Settings {
    // An acceleration of 0: never narrowed.
    Limits pan, tilt;
    uint8_t motionRate;
    int32_t panTrim, tiltTrim;
    uint16_t idleRelax;
};

namespace store {
// Counts this boot and reads everything. False: nothing was saved, or it cannot be trusted; `settings` is as it was then.
bool begin(Settings &settings);
uint16_t boots();
uint32_t number(uint8_t half);
// Begins to write; a byte takes 3.4 ms, and motion goes on meanwhile.
void save(const Settings &settings);
// Writes the next byte, if there is one and the memory is ready.
void tick();
bool isWriting();
}  // namespace store
