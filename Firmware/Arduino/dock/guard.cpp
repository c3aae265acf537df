#include "guard.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "servos.h"

// The first byte after all variables, which the stack must never reach.
extern volatile uint8_t __heap_start;

namespace {
constexpr uint8_t mark = 0xC5;
}

// This comes first, because after a watchdog reset the watchdog keeps running with its shortest timeout.
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
