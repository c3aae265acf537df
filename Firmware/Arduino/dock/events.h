// Events that the host has not confirmed. It keeps the newest 8 and repeats each every 50 ms.
#pragma once
#include <stdint.h>

namespace events {
enum Kind : uint8_t { button = 1, zoom = 4, limit = 5, motionEnd = 7, fault = 8, trackingButton = 10 };

struct Event {
    uint8_t id, kind;
    int16_t value;
    uint32_t at;
    // Number of older events that were dropped before it.
    uint8_t lost;
    // Milliseconds until it is due.
    uint8_t due;
};

void raise(Kind kind, int16_t value);
void acknowledge(uint8_t id);
void pass(uint8_t milliseconds);
// Returns the oldest event that is due; it is due again after 50 ms. Null: none.
const Event *takeDue();
}  // namespace events
