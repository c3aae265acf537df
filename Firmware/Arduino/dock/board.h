// Settings for a builder: pins, servos, supply. Everything else follows from them.
//
// Pins are those of an Uno or Nano (ATmega328P, 16 MHz). D9 and D10 are the two outputs of timer 1 and cannot be changed.
#pragma once
#include <stdint.h>

// Milli-degrees, milli-degrees per second (squared, cubed). No message can widen these.
struct Limits {
    int32_t low, high;
    uint32_t speed, acceleration, jerk;
};

// A hobby servo: the pulse at 0 degrees, and its increase up to +90 degrees (negative if the direction is reversed), microseconds.
struct Servo {
    int16_t center, perQuarterTurn;
};

namespace board {
constexpr Limits pan = {-85000, 85000, 120000, 400000, 12000000};
constexpr Limits tilt = {-30000, 60000, 90000, 400000, 12000000};
// Most standard and micro servos take 500 to 2500 us for 180 degrees.
// Lag of a servo behind its pulse, milliseconds, at least 5. The dock reports the present positions of its servos, not the
// commanded ones. If a host saw them arrive too early, the head would swing.
constexpr uint8_t lag = 60;
constexpr Servo panServo = {1500, 1000}, tiltServo = {1500, 1000};

// Digital pins of port D: two for the encoder, two buttons, the tracking button. All close to ground.
constexpr uint8_t encoderA = 2, encoderB = 3, button0 = 4, button1 = 5, trackingButton = 6;
// Closed to ground in normal operation, so that a broken wire also stops the dock.
constexpr uint8_t emergency = 7;
// Transitions of the encoder per detent.
constexpr int8_t encoderSteps = 4;

// Analog pin A0 behind a divider of 30 and 10 kiloohms, relative to the board's 5 V; a pack of two lithium cells.
constexpr uint16_t supplyMillivolts = 5000, divider = 4;
constexpr uint16_t fullMillivolts = 8200, emptyMillivolts = 6400;
// Below this voltage there is no battery, and the pin is connected to its resistor only.
constexpr uint16_t leastMillivolts = 3000;

// The model name has at most 16 bytes. Then the revision of the board.
#define DOCK_MODEL "hobby dock AVR"
constexpr uint16_t hardware = 1;
constexpr uint8_t version[3] = {0, 2, 0};
}  // namespace board
