// A dock's behaviour: frames and inputs in, axis targets and frames out. It boots disarmed; nothing moves before a HELLO with a
// common version and TORQUE on; a stop and the emergency stop are taken always.
#pragma once
#include <stdint.h>

#include "axis.h"
#include "inputs.h"
#include "store.h"
#include "wire.h"

namespace dock {
enum Result : uint8_t { ok = 0, badLength = 2, range = 3, version = 4, busy = 5, emergencyStop = 7, notArmed = 11 };
enum Mode : uint8_t { idle = 0, velocity = 1, place = 2, placeAhead = 3 };

struct State {
    bool isGreeted, isVersionRefused, isTimeValid;
    bool isEmergencyStopped, isEmergencyInput;
    bool isHoming, isHolding, isDeadmanTripped;
    bool hasRefused, wantsSave, wantsReboot;
    uint8_t torque;
    // Of the last set-point that was taken.
    uint8_t mode, sequence;
    uint16_t deadman;
    // Milliseconds since any good frame, since the last set-point, since one was answered with a refusal; they stop at 65535.
    uint16_t silence, sinceSetpoint, refusal;
    uint32_t steppedAt;
};

extern State state;
extern Axis pan, tilt;
extern Settings settings;

// Where the servos stood when the chip last ran, milli-degrees of the motors.
void begin(int32_t panPlace, int32_t tiltPlace);
void handle(wire::Frame &frame);
// Milliseconds that have passed.
void tick(uint8_t passed);
void setEmergencyInput(bool isOpen);

// Motion: what a message or a watch may ask for.
Result refusalToArm();
Result refusalToMove();
void stop(bool atOnce);
void take(wire::Frame &frame);
Result home();
void move(uint8_t passed);

// Reports: answers wait in order, at most 16; everything else is made of the newest state when the line is free.
void answer(const wire::Frame &frame, Result result);
void answerHello();
void answerTime(uint32_t host);
void answerLimits(uint8_t axis);
void answerParameter(uint8_t key);
void schedule(uint8_t passed);
void tell(const Power &power);
void tellPowerSoon();
bool hasAnswers();
// Whether there was something to say.
bool next(wire::Writer &writer);
}  // namespace dock
