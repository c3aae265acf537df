// The dock's messages to the host.
#include "dock.h"
#include "events.h"
#include "ticks.h"

namespace dock {
State state;
Axis pan(board::pan), tilt(board::tilt);
Settings settings = {{}, {}, 10, 0, 0, 60};
}  // namespace dock

namespace {
using namespace dock;
enum Type : uint8_t {
    motion = 0x80, power = 0x81, event = 0x82, acknowledge = 0x90, helloReply = 0xA1, timeReply = 0xA2, limits = 0xA3,
    parameterValue = 0xA4
};
enum Flag : uint16_t {
    torqueOn = 1 << 0, moving = 1 << 1, panLow = 1 << 2, panHigh = 1 << 3, tiltLow = 1 << 4, tiltHigh = 1 << 5, latched = 1 << 6,
    deadmanTripped = 1 << 7, homing = 1 << 8, lowBattery = 1 << 10, timeValid = 1 << 13, notGreeted = 1 << 14
};
// Battery, zoom, tracking button, buttons, emergency input, save. Bit 0 is off, because the pose is derived from the pulses, not
// measured.
constexpr uint32_t capabilities = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8;
constexpr uint16_t hostGone = 5000;

struct Reply {
    uint8_t type, a, b, c;
    uint32_t host, own;
};
Reply replies[16];
uint8_t first, count, sequence;
uint16_t sinceMotion, sincePower, edges;
bool isMotionDue, isPowerDue, hasPower;
Power newest;

void append(const Reply &reply) {
    // An answer without room is lost. The host repeats its request.
    if (count == 16) return;
    replies[(first + count++) % 16] = reply;
}

void writeHello(wire::Writer &writer) {
    writer.u8(1);
    writer.u32(capabilities);
    for (uint8_t part : board::version) writer.u8(part);
    writer.u16(board::hardware);
    writer.u32(store::number(0));
    writer.u32(store::number(1));
    static const char model[17] = DOCK_MODEL;
    for (uint8_t index = 0; index < 16; index++) writer.u8(model[index]);
    writer.u16(100);
    writer.u16(store::boots());
}

void writeLimits(wire::Writer &writer, uint8_t number) {
    const Limits &set = number == 0 ? pan.limits : tilt.limits;
    writer.u8(number);
    writer.i32(set.low);
    writer.i32(set.high);
    writer.u32(set.speed);
    writer.u32(set.acceleration);
    writer.u32(set.jerk);
}

int32_t value(uint8_t key) {
    return key == 1 ? settings.motionRate : key == 2 ? settings.panTrim : key == 3 ? settings.tiltTrim : settings.idleRelax;
}

void writeReply(wire::Writer &writer, const Reply &reply) {
    writer.begin(reply.type, sequence++);
    switch (reply.type) {
    case helloReply: return writeHello(writer);
    case limits: return writeLimits(writer, reply.a);
    case timeReply:
        writer.u32(reply.host);
        return writer.u32(reply.own);
    case parameterValue:
        writer.u8(reply.a);
        return writer.i32(value(reply.a));
    }
    writer.u8(reply.a);
    writer.u8(reply.b);
    writer.u8(reply.c);
}

uint16_t flags() {
    uint16_t flags = edges;
    if (state.torque != 0) flags |= torqueOn;
    if (pan.isMoving() || tilt.isMoving()) flags |= moving;
    if (state.isEmergencyStopped) flags |= latched;
    if (state.isDeadmanTripped) flags |= deadmanTripped;
    if (state.isHoming) flags |= homing;
    if (hasPower && (newest.state == Power::low || newest.state == Power::critical)) flags |= lowBattery;
    if (state.isTimeValid) flags |= timeValid;
    if (!state.isGreeted) flags |= notGreeted;
    return flags;
}

void writeMotion(wire::Writer &writer) {
    writer.begin(motion, sequence++);
    writer.u32(state.steppedAt);
    writer.i32(pan.reported);
    writer.i32(tilt.reported);
    writer.i32(pan.reportedRate);
    writer.i32(tilt.reportedRate);
    writer.u16(flags());
    writer.u8(state.sequence);
    writer.u8(0);
}

void writePower(wire::Writer &writer) {
    writer.begin(power, sequence++);
    writer.u16(newest.millivolts);
    writer.u16(0);
    writer.u8(newest.percent);
    writer.u8(newest.state);
    writer.u8(0);
}

void writeEvent(wire::Writer &writer, const events::Event &report) {
    writer.begin(event, sequence++);
    writer.u8(report.id);
    writer.u8(report.kind);
    writer.u16(report.value);
    writer.u32(report.at);
    if (report.lost != 0) writer.u8(report.lost);
}

// Reports once that an axis has reached a limit. It must leave the limit by a degree before the next report.
void note(uint16_t edge, int32_t distance, int16_t value) {
    if (distance > 1000) edges &= ~edge;
    else if (distance <= 100 && !(edges & edge)) {
        edges |= edge;
        if (state.torque != 0) events::raise(events::limit, value);
    }
}
}  // namespace

namespace dock {
void begin(int32_t panPlace, int32_t tiltPlace) {
    if (store::begin(settings)) {
        pan.narrow(settings.pan);
        tilt.narrow(settings.tilt);
        // A trim that leaves no range is ignored.
        if (!pan.setTrim(settings.panTrim)) settings.panTrim = 0;
        if (!tilt.setTrim(settings.tiltTrim)) settings.tiltTrim = 0;
    }
    pan.begin(panPlace + pan.trim);
    tilt.begin(tiltPlace + tilt.trim);
    answerHello();
}

void answer(const wire::Frame &frame, Result result) { append({acknowledge, frame.type, frame.sequence, result, 0, 0}); }
void answerHello() { append({helloReply, 0, 0, 0, 0, 0}); }
void answerTime(uint32_t host) { append({timeReply, 0, 0, 0, host, ticks::now()}); }
void answerLimits(uint8_t axis) { append({limits, axis, 0, 0, 0, 0}); }
void answerParameter(uint8_t key) { append({parameterValue, key, 0, 0, 0, 0}); }
bool hasAnswers() { return count > 0; }
void tellPowerSoon() { isPowerDue = hasPower; }

void tell(const Power &report) {
    if (!hasPower || newest.percent != report.percent || newest.state != report.state) isPowerDue = true;
    hasPower = true;
    newest = report;
}

void schedule(uint8_t passed) {
    sinceMotion += passed * settings.motionRate;
    if (sinceMotion >= 1000) {
        isMotionDue = true;
        // This keeps the rhythm and does not make up for missed reports.
        sinceMotion = sinceMotion >= 2000 ? 0 : sinceMotion - 1000;
    }
    sincePower += passed;
    if (sincePower >= 1000) {
        sincePower = 0;
        isPowerDue = hasPower;
    }
    events::pass(passed);
    note(panLow, pan.reported - pan.limits.low, 0);
    note(panHigh, pan.limits.high - pan.reported, 1);
    note(tiltLow, tilt.reported - tilt.limits.low, 0x100);
    note(tiltHigh, tilt.limits.high - tilt.reported, 0x101);
}

bool next(wire::Writer &writer) {
    const events::Event *due;
    if (count > 0) {
        Reply reply = replies[first];
        first = (first + 1) % 16;
        count--;
        writeReply(writer, reply);
    } else if (state.isGreeted && state.silence < hostGone && (due = events::takeDue()) != nullptr) {
        writeEvent(writer, *due);
    } else if (isPowerDue) {
        isPowerDue = false;
        sincePower = 0;
        writePower(writer);
    } else if (isMotionDue) {
        isMotionDue = false;
        writeMotion(writer);
    } else {
        return false;
    }
    writer.end();
    return true;
}
}  // namespace dock
