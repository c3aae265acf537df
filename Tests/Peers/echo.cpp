// For tests: decodes every frame and sends it back, encoded again by the sketch's own code. Sends nothing for invalid bytes.
#include <avr/interrupt.h>

#include "serial.h"
#include "wire.h"

int main() {
    static wire::Decoder decoder;
    static wire::Writer writer;
    serial::begin();
    sei();
    for (;;) {
        uint8_t byte;
        wire::Frame frame;
        if (!serial::isIdle() || !serial::read(byte) || !decoder.push(byte, frame)) continue;
        writer.begin(frame.type, frame.sequence);
        while (frame.length > 0) writer.u8(frame.u8());
        writer.end();
        serial::send(writer.bytes, writer.count);
    }
}
