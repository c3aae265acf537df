// Functions that compilers call implicitly. No library is linked.
#include <stddef.h>
#include <stdint.h>

// The dock's state is large and is copied from time to time, so aligned data is copied by words. -fno-builtin keeps the loops from
// becoming calls of themselves.
typedef uint32_t __attribute__((may_alias)) word;

void *memcpy(void *to, const void *from, size_t count) {
    uint8_t *t = to;
    const uint8_t *f = from;
    if ((((uintptr_t)t | (uintptr_t)f) & 3) == 0) {
        for (; count >= 4; count -= 4, t += 4, f += 4) *(word *)t = *(const word *)f;
    }
    while (count--) *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t count) {
    uint8_t *t = to;
    const uint8_t *f = from;
    if (t <= f) return memcpy(to, from, count);
    while (count--) t[count] = f[count];
    return to;
}

void *memset(void *to, int value, size_t count) {
    uint8_t *t = to;
    while (count--) *t++ = (uint8_t)value;
    return to;
}

#ifdef __arm__
void __aeabi_memcpy(void *to, const void *from, size_t count) { memcpy(to, from, count); }
void __aeabi_memcpy4(void *to, const void *from, size_t count) { memcpy(to, from, count); }
void __aeabi_memcpy8(void *to, const void *from, size_t count) { memcpy(to, from, count); }
void __aeabi_memmove(void *to, const void *from, size_t count) { memmove(to, from, count); }
void __aeabi_memmove4(void *to, const void *from, size_t count) { memmove(to, from, count); }
void __aeabi_memmove8(void *to, const void *from, size_t count) { memmove(to, from, count); }
void __aeabi_memset(void *to, size_t count, int value) { memset(to, value, count); }
void __aeabi_memset4(void *to, size_t count, int value) { memset(to, value, count); }
void __aeabi_memset8(void *to, size_t count, int value) { memset(to, value, count); }
void __aeabi_memclr(void *to, size_t count) { memset(to, 0, count); }
void __aeabi_memclr4(void *to, size_t count) { memset(to, 0, count); }
void __aeabi_memclr8(void *to, size_t count) { memset(to, 0, count); }
#endif
