public import Geometry

/// Faults injected into the bytes of one direction of a dock's line.
///
/// Fractions are 0...1 and apply to each byte separately. A value outside is clamped, and NaN counts as 0.
public struct LineFaults: Sendable, Equatable {
    /// Nothing arrives. This direction of the line is cut, while the other one may still work.
    public var isDead = false
    /// Fraction of the bytes that are lost; at 1 nothing arrives.
    public var drop = 0.0
    /// Fraction of the bytes before which a random byte is inserted.
    public var insert = 0.0
    /// Fraction of the bytes that arrive with one wrong bit.
    public var flip = 0.0
    /// Extra delay of every byte, seconds, 0...60. Bytes stay in order.
    ///
    /// If it is reduced, bytes in transit arrive earlier by the difference, and overdue bytes arrive at once in a burst,
    /// as from a real buffer. At most 64 KiB are in transit. Further bytes are lost.
    public var delay: Seconds = 0

    /// A line without faults.
    public init() {}

    /// A line with the given faults only.
    public init(drop: Double = 0, insert: Double = 0, flip: Double = 0, delay: Seconds = 0) {
        self.drop = drop
        self.insert = insert
        self.flip = flip
        self.delay = delay
    }

    /// A cut line.
    public static let dead: LineFaults = {
        var line = LineFaults()
        line.isDead = true
        return line
    }()

    var clampedDelay: Seconds { delay.isNaN ? 0 : delay.clamped(to: 0...60) }

    /// Returns the bytes that arrive. A fault with fraction 0 draws no random number, so a simulation
    /// that does not use the fault keeps its random sequence.
    func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        guard drop > 0 || insert > 0 || flip > 0 else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 4)
        for byte in bytes {
            if insert > 0, random.uniform() < insert { result.append(UInt8(truncatingIfNeeded: random.next())) }
            if drop > 0, random.uniform() < drop { continue }
            let isFlipped = flip > 0 && random.uniform() < flip
            result.append(isFlipped ? byte ^ (1 << UInt8(random.next() & 7)) : byte)
        }
        return result
    }
}
