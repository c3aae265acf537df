// One axis: from a goal to a position and a velocity that keep to the limits at every step of 5 ms.
//
// Nothing measures a hobby servo. It is taken to follow what it is told a little later; that is what is reported.
#pragma once
#include <stdint.h>

#include "board.h"

struct Axis {
    enum Goal : uint8_t { stand, velocity, place };
    static constexpr uint8_t stepMilliseconds = 5;
    // Toward the inside while the axis is outside its limits, milli-degrees per second.
    static constexpr int32_t inwardSpeed = 10000;

    const Limits &compiled;
    // What both sides allow, and SAVE keeps; and in force: the same without what the trim would take the motor beyond.
    Limits agreed, limits;
    // Added to the motor's place.
    int32_t trim;
    int32_t position, rate;
    // Where the servo is taken to be by now, and how fast.
    int32_t reported, reportedRate;
    // The place is reached.
    bool isSettled;

    explicit Axis(const Limits &all)
        : compiled(all), agreed(all), limits(all), trim(), position(), rate(), reported(), reportedRate(), isSettled(), goal(),
          isUrgent(), wish(), aim(), top(), rest(), aimRest(), reportedRest() {}

    // Narrows the limits to what both sides allow; false, and nothing happens, if that is no range.
    bool narrow(const Limits &wanted);
    // Moves the reading's zero, and not the axis; the limits are of the reading, and the motor stays inside what is compiled in.
    // False, and nothing happens, if that leaves no range.
    bool setTrim(int32_t wanted);
    // Slows down at the limit; `atOnce`: at the motor's full acceleration, and a gentle stop that follows does not soften it.
    void standStill(bool atOnce);
    void pursueVelocity(int32_t velocity);
    // A place that moves on by itself with `ahead`, approached with at most `top`.
    void pursuePlace(int32_t place, int32_t ahead, int32_t top);
    // Pins the axis to where it stands, outside its limits too.
    void hold();
    // Without torque the target is where the axis is.
    void letGo();
    void begin(int32_t place);
    bool isMoving() const;
    void step();

private:
    Goal goal;
    bool isUrgent;
    int32_t wish, aim, top;
    // What does not make a whole milli-degree yet.
    int16_t rest, aimRest, reportedRest;

    void restrict(const Limits &range);
    int32_t wanted();
    void advance();
    void follow();
};

int32_t clamp(int32_t value, int32_t low, int32_t high);
