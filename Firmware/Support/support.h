// What C brings to the firmware: the way from reset to `main`, the clock, a ring for received bytes, memory that outlives a reset.
#pragma once
#include <stdint.h>

// Microseconds modulo 2^32; never goes backward.
uint32_t clock_microseconds(void);
// Processor cycles in a microsecond, once the board knows them; starts the clock.
void clock_start(uint32_t cycles_per_microsecond);
// Sleeps until the next interrupt; the clock's comes every millisecond.
void clock_sleep(void);

// The board's interrupt `number` may come.
void interrupt_enable(int32_t number);

// A byte from the serial port, put by its interrupt, taken by the main loop. A full ring drops it: the frame's checksum tells.
void received_put(uint8_t byte);
int32_t received_take(void);  // -1: none

// Where the servos were told to be, milli-degrees, and the sum that says so (Retained.swift).
struct retained_place {
    int32_t pan, tilt;
    uint32_t sum;
};
// What stays over a reset, and not over a loss of power.
struct retained {
    uint32_t mark;      // tells it from what memory holds at power-up
    uint32_t boots;
    uint32_t fault;     // why it was reset: 0, or the exception's number
    uint32_t fault_pc;  // and where
    struct retained_place first, second;  // written in turns
};
// One program, one main loop: Swift need not guard it.
extern struct retained retained __attribute__((swift_attr("nonisolated(unsafe)")));

// The processor starts anew.
_Noreturn void processor_restart(void);

// In Swift, one for each board.
void board_interrupt(int32_t number);
// No servo gets a pulse any more. Called from the fault handler: uses no memory but the stack.
void board_cut_outputs(void);

#ifdef TEST_INPUTS
// Tests write here with a debugger what no emulator's pin can be told. Not in an image for a desk.
enum {
    TEST_PINS,         // as `Pins`
    TEST_EDGES,        // of the encoder
    TEST_MILLIVOLTS,   // at the battery's pin; 0: none
    TEST_COMMAND,      // 1: run into a trap, 2: hang, 3: overflow the stack; done once
    TEST_CLOCK_START,  // milliseconds that the clock shows at boot
    TEST_INPUTS_COUNT
};
extern volatile uint32_t test_inputs[TEST_INPUTS_COUNT];
// Swift knows no volatile of C's.
uint32_t test_input(int32_t which);
void test_obey(void);
#endif
