public import Geometry

/// What goes wrong with the bytes on one direction of a dock's line.
///
/// Shares are 0...1 and hold for each byte alone; a value outside is moved to the nearest end, and what is no number is 0.
public struct LineFaults: Sendable, Equatable {
    /// Nothing arrives: this half of the line is cut, while the other half may live on.
    public var isDead = false
    /// Share of the bytes that are lost; at 1 nothing arrives.
    public var drop = 0.0
    /// Share of the bytes before which a random byte is inserted.
    public var insert = 0.0
    /// Share of the bytes that arrive with one wrong bit.
    public var flip = 0.0
    /// Added to the way of every byte, seconds, 0...60; the order stays.
    ///
    /// When it becomes less, what is on its way arrives as much sooner, and what would be late by then at once: a burst, as
    /// out of a real buffer. More than 64 KiB are never on the way; what comes then is lost.
    public var delay: Seconds = 0

    /// A sound line.
    public init() {}

    /// A line with faults; what is not named is sound.
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

    var usedDelay: Seconds { delay.isNaN ? 0 : delay.clamped(to: 0...60) }

    /// What arrives of the bytes. A fault whose share is 0 draws no random number, so that runs without it stay the same.
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
