#include "guard.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "servos.h"

// The first byte behind all variables, where the stack must never come.
extern volatile uint8_t __heap_start;

namespace {
constexpr uint8_t mark = 0xC5;
}

// Before anything else: behind a reset by the watchdog it goes on with its shortest time.
extern "C" void stopWatchdog() __attribute__((naked, used, section(".init3")));
void stopWatchdog() {
    MCUSR = 0;
    wdt_disable();
}

ISR(BADISR_vect) { guard::fail(); }

namespace guard {
void begin() {
    __heap_start = mark;
    wdt_enable(WDTO_120MS);
}

void feed() {
    if (__heap_start != mark) fail();
    wdt_reset();
}

void fail() {
    cli();
    servos::cut();
    wdt_enable(WDTO_15MS);
    for (;;) {}
}
}  // namespace guard
