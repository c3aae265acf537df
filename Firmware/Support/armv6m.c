// Operations that a Cortex-M0+ has no instruction for: division, and 64-bit products and shifts.
#include <stdint.h>

struct divided {
    uint32_t quotient, rest;
};

// One bit per turn. Division by zero gives all ones, but Swift traps before that.
static struct divided divide(uint32_t over, uint32_t by) {
    struct divided out = {0, 0};
    for (int bit = 31; bit >= 0; bit--) {
        out.rest = out.rest << 1 | (over >> bit & 1);
        if (out.rest >= by) {
            out.rest -= by;
            out.quotient |= 1u << bit;
        }
    }
    return out;
}

uint32_t __aeabi_uidiv(uint32_t over, uint32_t by) { return divide(over, by).quotient; }

// The result is in r0 and r1, like a 64-bit value.
uint64_t __aeabi_uidivmod(uint32_t over, uint32_t by) {
    struct divided out = divide(over, by);
    return (uint64_t)out.rest << 32 | out.quotient;
}

static uint32_t size(int32_t value) { return value < 0 ? 0u - (uint32_t)value : (uint32_t)value; }

int32_t __aeabi_idiv(int32_t over, int32_t by) {
    uint32_t quotient = divide(size(over), size(by)).quotient;
    return (int32_t)((over ^ by) < 0 ? 0u - quotient : quotient);
}

uint64_t __aeabi_idivmod(int32_t over, int32_t by) {
    struct divided out = divide(size(over), size(by));
    uint32_t quotient = (over ^ by) < 0 ? 0u - out.quotient : out.quotient, rest = over < 0 ? 0u - out.rest : out.rest;
    return (uint64_t)rest << 32 | quotient;
}

uint64_t __aeabi_lmul(uint64_t a, uint64_t b) {
    uint32_t a0 = (uint16_t)a, a1 = (uint32_t)a >> 16, b0 = (uint16_t)b, b1 = (uint32_t)b >> 16;
    uint32_t low = a0 * b0, first = a1 * b0 + (low >> 16), second = a0 * b1 + (uint16_t)first;
    uint32_t high = a1 * b1 + (first >> 16) + (second >> 16);
    high += (uint32_t)(a >> 32) * (uint32_t)b + (uint32_t)a * (uint32_t)(b >> 32);
    return (uint64_t)high << 32 | (second << 16 | (uint16_t)low);
}

uint64_t __aeabi_llsl(uint64_t value, int by) {
    uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    if (by == 0) return value;
    if (by >= 32) return (uint64_t)(low << (by - 32)) << 32;
    return (uint64_t)(high << by | low >> (32 - by)) << 32 | low << by;
}

uint64_t __aeabi_llsr(uint64_t value, int by) {
    uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    if (by == 0) return value;
    if (by >= 32) return high >> (by - 32);
    return (uint64_t)(high >> by) << 32 | (low >> by | high << (32 - by));
}

// There is one core, and no interrupt touches the guarded data.
uint32_t __atomic_load_4(const volatile void *from, int order) {
    (void)order;
    return *(const volatile uint32_t *)from;
}

void __atomic_store_4(volatile void *to, uint32_t value, int order) {
    (void)order;
    *(volatile uint32_t *)to = value;
}

_Bool __atomic_compare_exchange_4(volatile void *place, void *expected, uint32_t desired, _Bool weak, int success, int failure) {
    (void)weak, (void)success, (void)failure;
    volatile uint32_t *word = place;
    uint32_t *was = expected;
    if (*word == *was) {
        *word = desired;
        return 1;
    }
    *was = *word;
    return 0;
}
