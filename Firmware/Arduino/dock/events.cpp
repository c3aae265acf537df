#include "events.h"

#include "ticks.h"

namespace {
constexpr uint8_t capacity = 8, repetition = 50;
events::Event entries[capacity];
uint8_t count, nextId;

void remove(uint8_t place) {
    count--;
    for (uint8_t index = place; index < count; index++) entries[index] = entries[index + 1];
}
}  // namespace

namespace events {
void raise(Kind kind, int16_t value) {
    uint8_t lost = 0;
    if (count == capacity) {
        // The new event takes over the removed one's count of losses.
        lost = entries[0].lost < 255 ? entries[0].lost + 1 : 255;
        remove(0);
    }
    entries[count++] = {nextId++, kind, value, ticks::now(), lost, 0};
}

void acknowledge(uint8_t id) {
    for (uint8_t index = 0; index < count; index++) {
        if (entries[index].id == id) return remove(index);
    }
}

void pass(uint8_t milliseconds) {
    for (uint8_t index = 0; index < count; index++) {
        Event &event = entries[index];
        event.due = event.due > milliseconds ? event.due - milliseconds : 0;
    }
}

const Event *takeDue() {
    for (uint8_t index = 0; index < count; index++) {
        Event &event = entries[index];
        if (event.due > 0) continue;
        event.due = repetition;
        return &event;
    }
    return nullptr;
}
}  // namespace events
