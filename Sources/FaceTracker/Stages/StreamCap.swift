internal import Geometry
internal import Processes

/// How much of a source's stream is taken in: bytes and lines a second, so that one that floods costs little. Pure.
///
/// What is not read stays in the pipe, and the source waits. Of frames that were read the newest are handed on.
struct StreamCap: Sendable {
    /// Bytes a second, and at once.
    static let bytesPerSecond = 1 << 20, burst = 1 << 18
    /// Frames a second, and at once; the same of all other lines.
    static let linesPerSecond = 240
    /// So many bytes are worth a turn of the thread.
    static let piece = 1 << 13

    private var bytes = Allowance(Double(bytesPerSecond), most: Double(burst))
    private var frames = Allowance(Double(linesPerSecond), most: Double(linesPerSecond))
    private var others = Allowance(Double(linesPerSecond), most: Double(linesPerSecond))
    private var leftOut = 0
    private var told: Seconds = -.infinity

    /// How many bytes may be read now; 0: none before `due`.
    mutating func room(now: Seconds) -> Int {
        let room = bytes.available(now: now)
        return room >= Self.piece ? room : 0
    }

    /// When there is room again.
    var due: Seconds { bytes.due(Self.piece) }

    /// So many bytes were read.
    mutating func didRead(_ count: Int, now: Seconds) { _ = bytes.take(count, now: now) }

    /// Which of these lines are handed on: of each kind as many as there may be, the newest.
    mutating func choose(areFrames: [Bool], now: Seconds) -> [Bool] {
        let count = areFrames.count { $0 }
        var spare = (
            frames: count - frames.take(count, now: now),
            others: areFrames.count - count - others.take(areFrames.count - count, now: now)
        )
        leftOut += spare.frames + spare.others
        return areFrames.map { isFrame in
            let isSpare = isFrame ? spare.frames > 0 : spare.others > 0
            if isSpare, isFrame { spare.frames -= 1 }
            if isSpare, !isFrame { spare.others -= 1 }
            return !isSpare
        }
    }

    /// What a log is told once a second while lines are left out; nil: nothing.
    mutating func report(now: Seconds) -> String? {
        guard leftOut > 0, now - told >= 1 else { return nil }
        defer { (leftOut, told) = (0, now) }
        return "\(leftOut) lines were left out: it sends more than \(Self.linesPerSecond) a second"
    }
}
