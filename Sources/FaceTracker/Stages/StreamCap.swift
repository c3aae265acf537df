internal import Geometry
internal import Processes

/// Limits the bytes and lines per second of a source's stream, so that a flood costs little. It is pure.
///
/// Unread bytes stay in the pipe, and the source waits. Of the frames that were read, the newest are passed on.
struct StreamCap: Sendable {
    /// The number of bytes per second, and the largest burst.
    static let bytesPerSecond = 1 << 20, burst = 1 << 18
    /// The number of frames per second, and the largest burst. The same limit applies to all other lines.
    static let linesPerSecond = 240
    /// The smallest number of bytes for which it is worth waking the thread.
    static let piece = 1 << 13

    private var bytes = Allowance(Double(bytesPerSecond), most: Double(burst))
    private var frames = Allowance(Double(linesPerSecond), most: Double(linesPerSecond))
    private var others = Allowance(Double(linesPerSecond), most: Double(linesPerSecond))
    private var leftOut = 0
    private var reportedAt: Seconds = -.infinity

    /// Returns how many bytes may be read now; 0 means none before `due`.
    mutating func room(now: Seconds) -> Int {
        let room = bytes.available(now: now)
        return room >= Self.piece ? room : 0
    }

    /// When there is room again.
    var due: Seconds { bytes.due(Self.piece) }

    /// Records that bytes were read.
    mutating func didRead(_ count: Int, now: Seconds) { _ = bytes.spend(count, now: now) }

    /// Selects the lines to pass on: the newest of each kind, up to the limit.
    mutating func choose(areFrames: [Bool], now: Seconds) -> [Bool] {
        let count = areFrames.count { $0 }
        var spare = (
            frames: count - frames.spend(count, now: now),
            others: areFrames.count - count - others.spend(areFrames.count - count, now: now)
        )
        leftOut += spare.frames + spare.others
        return areFrames.map { isFrame in
            let isSpare = isFrame ? spare.frames > 0 : spare.others > 0
            if isSpare, isFrame { spare.frames -= 1 }
            if isSpare, !isFrame { spare.others -= 1 }
            return !isSpare
        }
    }

    /// Returns a message for the log, at most once a second, while lines are dropped, or nil if there is none.
    mutating func report(now: Seconds) -> String? {
        guard leftOut > 0, now - reportedAt >= 1 else { return nil }
        defer { (leftOut, reportedAt) = (0, now) }
        return "\(leftOut) lines dropped: the source sends more than \(Self.linesPerSecond) per second"
    }
}
