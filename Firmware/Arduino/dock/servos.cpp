#include "servos.h"

#include <avr/io.h>

#include "board.h"

namespace {
// Half microseconds: 16 MHz / 8.
constexpr uint16_t period = 40000, shortest = 1000, longest = 5000;

struct Output {
    const Servo &servo;
    // Largest change of a pulse per period: 1.25 times the axis' highest speed. This is the last protection if everything else
    // fails.
    uint16_t slew;
    uint16_t pulse;
    uint16_t wanted;
    bool isOn;
};

constexpr uint16_t slew(const Limits &limits, const Servo &servo) {
    return limits.speed / 50 * 5 / 4 * 2 * (servo.perQuarterTurn < 0 ? -servo.perQuarterTurn : servo.perQuarterTurn) / 90000;
}

Output pan = {board::panServo, slew(board::pan, board::panServo), 0, 0, false};
Output tilt = {board::tiltServo, slew(board::tilt, board::tiltServo), 0, 0, false};
uint8_t wantedOn;
bool isHandedOver;

uint16_t pulse(const Servo &servo, int32_t position) {
    // Up to 160 degrees times 2000 fits.
    int32_t half = 2L * servo.center + position * (2L * servo.perQuarterTurn) / 90000;
    return half < shortest ? shortest : half > longest ? longest : half;
}

uint16_t next(Output &output, bool on) {
    if (!on || !output.isOn) {
        // After a time without torque, the first pulse is at the assumed position.
        output.pulse = output.wanted;
    } else if (output.wanted > output.pulse) {
        uint16_t more = output.wanted - output.pulse;
        output.pulse += more < output.slew ? more : output.slew;
    } else {
        uint16_t less = output.pulse - output.wanted;
        output.pulse -= less < output.slew ? less : output.slew;
    }
    output.isOn = on;
    return output.pulse;
}
}  // namespace

namespace servos {
void begin() {
    PORTB &= ~(1 << PORTB1 | 1 << PORTB2);
    DDRB |= 1 << DDB1 | 1 << DDB2;
    ICR1 = period - 1;
    // Fast PWM up to ICR1, with the outputs not connected yet.
    TCCR1A = 1 << WGM11;
    TCCR1B = 1 << WGM13 | 1 << WGM12 | 1 << CS11;
}

void aim(int32_t panPosition, int32_t tiltPosition, uint8_t on) {
    pan.wanted = pulse(board::panServo, panPosition);
    tilt.wanted = pulse(board::tiltServo, tiltPosition);
    wantedOn = on;
}

void tick() {
    // Switching an output during a pulse would make it too long or too short, so wait until after the longest pulse.
    bool isQuiet = TCNT1 > longest + 200;
    if (!isQuiet || isHandedOver) {
        isHandedOver = isQuiet;
        return;
    }
    isHandedOver = true;
    // The timer's pulse is one count longer than its register value.
    OCR1A = next(pan, wantedOn & 1) - 1;
    OCR1B = next(tilt, wantedOn & 2) - 1;
    TCCR1A = 1 << WGM11 | (pan.isOn ? 1 << COM1A1 : 0) | (tilt.isOn ? 1 << COM1B1 : 0);
}

bool areOff() { return !pan.isOn && !tilt.isOn; }

void cut() {
    DDRB &= ~(1 << DDB1 | 1 << DDB2);
    TCCR1A = 0;
}
}  // namespace servos
