// Persistent data: the counter of boots, the dock's unique number, and the settings that SAVE stores.
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
// Counts this boot and reads everything. Returns false if nothing valid was stored; `settings` is then unchanged.
bool begin(Settings &settings);
uint16_t boots();
uint32_t number(uint8_t half);
// Starts to write. A byte takes 3.4 ms, and motion continues meanwhile.
void save(const Settings &settings);
// Writes the next byte, if there is one and the memory is ready.
void tick();
bool isWriting();
}  // namespace store
