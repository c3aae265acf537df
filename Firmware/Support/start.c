// From reset to `main`, on every processor.
#include "support.h"

extern uint32_t image_data[], data_begin[], data_end[], bss_begin[], bss_end[], stack_bottom[];
int main(int, char **);
_Noreturn void start(void);

struct retained retained __attribute__((section(".noinit")));
#ifdef TEST_INPUTS
volatile uint32_t test_inputs[TEST_INPUTS_COUNT] __attribute__((section(".noinit")));

uint32_t test_input(int32_t which) { return test_inputs[which]; }

static uint32_t deeper(volatile uint32_t *above) {
    volatile uint32_t here[16] = {*above};
    return above == 0 ? 0 : deeper(here) + here[0];
}

void test_obey(void) {
    uint32_t command = test_inputs[TEST_COMMAND];
    test_inputs[TEST_COMMAND] = 0;
    if (command == 1) __builtin_trap();
    if (command == 2) for (;;) clock_sleep();
    if (command == 3) deeper(test_inputs);
}
#endif

// The size is a power of two. The main loop empties it at least every 2 ms, and 115200 baud bring 23 bytes in that time.
enum { RING = 256 };
static volatile uint8_t ring[RING];
static volatile uint32_t ring_put, ring_taken;

void received_put(uint8_t byte) {
    if (ring_put - ring_taken >= RING) return;
    ring[ring_put % RING] = byte;
    ring_put = ring_put + 1;
}

int32_t received_take(void) {
    if (ring_taken == ring_put) return -1;
    uint8_t byte = ring[ring_taken % RING];
    ring_taken = ring_taken + 1;
    return byte;
}

// Fills the stack with a pattern, so that a debugger can read its maximum use.
_Noreturn void start(void) {
    volatile uint32_t *here = (volatile uint32_t *)__builtin_frame_address(0);
    for (volatile uint32_t *word = stack_bottom; word < here - 16; word++) *word = 0xA5A5A5A5;
    volatile uint32_t *to = data_begin, *from = image_data;
    while (to < data_end) *to++ = *from++;
    for (to = bss_begin; to < bss_end;) *to++ = 0;
    main(0, 0);
    processor_restart();
}
