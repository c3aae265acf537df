/// Finds the block glyph that best shows the samples of one cell: four times two rows of four, from top to bottom.
///
/// It uses only glyphs that nearly every font has: lower eighths, left quarters, quadrants. It selects the one with the
/// smallest squared error when each of its two regions has the mean of its samples.
struct BlockFit {
    /// The sums of the rows from bottom to top, and of the columns of the upper and the lower half.
    private let rows: Lanes, upper: SIMD4<Float>, lower: SIMD4<Float>

    /// The samples that a glyph covers: 1 or 0.
    struct Cover: Sendable {
        var first = Lanes.zero, second = Lanes.zero, third = Lanes.zero, fourth = Lanes.zero
        var count: Float = 0
    }

    @inline(__always)
    init(_ first: Lanes, _ second: Lanes, _ third: Lanes, _ fourth: Lanes) {
        rows = Lanes(
            fourth.highHalf.sum(), fourth.lowHalf.sum(), third.highHalf.sum(), third.lowHalf.sum(),
            second.highHalf.sum(), second.lowHalf.sum(), first.highHalf.sum(), first.lowHalf.sum())
        upper = first.lowHalf + first.highHalf + second.lowHalf + second.highHalf
        lower = third.lowHalf + third.highHalf + fourth.lowHalf + fourth.highHalf
    }

    /// Returns the glyph with the smallest error with two free colours, or a blank if no glyph is worth its bytes.
    @inline(__always)
    func best() -> UInt32 {
        let total = upper.sum() + lower.sum()
        var glyph: UInt32 = 0x20
        // The error is the sum of all squares minus this gain.
        var gain = total * total / 32 + 1e-4
        @inline(__always)
        func consider(_ candidate: UInt32, _ sum: Float, _ samples: Float, _ bonus: Float = 0) {
            let rest = total - sum
            let value = sum * sum * (1 / samples) + rest * rest * (1 / (32 - samples)) + bonus
            if value > gain { (gain, glyph) = (value, candidate) }
        }
        var sum = rows[0]
        consider(0x2581, sum, 4)
        sum += rows[1]
        consider(0x2582, sum, 8)
        sum += rows[2]
        consider(0x2583, sum, 12)
        sum += rows[3]
        consider(0x2584, sum, 16, 1e-4)
        sum += rows[4]
        consider(0x2585, sum, 20)
        sum += rows[5]
        consider(0x2586, sum, 24)
        sum += rows[6]
        consider(0x2587, sum, 28)
        let upperLeft = upper[0] + upper[1], upperRight = upper[2] + upper[3]
        let lowerLeft = lower[0] + lower[1], lowerRight = lower[2] + lower[3]
        consider(0x258E, upper[0] + lower[0], 8)
        consider(0x258C, upperLeft + lowerLeft, 16)
        consider(0x258A, total - upper[3] - lower[3], 24)
        consider(0x2596, lowerLeft, 8)
        consider(0x2597, lowerRight, 8)
        consider(0x2598, upperLeft, 8)
        consider(0x259D, upperRight, 8)
        consider(0x259A, upperLeft + lowerRight, 16)
        return glyph
    }

    /// Returns the glyph that best matches the lit samples, for one colour without a background. There are therefore
    /// more glyphs.
    func mono() -> UInt32 {
        let threshold = CellColours.lit
        var glyph: UInt32 = 0x20
        var value: Float = 0
        @inline(__always)
        func consider(_ candidate: UInt32, _ sum: Float, _ samples: Float) {
            let gain = sum - threshold * samples
            if gain > value + 1e-4 { (glyph, value) = (candidate, gain) }
        }
        var sum: Float = 0
        for line in 0..<8 {
            sum += rows[line]
            consider(0x2581 + UInt32(line), sum, Float(line + 1) * 4)
        }
        let upperLeft = upper[0] + upper[1], upperRight = upper[2] + upper[3]
        let lowerLeft = lower[0] + lower[1], lowerRight = lower[2] + lower[3]
        consider(0x2580, upperLeft + upperRight, 16)
        consider(0x258E, upper[0] + lower[0], 8)
        consider(0x258C, upperLeft + lowerLeft, 16)
        consider(0x258A, sum - upper[3] - lower[3], 24)
        consider(0x2590, upperRight + lowerRight, 16)
        consider(0x2596, lowerLeft, 8)
        consider(0x2597, lowerRight, 8)
        consider(0x2598, upperLeft, 8)
        consider(0x259D, upperRight, 8)
        consider(0x259A, upperLeft + lowerRight, 16)
        consider(0x259E, upperRight + lowerLeft, 16)
        consider(0x2599, sum - upperRight, 24)
        consider(0x259B, sum - lowerRight, 24)
        consider(0x259C, sum - lowerLeft, 24)
        consider(0x259F, sum - upperLeft, 24)
        return glyph
    }
}

extension BlockFit.Cover {
    /// The samples that the glyphs of `best` cover, U+2581...U+259D.
    static let all: [BlockFit.Cover] = (UInt32(0x2581)...0x259D).map { glyph in
        var cover = BlockFit.Cover()
        for sample in 0..<32 where covers(glyph, row: sample / 4, column: sample % 4) {
            cover.count += 1
            switch sample / 8 {
            case 0: cover.first[sample % 8] = 1
            case 1: cover.second[sample % 8] = 1
            case 2: cover.third[sample % 8] = 1
            default: cover.fourth[sample % 8] = 1
            }
        }
        return cover
    }

    private static func covers(_ glyph: UInt32, row: Int, column: Int) -> Bool {
        let isUpper = row < 4, isLeft = column < 2
        return switch glyph {
        case 0x2581...0x2588: row >= 8 - Int(glyph - 0x2580)
        case 0x258A: column < 3
        case 0x258C: isLeft
        case 0x258E: column < 1
        case 0x2596: !isUpper && isLeft
        case 0x2597: !isUpper && !isLeft
        case 0x2598: isUpper && isLeft
        case 0x259D: isUpper && !isLeft
        case 0x259A: isUpper == isLeft
        default: false
        }
    }

    /// Returns the sum of one channel over the covered samples.
    @inline(__always)
    func sum(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> Float {
        let eight = a * first + b * second + c * third + d * fourth
        return (eight.lowHalf + eight.highHalf).sum()
    }
}
