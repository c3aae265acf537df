internal import CPosix

/// Eight points, or eight values of a point, that are measured at once: a part of a row, or a block of samples.
typealias Lanes = SIMD8<Float>

// Comparisons with `replacing` compile to one vector instruction each, unlike the standard library's `pointwiseMax`.

@inline(__always)
func larger(_ a: Lanes, _ b: Lanes) -> Lanes { a.replacing(with: b, where: b .> a) }

@inline(__always)
func smaller(_ a: Lanes, _ b: Lanes) -> Lanes { a.replacing(with: b, where: b .< a) }

@inline(__always)
func magnitude(_ a: Lanes) -> Lanes { larger(a, -a) }

/// Returns the square roots of non-negative numbers.
@inline(__always)
func roots(_ a: Lanes) -> Lanes { cposix_square_roots(a) }

/// Returns the values clamped to 0...1.
@inline(__always)
func share(_ a: Lanes) -> Lanes { smaller(larger(a, .zero), Lanes(repeating: 1)) }

/// Returns e to the power of -x for x >= 0, with an error of half a percent. From 7.6 on, it is 0.0005.
@inline(__always)
func decay(_ x: Lanes) -> Lanes {
    // This is the eighth power of the first terms of e^(-x/8).
    let one = Lanes(repeating: 1)
    let y: Lanes = smaller(x * 0.125, Lanes(repeating: 0.95))
    var root: Lanes = one - y * 0.2
    root = one - y * 0.25 * root
    root = one - y * (1.0 / 3) * root
    root = one - y * 0.5 * root
    root = one - y * root
    let square = root * root
    let fourth = square * square
    return fourth * fourth
}

extension SIMD8<Float> {
    /// Returns the smallest of the eight values.
    @inline(__always)
    var least: Float {
        let four = lowHalf.replacing(with: highHalf, where: highHalf .< lowHalf)
        return Swift.min(Swift.min(four[0], four[1]), Swift.min(four[2], four[3]))
    }
}
