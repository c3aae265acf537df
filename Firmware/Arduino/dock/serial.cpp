#include "serial.h"

#include <avr/interrupt.h>
#include <avr/io.h>

namespace {
volatile uint8_t ring[128];
volatile uint8_t head, tail;
const uint8_t *volatile rest;
volatile uint8_t left;
}  // namespace

ISR(USART_RX_vect) {
    uint8_t byte = UDR0;
    uint8_t next = (head + 1) % sizeof ring;
    // A byte without room is lost, and the checksum then rejects its frame.
    if (next == tail) return;
    ring[head] = byte;
    head = next;
}

ISR(USART_UDRE_vect) {
    if (left == 0) {
        UCSR0B &= ~(1 << UDRIE0);
        return;
    }
    UDR0 = *rest;
    rest = rest + 1;
    left--;
}

namespace serial {
void begin() {
    UCSR0A = 1 << U2X0;
    // 117647 baud: 2 % fast, like every Uno.
    UBRR0 = 16;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
    // Ends a frame that a reset may have cut. Otherwise the greeting would become part of it.
    UDR0 = 0;
}

bool read(uint8_t &byte) {
    if (tail == head) return false;
    byte = ring[tail];
    tail = (tail + 1) % sizeof ring;
    return true;
}

bool isIdle() { return left == 0; }

void send(const uint8_t *bytes, uint8_t count) {
    rest = bytes;
    left = count;
    UCSR0B |= 1 << UDRIE0;
}
}  // namespace serial
