#include "store.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "ticks.h"
#include "wire.h"

namespace {
// Two slots, written alternately: a power failure during a SAVE loses only that SAVE and not the limits before it.
struct Slot {
    uint8_t turn;
    Settings settings;
    uint16_t sum;
};
struct Layout {
    uint16_t boots;
    uint32_t number[2];
    Slot slots[2];
};
Layout *const memory = nullptr;

uint16_t bootCount;
uint32_t own[2];
uint8_t newest;
Slot writing;
uint8_t left;
volatile uint8_t noise, beats;

uint16_t sum(const Slot &slot) {
    uint16_t sum = 0xFFFF;
    for (uint8_t index = 0; index < sizeof slot - sizeof slot.sum; index++) sum = wire::crc(sum, ((const uint8_t *)&slot)[index]);
    return sum;
}

// The watchdog has its own oscillator. The crystal's counter at its beats differs from chip to chip and from run to run.
void drawNumber() {
    own[0] = 0x9E3779B9;
    own[1] = 0x85EBCA6B;
    cli();
    WDTCSR = 1 << WDCE | 1 << WDE;
    WDTCSR = 1 << WDIE;
    sei();
    for (uint32_t start = ticks::now(); beats < 64 && ticks::now() - start < 2000000;) {
        uint8_t before = beats;
        while (beats == before && ticks::now() - start < 2000000) {}
        own[before & 1] = (own[before & 1] ^ noise) * 16777619;
    }
    wdt_disable();
    eeprom_update_block(own, memory->number, sizeof own);
}
}  // namespace

ISR(WDT_vect) {
    noise = TCNT1L;
    beats++;
}

namespace store {
bool begin(Settings &settings) {
    bootCount = eeprom_read_word(&memory->boots) + 1;
    eeprom_update_word(&memory->boots, bootCount);
    eeprom_read_block(own, memory->number, sizeof own);
    if (own[0] == 0xFFFFFFFF && own[1] == 0xFFFFFFFF) drawNumber();
    bool isThere = false;
    for (uint8_t index = 0; index < 2; index++) {
        eeprom_read_block(&writing, &memory->slots[index], sizeof writing);
        if (writing.sum != sum(writing)) continue;
        static uint8_t turn;
        if (isThere && (int8_t)(writing.turn - turn) < 0) continue;
        isThere = true;
        turn = writing.turn;
        newest = index;
        settings = writing.settings;
    }
    writing.turn = 0;
    if (isThere) eeprom_read_block(&writing, &memory->slots[newest], sizeof writing);
    return isThere;
}

uint16_t boots() { return bootCount; }
uint32_t number(uint8_t half) { return own[half]; }

void save(const Settings &settings) {
    if (left == 0) {
        newest ^= 1;
        writing.turn++;
    }
    writing.settings = settings;
    writing.sum = sum(writing);
    left = sizeof writing;
}

void tick() {
    while (left > 0 && eeprom_is_ready()) {
        uint8_t place = sizeof writing - left;
        uint8_t *where = (uint8_t *)&memory->slots[newest] + place, byte = ((uint8_t *)&writing)[place];
        left--;
        if (eeprom_read_byte(where) != byte) eeprom_write_byte(where, byte);
    }
}

bool isWriting() { return left > 0 || !eeprom_is_ready(); }
}  // namespace store
