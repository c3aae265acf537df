// One vector instruction that Swift's compiler does not generate: `SIMD8.squareRoot()` takes eight scalar roots with a branch
// each.
#ifndef CPOSIX_LANES_H
#define CPOSIX_LANES_H

/// Eight numbers; SIMD8<Float> in Swift.
typedef float cposix_lanes __attribute__((ext_vector_type(8)));

/// Their square roots; NaN for values below 0.
static inline __attribute__((always_inline)) cposix_lanes cposix_square_roots(cposix_lanes lanes) {
    return __builtin_elementwise_sqrt(lanes);
}

#endif
