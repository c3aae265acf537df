// A pan/tilt dock of two hobby servos on an Uno or Nano that speaks DLP/1. Configure it in board.h; see docs/BUILD-A-DOCK.md.
//
// It has its own `main` and does not use the Arduino core's timers, serial ports or servo library.
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <stdint.h>

#include "dock.h"
#include "guard.h"
#include "inputs.h"
#include "serial.h"
#include "servos.h"
#include "store.h"
#include "ticks.h"
#include "wire.h"

// The servo positions across a reset. Most hosts reset an Uno when they open its port, and the first pulse afterwards must not jump
// to the middle. There are two copies, written alternately, because a reset may interrupt a write.
static struct Retained {
    int32_t pan, tilt;
    uint16_t sum;
} retained[2] __attribute__((section(".noinit")));

static wire::Decoder decoder;
static wire::Writer writer;

static uint16_t sum(const Retained &copy) {
    uint16_t sum = 0x1D0C;
    for (uint8_t index = 0; index < 8; index++) sum = wire::crc(sum, ((const uint8_t *)&copy)[index]);
    return sum;
}

static Retained remembered() {
    for (const Retained &copy : retained) {
        if (copy.sum == sum(copy)) return copy;
    }
    return {};
}

static void aim() {
    static Retained last;
    static bool isSecond;
    // After a pulse, so that a reboot does not cut one short, which would command a far position. The stored position stays the
    // last one.
    if (dock::state.wantsReboot) return servos::aim(last.pan, last.tilt, 0);
    Retained now = {dock::pan.position - dock::pan.trim, dock::tilt.position - dock::tilt.trim, 0};
    servos::aim(now.pan, now.tilt, dock::state.torque);
    if (now.pan == last.pan && now.tilt == last.tilt) return;
    last = now;
    now.sum = sum(now);
    retained[isSecond] = now;
    isSecond = !isSecond;
}

// Latched: blinks quickly. No handshake: blinks once a second. After the handshake: short flashes. With torque: on.
static bool isLit(uint16_t time) {
    if (dock::state.isEmergencyStopped) return time / 100 % 2 == 0;
    if (!dock::state.isGreeted) return time / 500 % 2 == 0;
    return dock::state.torque != 0 || time % 2000 < 50;
}

static void step(uint8_t passed) {
    static uint16_t time;
    time = (time + passed) % 2000;
    inputs::tick();
    dock::tick(passed);
    aim();
    servos::tick();
    Power power;
    if (inputs::takePower(power)) dock::tell(power);
    if (dock::state.wantsSave) {
        dock::state.wantsSave = false;
        store::save(dock::settings);
    }
    store::tick();
    inputs::light(isLit(time));
    guard::feed();
}

int main() {
    Retained place = remembered();
    servos::begin();
    ticks::begin();
    inputs::begin();
    // The line comes first: a new chip needs a second to draw its number, and a host may greet it meanwhile.
    serial::begin();
    sei();
    dock::begin(place.pan, place.tilt);
    guard::begin();
    ticks::take();
    for (;;) {
        uint8_t byte;
        wire::Frame frame;
        while (serial::read(byte)) {
            if (decoder.push(byte, frame)) dock::handle(frame);
        }
        if (uint8_t passed = ticks::take()) step(passed);
        if (serial::isIdle() && dock::next(writer)) serial::send(writer.bytes, writer.count);
        // The last byte leaves the line a tenth of a millisecond after the buffer is empty; the watchdog takes 15 ms.
        bool isQuiet = servos::areOff() && !dock::hasAnswers() && serial::isIdle() && !store::isWriting();
        if (dock::state.wantsReboot && isQuiet) guard::fail();
        set_sleep_mode(SLEEP_MODE_IDLE);
        sleep_mode();
    }
}
