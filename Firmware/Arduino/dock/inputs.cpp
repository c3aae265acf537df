#include "inputs.h"

#include <avr/io.h>

#include "board.h"
#include "dock.h"
#include "events.h"

namespace {
constexpr uint8_t mask(uint8_t pin) { return 1 << pin; }

// A change counts after 10 ms. A button that is pressed at boot raises no event, neither for the press nor for its release.
struct Contact {
    uint8_t pin;
    bool isDown, isOld;
    uint8_t different;

    bool sample(uint8_t pins) {
        bool isNow = !(pins & mask(pin));
        if (isNow == isDown) different = 0;
        else if (++different >= 10) {
            different = 0;
            isDown = isNow;
            bool tells = !isOld;
            isOld = false;
            return tells;
        }
        return false;
    }
};

Contact contacts[] = {{board::button0}, {board::button1}, {board::trackingButton}};
// Position of the encoder in its cycle of four, parts of a detent, detents not yet reported, milliseconds until the next report.
uint8_t place, pause;
int8_t part, detents;
bool isStopped;
uint8_t closed;
uint8_t wait = 99;
uint16_t eightfold;
Power::State state;
bool isNew;

uint8_t encoderPlace(uint8_t pins) {
    uint8_t both = (pins >> board::encoderA & 1) | (pins >> board::encoderB & 1) << 1;
    return both ^ both >> 1;
}

void turn(uint8_t pins) {
    uint8_t now = encoderPlace(pins);
    uint8_t change = (now - place) & 3;
    place = now;
    // A jump over two transitions has no known direction.
    if (change == 1) part++;
    if (change == 3) part--;
    if (part >= board::encoderSteps || part <= -board::encoderSteps) {
        int8_t detent = part > 0 ? 1 : -1;
        part -= detent * board::encoderSteps;
        if (detents + detent < 127 && detents + detent > -127) detents += detent;
    }
    if (pause > 0) pause--;
    // Quick turns put many detents into one event, because there is room for only eight events.
    if (detents == 0 || pause > 0) return;
    events::raise(events::zoom, detents);
    detents = 0;
    pause = 50;
}

// One open sample stops the dock; a quarter second closed releases the input.
void watchEmergency(bool isOpen) {
    if (isOpen) {
        closed = 0;
        if (!isStopped) dock::setEmergencyInput(isStopped = true);
    } else if (isStopped && ++closed >= 250) {
        dock::setEmergencyInput(isStopped = false);
    }
}
}  // namespace

namespace inputs {
void begin() {
    uint8_t all = mask(board::emergency) | mask(board::encoderA) | mask(board::encoderB);
    for (Contact &contact : contacts) all |= mask(contact.pin);
    PORTD |= all;
    DDRB |= 1 << DDB5;
    // Reference: the board's 5 V; channel 0, 125 kHz.
    ADMUX = 1 << REFS0;
    ADCSRA = 1 << ADEN | 1 << ADPS2 | 1 << ADPS1 | 1 << ADPS0;
    for (volatile uint8_t settle = 255; settle > 0; settle--) {}
    for (Contact &contact : contacts) contact.isDown = contact.isOld = !(PIND & mask(contact.pin));
    place = encoderPlace(PIND);
}

void tick() {
    uint8_t pins = PIND;
    watchEmergency(pins & mask(board::emergency));
    if (contacts[0].sample(pins)) events::raise(events::button, contacts[0].isDown);
    if (contacts[1].sample(pins)) events::raise(events::button, 0x100 | contacts[1].isDown);
    if (contacts[2].sample(pins)) events::raise(events::trackingButton, contacts[2].isDown);
    turn(pins);
    if (++wait < 100) return;
    wait = 0;
    // A conversion that was started a tenth of a second ago has long finished.
    if (!(ADCSRA & 1 << ADSC) && ADCSRA & 1 << ADIF) {
        ADCSRA |= 1 << ADIF;
        eightfold = eightfold == 0 ? 8 * ADC : eightfold - eightfold / 8 + ADC;
        isNew = true;
    }
    ADCSRA |= 1 << ADSC;
}

bool takePower(Power &power) {
    if (!isNew) return false;
    isNew = false;
    power.millivolts = (uint32_t)(eightfold / 8) * board::supplyMillivolts / 1024 * board::divider;
    if (power.millivolts < board::leastMillivolts) {
        power.percent = 255;
        power.state = state = Power::external;
        return true;
    }
    uint16_t clipped = power.millivolts < board::emptyMillivolts ? board::emptyMillivolts
        : power.millivolts > board::fullMillivolts ? board::fullMillivolts : power.millivolts;
    power.percent = (uint32_t)(clipped - board::emptyMillivolts) * 100 / (board::fullMillivolts - board::emptyMillivolts);
    // A starting servo pulls the voltage down, so a state is left only with hysteresis.
    uint8_t slack = 3;
    if (power.percent < 7 || (state == Power::critical && power.percent < 7 + slack)) state = Power::critical;
    else if (power.percent < 20 || ((state == Power::low || state == Power::critical) && power.percent < 20 + slack)) state = Power::low;
    else state = Power::discharging;
    power.state = state;
    return true;
}

void light(bool isOn) { PORTB = isOn ? PORTB | 1 << PORTB5 : PORTB & ~(1 << PORTB5); }
}  // namespace inputs
