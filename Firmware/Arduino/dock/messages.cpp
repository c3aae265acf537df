// The effect of each message from the host.
#include "dock.h"
#include "events.h"
#include "ticks.h"

namespace {
using namespace dock;
enum Type : uint8_t {
    hello = 0x01, timeSync = 0x02, getLimits = 0x03, setpoint = 0x10, setLimits = 0x11, eventAcknowledge = 0x12, parameter = 0x14,
    torque = 0x15, goHome = 0x16, save = 0x17, reboot = 0x18, emergency = 0x1F
};
constexpr uint32_t rebootMagic = 0x544F4F42;
constexpr int32_t largestTrim = 10000;

void greet(wire::Frame &frame, uint8_t lowest, uint8_t highest) {
    // A new session begins with a dock that stands still, whatever the previous session commanded.
    stop(false);
    state.isGreeted = lowest <= 1 && highest >= 1;
    state.isVersionRefused = !state.isGreeted;
    if (!state.isGreeted) return answer(frame, version);
    answerHello();
    tellPowerSoon();
}

Result narrow(uint8_t number, const Limits &wanted) {
    Axis &axis = number == 0 ? pan : tilt;
    if (!axis.narrow(wanted)) return range;
    (number == 0 ? settings.pan : settings.tilt) = axis.agreed;
    return ok;
}

bool change(uint8_t key, int32_t value) {
    switch (key) {
    case 1:
        if (value != clamp(value, 1, 100)) return false;
        settings.motionRate = value;
        return true;
    case 2:
    case 3:
        if (value != clamp(value, -largestTrim, largestTrim)) return false;
        if (!(key == 2 ? pan : tilt).setTrim(value)) return false;
        (key == 2 ? settings.panTrim : settings.tiltTrim) = value;
        return true;
    case 4:
        if (value != clamp(value, 0, 3600)) return false;
        settings.idleRelax = value;
        return true;
    }
    return false;
}

Result switchTorque(uint8_t mask, bool on) {
    if (!on) {
        state.torque &= ~mask;
        if (state.torque == 0) stop(false);
        return ok;
    }
    Result refusal = refusalToArm();
    if (refusal != ok) return refusal;
    // Only axes without torque are pinned. A moving one continues while its set-point is valid.
    if (mask & ~state.torque & 1) pan.letGo();
    if (mask & ~state.torque & 2) tilt.letGo();
    state.torque |= mask;
    if (state.mode == idle) state.sinceSetpoint = 0;
    state.isHolding = false;
    return ok;
}

Result clear() {
    if (state.isEmergencyInput) return emergencyStop;
    state.isEmergencyStopped = false;
    return ok;
}
}  // namespace

namespace dock {
void handle(wire::Frame &frame) {
    state.silence = 0;
    wire::Frame body = frame;
    uint8_t first = body.u8();
    bool isEmpty = body.isShort;
    switch (frame.type) {
    case hello: {
        uint8_t highest = body.u8();
        body.u16();
        return body.isShort ? answer(frame, badLength) : greet(frame, first, highest);
    }
    case timeSync: {
        uint32_t host = frame.u32();
        if (frame.isShort) return answer(frame, badLength);
        state.isTimeValid = true;
        return answerTime(host);
    }
    case setpoint: return applySetpoint(frame);
    case getLimits:
        if (isEmpty) return answer(frame, badLength);
        return first > 1 ? answer(frame, range) : answerLimits(first);
    case setLimits: {
        Limits wanted;
        wanted.low = body.i32();
        wanted.high = body.i32();
        wanted.speed = body.u32();
        wanted.acceleration = body.u32();
        wanted.jerk = body.u32();
        // The content is checked from the start, as far as it goes.
        if (!isEmpty && first > 1) return answer(frame, range);
        return answer(frame, body.isShort ? badLength : narrow(first, wanted));
    }
    case eventAcknowledge: return isEmpty ? answer(frame, badLength) : events::acknowledge(first);
    case parameter: {
        if (!isEmpty && first > 1) return answer(frame, range);
        uint8_t key = body.u8();
        int32_t value = body.i32();
        if (body.isShort) return answer(frame, badLength);
        if (key < 1 || key > 4 || (first == 1 && !change(key, value))) return answer(frame, range);
        return answerParameter(key);
    }
    case torque: {
        uint8_t on = body.u8();
        return answer(frame, body.isShort ? badLength : switchTorque(first & 3, on != 0));
    }
    case goHome: return answer(frame, home());
    case save:
        state.wantsSave = true;
        return answer(frame, ok);
    case reboot: {
        bool isMeant = frame.u32() == rebootMagic;
        if (frame.isShort) return answer(frame, badLength);
        state.wantsReboot = state.wantsReboot || isMeant;
        return answer(frame, isMeant ? ok : range);
    }
    case emergency:
        if (isEmpty) return answer(frame, badLength);
        if (first == 1) {
            state.isEmergencyStopped = true;
            stop(true);
            return answer(frame, ok);
        }
        return answer(frame, first == 2 ? clear() : range);
    }
    // Unknown types are ignored.
}
}  // namespace dock
