// RISC-V (QEMU's virt machine): trap entry, clock by the core's timer, interrupts by the PLIC.
#include "support.h"

#define WORD(address) (*(volatile uint32_t *)(address))
#define MTIME_LOW WORD(0x0200BFF8)
#define MTIME_HIGH WORD(0x0200BFFC)
#define MTIMECMP_LOW WORD(0x02004000)
#define MTIMECMP_HIGH WORD(0x02004004)
#define PLIC_PRIORITY(n) WORD(0x0C000000 + 4 * (n))
#define PLIC_ENABLE(n) WORD(0x0C002000 + 4 * ((n) / 32))
#define PLIC_THRESHOLD WORD(0x0C200000)
#define PLIC_CLAIM WORD(0x0C200004)
#define TEST_DEVICE WORD(0x00100000)
enum { TICKS = 10, INTERRUPT_TIMER = 7, INTERRUPT_EXTERNAL = 11 };

_Noreturn void start(void);
static uint32_t offset;

_Noreturn void processor_restart(void) {
    TEST_DEVICE = 0x7777;
    for (;;) {}
}

static uint64_t time(void) {
    uint32_t high, low;
    do {
        high = MTIME_HIGH;
        low = MTIME_LOW;
    } while (high != MTIME_HIGH);
    return (uint64_t)high << 32 | low;
}

static void wake_at(uint64_t moment) {
    MTIMECMP_HIGH = UINT32_MAX;
    MTIMECMP_LOW = (uint32_t)moment;
    MTIMECMP_HIGH = (uint32_t)(moment >> 32);
}

__attribute__((interrupt("machine"), aligned(4))) static void trap(void) {
    uint32_t cause, at;
    __asm__ volatile("csrr %0, mcause\n csrr %1, mepc" : "=r"(cause), "=r"(at));
    if (cause == (0x80000000 | INTERRUPT_TIMER)) {
        wake_at(time() + 1000 * TICKS);
    } else if (cause == (0x80000000 | INTERRUPT_EXTERNAL)) {
        uint32_t number = PLIC_CLAIM;
        if (number != 0) board_interrupt((int32_t)number);
        PLIC_CLAIM = number;
    } else {
        board_cut_outputs();
        // 0 means no fault, but is a valid cause here.
        retained.fault = cause + 1;
        retained.fault_pc = at;
        processor_restart();
    }
}

__attribute__((used)) static _Noreturn void begin(void) {
    __asm__ volatile("csrw mtvec, %0" ::"r"(trap));
    start();
}

__attribute__((naked, used, section(".vectors"))) void reset(void) {
    __asm__ volatile(".option push\n .option norelax\n la gp, __global_pointer$\n .option pop\n la sp, stack_top\n j %0" ::"i"(begin));
}

// In units of mtime. A 64-bit division by a constant would become a library call, so 2^32 / 10 is done by hand.
uint32_t clock_microseconds(void) {
    uint64_t now = time();
    uint32_t high = (uint32_t)(now >> 32), low = (uint32_t)now;
    // high * 2^32 / 10 = high * 429496729 + high * 6 / 10
    return high * 429496729u + (high % 10 * 6 + low % 10) / TICKS + high / 10 * 6 + low / 10 + offset;
}

void clock_start(uint32_t cycles_per_microsecond) {
    (void)cycles_per_microsecond;
#ifdef TEST_INPUTS
    offset = 1000 * test_inputs[TEST_CLOCK_START] - clock_microseconds();
#endif
    wake_at(time() + 1000 * TICKS);
    PLIC_THRESHOLD = 0;
    __asm__ volatile("csrs mie, %0\n csrs mstatus, %1" ::"r"(1 << INTERRUPT_TIMER | 1 << INTERRUPT_EXTERNAL), "r"(8));
}

void clock_sleep(void) { __asm__ volatile("wfi" ::: "memory"); }

void interrupt_enable(int32_t number) {
    PLIC_PRIORITY(number) = 1;
    PLIC_ENABLE(number) |= 1u << (number % 32);
}
