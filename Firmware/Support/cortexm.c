// Cortex-M: vector table, clock by SysTick, fault handler.
#include "support.h"

#define WORD(address) (*(volatile uint32_t *)(address))
#define SYST_CSR WORD(0xE000E010)
#define SYST_RVR WORD(0xE000E014)
#define SYST_CVR WORD(0xE000E018)
#define NVIC_ISER(n) WORD(0xE000E100 + 4 * (n))
#define ICSR WORD(0xE000ED04)
#define VTOR WORD(0xE000ED08)
#define AIRCR WORD(0xE000ED0C)
enum { PENDSTSET = 1 << 26 };

extern uint32_t stack_bottom[], stack_top[];
_Noreturn void start(void);
_Noreturn void reset(void);
extern void (*const vectors[])(void);

static volatile uint32_t milliseconds;
static uint32_t cycles = 1, reload = 999, last;

static uint32_t exception(void) {
    uint32_t number;
    __asm__ volatile("mrs %0, ipsr" : "=r"(number));
    return number;
}

// A reset turns the servo pins into inputs at once, and a started pulse would become short and command a far position. Outputs are
// cut before. A pulse takes up to 2.5 ms, and this wait takes at least 3 ms at up to 133 MHz. The watchdog's timeout is longer.
_Noreturn void processor_restart(void) {
    __asm__ volatile("cpsid i\n dsb" ::: "memory");
    for (uint32_t turns = 133000; turns > 0; turns--) __asm__ volatile("");
    AIRCR = 0x05FA0004;
    for (;;) {}
}

// First stop the motion, then store the cause. The program does not continue after a fault.
__attribute__((used)) static _Noreturn void fault_at(uint32_t *frame) {
    board_cut_outputs();
    retained.fault = exception();
    retained.fault_pc = frame >= stack_bottom && frame + 8 <= stack_top ? frame[6] : 0;
    processor_restart();
}

// The stack itself may be broken, so the handler resets it.
__attribute__((naked)) static void fault(void) {
    __asm__ volatile("mrs r0, msp\n ldr r1, =stack_top\n msr msp, r1\n ldr r1, =fault_at\n bx r1\n .ltorg");
}

static void tick(void) { milliseconds = milliseconds + 1; }
static void other(void) { board_interrupt((int32_t)exception() - 16); }

_Noreturn void reset(void) {
    VTOR = (uint32_t)vectors;
    start();
}

__attribute__((section(".vectors"), used)) void (*const vectors[16 + IRQS])(void) = {
    (void (*)(void))stack_top, reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, tick,
    [16 ... 15 + IRQS] = other,
};

void clock_start(uint32_t cycles_per_microsecond) {
    cycles = cycles_per_microsecond;
    reload = 1000 * cycles - 1;
#ifdef TEST_INPUTS
    milliseconds = test_inputs[TEST_CLOCK_START];
#endif
    last = 1000 * milliseconds;
    SYST_RVR = reload;
    SYST_CVR = 0;
    SYST_CSR = 7;
}

uint32_t clock_microseconds(void) {
    uint32_t before, value, now;
    do {
        before = milliseconds;
        value = SYST_CVR;
        // The counter has wrapped and its interrupt is still pending.
        now = 1000 * before + ((ICSR & PENDSTSET) ? 1000 : 0);
        if (ICSR & PENDSTSET) value = SYST_CVR;
    } while (before != milliseconds);
    now += (reload - value) / cycles;
    if ((int32_t)(now - last) < 0) now = last;
    return last = now;
}

void clock_sleep(void) { __asm__ volatile("dsb\n wfi" ::: "memory"); }

void interrupt_enable(int32_t number) { NVIC_ISER(number / 32) = 1u << (number % 32); }
