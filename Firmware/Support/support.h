// The firmware's C part: start-up from reset to `main`, the clock, a ring for received bytes, memory that survives a reset.
#pragma once
#include <stdint.h>

// Microseconds modulo 2^32; never goes backward.
uint32_t clock_microseconds(void);
// Starts the clock with the number of processor cycles per microsecond.
void clock_start(uint32_t cycles_per_microsecond);
// Sleeps until the next interrupt. The clock's interrupt comes every millisecond.
void clock_sleep(void);

// Enables the board's interrupt `number`.
void interrupt_enable(int32_t number);

// A byte from the serial port, stored by its interrupt and taken by the main loop. If the ring is full, it is dropped and the
// frame's checksum fails.
void received_put(uint8_t byte);
int32_t received_take(void);  // -1: none

// The commanded servo positions, milli-degrees, and their checksum (Retained.swift).
struct retained_place {
    int32_t pan, tilt;
    uint32_t sum;
};
// Data that survives a reset, but not a loss of power.
struct retained {
    uint32_t mark;      // distinguishes it from random memory at power-up
    uint32_t boots;
    uint32_t fault;     // cause of the reset: 0, or the exception's number
    uint32_t fault_pc;  // its address
    struct retained_place first, second;  // written alternately
};
// There is one program with one main loop, so Swift does not need to guard it.
extern struct retained retained __attribute__((swift_attr("nonisolated(unsafe)")));

// Resets the processor.
_Noreturn void processor_restart(void);

// Implemented in Swift, once per board.
void board_interrupt(int32_t number);
// Ends all servo pulses. The fault handler calls it, so it uses no memory except the stack.
void board_cut_outputs(void);

#ifdef TEST_INPUTS
// Inputs that tests write with a debugger, because an emulator's pins cannot be driven. Not in an image for real use.
enum {
    TEST_PINS,         // as `Pins`
    TEST_EDGES,        // of the encoder
    TEST_MILLIVOLTS,   // at the battery's pin; 0: no battery
    TEST_COMMAND,      // 1: trap, 2: hang, 3: overflow the stack; executed once
    TEST_CLOCK_START,  // the clock's milliseconds at boot
    TEST_INPUTS_COUNT
};
extern volatile uint32_t test_inputs[TEST_INPUTS_COUNT];
// Swift does not support C's volatile.
uint32_t test_input(int32_t which);
void test_obey(void);
#endif
