// One axis: turns a goal into a position and a velocity that respect the limits at every step of 5 ms.
//
// The position of a hobby servo is not measured. The axis assumes that it follows its command with a lag, and reports that.
#pragma once
#include <stdint.h>

#include "board.h"

struct Axis {
    enum Goal : uint8_t { stand, velocity, place };
    static constexpr uint8_t stepMilliseconds = 5;
    // Inward speed while the axis is outside its limits, milli-degrees per second.
    static constexpr int32_t inwardSpeed = 10000;

    const Limits &compiled;
    // The limits that both sides allow and that SAVE stores; and those in force, reduced where the trim would take the motor
    // beyond.
    Limits agreed, limits;
    // Added to the motor's position.
    int32_t trim;
    int32_t position, rate;
    // The assumed position and speed of the servo.
    int32_t reported, reportedRate;
    // The goal position is reached.
    bool isSettled;

    explicit Axis(const Limits &all)
        : compiled(all), agreed(all), limits(all), trim(), position(), rate(), reported(), reportedRate(), isSettled(), goal(),
          isUrgent(), wish(), aim(), top(), rest(), aimRest(), reportedRest() {}

    // Narrows the limits to what both sides allow. If that is no range, returns false and changes nothing.
    bool narrow(const Limits &wanted);
    // Moves the zero of the reading, but not the axis. The limits apply to the reading, and the motor stays inside the compiled
    // limits. If that leaves no range, returns false and changes nothing.
    bool setTrim(int32_t wanted);
    // Slows down at the limit. With `atOnce`, uses the motor's full acceleration, and a gentle stop that follows does not soften
    // it.
    void standStill(bool atOnce);
    void pursueVelocity(int32_t velocity);
    // A goal position that advances with `ahead` and is approached with at most `top`.
    void pursuePlace(int32_t place, int32_t ahead, int32_t top);
    // Holds the axis where it is, even outside its limits.
    void hold();
    // Without torque the target follows the axis.
    void letGo();
    void begin(int32_t place);
    bool isMoving() const;
    void step();

private:
    Goal goal;
    bool isUrgent;
    int32_t wish, aim, top;
    // Fractions of a milli-degree.
    int16_t rest, aimRest, reportedRest;

    void restrict(const Limits &range);
    int32_t wanted();
    void advance();
    void follow();
};

int32_t clamp(int32_t value, int32_t low, int32_t high);
