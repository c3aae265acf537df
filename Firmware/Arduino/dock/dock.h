// A dock's behaviour: frames and inputs in, axis targets and frames out. It boots disarmed. Nothing moves before a HELLO with a
// common version and TORQUE on. A stop and the emergency stop are always accepted.
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
    // From the last accepted set-point.
    uint8_t mode, sequence;
    uint16_t deadman;
    // Milliseconds since any valid frame, since the last set-point, and since a rejection was answered. They saturate at 65535.
    uint16_t silence, sinceSetpoint, refusal;
    uint32_t steppedAt;
};

extern State state;
extern Axis pan, tilt;
extern Settings settings;

// Takes the servo positions from before the reset, in milli-degrees of the motors.
void begin(int32_t panPlace, int32_t tiltPlace);
void handle(wire::Frame &frame);
// Takes the elapsed milliseconds.
void tick(uint8_t passed);
void setEmergencyInput(bool isOpen);

// Motion: requests by messages or by the supervision.
Result refusalToArm();
Result refusalToMove();
void stop(bool atOnce);
void applySetpoint(wire::Frame &frame);
Result home();
void move(uint8_t passed);

// Reports: at most 16 answers wait in order. Everything else is built from the newest state when the line is free.
void answer(const wire::Frame &frame, Result result);
void answerHello();
void answerTime(uint32_t host);
void answerLimits(uint8_t axis);
void answerParameter(uint8_t key);
void schedule(uint8_t passed);
void tell(const Power &power);
void tellPowerSoon();
bool hasAnswers();
// Returns whether there was output.
bool next(wire::Writer &writer);
}  // namespace dock
