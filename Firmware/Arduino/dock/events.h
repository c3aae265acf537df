// Events that the host has not confirmed: at most 8, each sent again every 50 ms, the newest kept.
#pragma once
#include <stdint.h>

namespace events {
enum Kind : uint8_t { button = 1, zoom = 4, limit = 5, motionEnd = 7, fault = 8, trackingButton = 10 };

struct Event {
    uint8_t id, kind;
    int16_t value;
    uint32_t at;
    // Older ones that were thrown away before it.
    uint8_t lost;
    // Milliseconds until it is due.
    uint8_t due;
};

void raise(Kind kind, int16_t value);
void acknowledge(uint8_t id);
void pass(uint8_t milliseconds);
// One that is due, and then not again for 50 ms; they take turns. Null: none.
const Event *takeDue();
}  // namespace events
