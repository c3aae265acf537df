// Set-points, the deadman timer, and all other conditions that stop the dock by itself.
#include "dock.h"
#include "events.h"
#include "ticks.h"

namespace {
using namespace dock;
// Milliseconds: time without a set-point until the axes hold; silence of the host that ends homing (a host that waits for the end
// sends TIME_SYNC once a second); least time between two rejections.
constexpr uint16_t holdAfter = 5000, homingSilence = 1500, refusalPause = 500;
constexpr int32_t homingSpeed = 30000, fastest = 2000000;
constexpr uint8_t mostAtOnce = 20;

uint8_t unstepped;

void endHoming(bool isDone) {
    state.isHoming = false;
    state.sinceSetpoint = 0;
    events::raise(events::motionEnd, isDone ? 0 : 1);
}

void accept(uint8_t mode, const wire::Frame &frame) {
    state.mode = mode;
    state.sequence = frame.sequence;
    state.sinceSetpoint = 0;
    state.isHolding = false;
    state.isDeadmanTripped = false;
}

void refuse(const wire::Frame &frame, Result result) {
    if (state.hasRefused && state.refusal < refusalPause) return;
    state.hasRefused = true;
    state.refusal = 0;
    answer(frame, result);
}

void pursue(Axis &axis, uint8_t mode, int32_t position, int32_t rate) {
    if (mode == velocity) axis.pursueVelocity(rate);
    else axis.pursuePlace(position, mode == placeAhead ? rate : 0, fastest);
}

void add(uint16_t &age, uint8_t passed) { age = age > 65535 - passed ? 65535 : age + passed; }

// All conditions that stop the dock without a command.
void watch() {
    if (state.mode != idle && state.sinceSetpoint >= state.deadman) {
        // No host is there to stop it. The dock stops as fast as the motors can, even if the host has lowered the limits.
        stop(true);
        state.isDeadmanTripped = true;
    }
    if (state.isHoming) {
        if (state.silence < homingSilence) return;
        stop(true);
        state.isDeadmanTripped = true;
    } else if (state.torque != 0 && state.sinceSetpoint >= holdAfter && !state.isHolding && !pan.isMoving() && !tilt.isMoving()) {
        state.isHolding = true;
        pan.hold();
        tilt.hold();
    }
}
}  // namespace

namespace dock {
Result refusalToArm() {
    if (state.isVersionRefused) return version;
    if (state.isEmergencyStopped) return emergencyStop;
    return state.isGreeted ? ok : notArmed;
}

Result refusalToMove() {
    Result refusal = refusalToArm();
    return refusal != ok ? refusal : state.torque == 0 ? notArmed : ok;
}

void stop(bool atOnce) {
    if (state.isHoming) endHoming(false);
    state.mode = idle;
    pan.standStill(atOnce);
    tilt.standStill(atOnce);
}

void applySetpoint(wire::Frame &frame) {
    wire::Frame body = frame;
    uint8_t mode = body.u8();
    if (!body.isShort && mode > placeAhead) return answer(frame, range);
    uint8_t deadman = body.u8();
    int32_t panPlace = body.i32(), tiltPlace = body.i32(), panRate = body.i32(), tiltRate = body.i32();
    if (body.isShort) return answer(frame, badLength);
    if (mode == idle) {
        accept(idle, frame);
        return stop(false);
    }
    uint16_t patience = (deadman < 5 ? 5 : deadman > 100 ? 100 : deadman) * 10;
    // The first version of the message ended before the send time.
    uint32_t sent = body.length >= 4 ? body.u32() : 0;
    uint8_t flags = body.length >= 1 ? body.u8() : 0;
    if (state.isTimeValid && sent != 0) {
        int32_t age = (int32_t)(ticks::now() - sent);
        // A set-point that waited in a buffer, or has a time in the future, never moves the dock.
        if (age > patience * 1000L || age < -1000000) return;
    }
    Result refusal = refusalToMove();
    if (refusal == ok && state.isHoming && !(flags & 1)) refusal = busy;
    if (refusal != ok) return refuse(frame, refusal);
    if (state.isHoming) endHoming(false);
    accept(mode, frame);
    state.deadman = patience;
    if (state.torque & 1) pursue(pan, mode, panPlace, panRate);
    if (state.torque & 2) pursue(tilt, mode, tiltPlace, tiltRate);
}

Result home() {
    Result refusal = refusalToMove();
    if (refusal != ok) return refusal;
    state.isHoming = true;
    state.mode = idle;
    state.isDeadmanTripped = state.isHolding = false;
    state.sinceSetpoint = 0;
    if (state.torque & 1) pan.pursuePlace(0, 0, homingSpeed);
    if (state.torque & 2) tilt.pursuePlace(0, 0, homingSpeed);
    return ok;
}

void setEmergencyInput(bool isOpen) {
    state.isEmergencyInput = isOpen;
    if (!isOpen) return;
    state.isEmergencyStopped = true;
    stop(true);
}

void move(uint8_t passed) {
    // A late tick is not made up for.
    unstepped += passed < mostAtOnce ? passed : mostAtOnce;
    for (; unstepped >= Axis::stepMilliseconds; unstepped -= Axis::stepMilliseconds) {
        if (state.torque & 1) pan.step();
        else pan.letGo();
        if (state.torque & 2) tilt.step();
        else tilt.letGo();
        state.steppedAt = ticks::now();
    }
}

void tick(uint8_t passed) {
    add(state.silence, passed);
    add(state.sinceSetpoint, passed);
    add(state.refusal, passed);
    watch();
    move(passed);
    if (state.isHoming && (!(state.torque & 1) || pan.isSettled) && (!(state.torque & 2) || tilt.isSettled)) endHoming(true);
    schedule(passed);
}
}  // namespace dock
