#include "ticks.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

namespace {
volatile uint32_t milliseconds;
volatile uint8_t waiting;
}  // namespace

ISR(TIMER2_COMPA_vect) {
    milliseconds++;
    if (waiting < 255) waiting++;
}

namespace ticks {
void begin() {
    // 16 MHz / 64 / 250
    TCCR2A = 1 << WGM21;
    TCCR2B = 1 << CS22;
    OCR2A = 249;
    TIMSK2 = 1 << OCIE2A;
}

uint32_t now() {
    uint32_t whole;
    uint8_t part;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        whole = milliseconds;
        part = TCNT2;
        // The counter may have wrapped before its interrupt was served.
        if (TIFR2 & 1 << OCF2A) {
            part = TCNT2;
            whole++;
        }
    }
    return whole * 1000 + (uint16_t)part * 4;
}

uint8_t take() {
    uint8_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        count = waiting;
        waiting = 0;
    }
    return count;
}
}  // namespace ticks
