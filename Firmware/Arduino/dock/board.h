// What a builder may change: pins, servos, supply. Everything else follows from it.
//
// Pins are those of an Uno or Nano (ATmega328P, 16 MHz). D9 and D10 are the two outputs of timer 1 and cannot be others.
#pragma once
#include <stdint.h>

// Milli-degrees, milli-degrees per second (squared, cubed). No message can widen these.
struct Limits {
    int32_t low, high;
    uint32_t speed, acceleration, jerk;
};

// A hobby servo: the pulse at 0 degrees and how much longer it is at +90 (negative: it turns the other way), microseconds.
struct Servo {
    int16_t center, perQuarterTurn;
};

namespace board {
constexpr Limits pan = {-85000, 85000, 120000, 400000, 12000000};
constexpr Limits tilt = {-30000, 60000, 90000, 400000, 12000000};
// 500 to 2500 us for 180 degrees, as most standard and micro servos have it.
// How far a servo is behind its pulse, milliseconds, at least 5: the dock reports where its servos are by now, and not where they are
// told to be. A host that sees them arrive too early swings.
constexpr uint8_t lag = 60;
constexpr Servo panServo = {1500, 1000}, tiltServo = {1500, 1000};

// Digital pins of port D: the encoder's two, two buttons, the tracking button; all close to ground.
constexpr uint8_t encoderA = 2, encoderB = 3, button0 = 4, button1 = 5, trackingButton = 6;
// Closed to ground while all is well, so that a broken wire stops the dock, too.
constexpr uint8_t emergency = 7;
// Transitions of the encoder from one detent to the next.
constexpr int8_t encoderSteps = 4;

// Analog pin A0 behind a divider of 30 and 10 kiloohms, against the 5 V of the board; a pack of two lithium cells.
constexpr uint16_t supplyMillivolts = 5000, divider = 4;
constexpr uint16_t fullMillivolts = 8200, emptyMillivolts = 6400;
// Below that there is no battery: the pin hangs on nothing but its resistor.
constexpr uint16_t leastMillivolts = 3000;

// At most 16 bytes; the revision of the board.
#define DOCK_MODEL "hobby dock AVR"
constexpr uint16_t hardware = 1;
constexpr uint8_t version[3] = {0, 2, 0};
}  // namespace board
