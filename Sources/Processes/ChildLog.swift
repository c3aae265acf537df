public import Geometry
internal import PlainText

/// What a child writes to standard error, as lines of at most 400 bytes for a log: the first twenty, then the newest once a second
/// and how many were left out.
///
/// A child that floods costs little: 1 MiB a second is read, and the rest waits in the pipe, as the child does.
public struct ChildLog: Sendable {
    private static let most = 20, longest = 400
    /// Bytes a second, and at once; so many are worth a turn of the thread.
    private static let bytesPerSecond = 1 << 20, burst = 1 << 18, piece = 1 << 13
    private var bytes = Allowance(Double(bytesPerSecond), most: Double(burst))
    /// Nothing is read before: the child has written more than it may.
    private var opensAt: Seconds = -.infinity
    private var line: [UInt8] = []
    /// As they came: most lines of a flood are never shown.
    private var waiting: [[UInt8]] = []
    private var allowance = Allowance(1, most: Double(most))
    /// Lines before the last of `waiting` that were left out.
    private var skipped = 0
    private var newest: [UInt8]?
    /// The last line that came; nil: none has.
    public var last: String? { newest.map(Self.text) }

    /// Nothing was said yet.
    public init() {}

    /// How many bytes may be read now; 0: none before `opens`.
    public mutating func room(now: Seconds) -> Int {
        let room = bytes.available(now: now)
        if room >= Self.piece { return room }
        opensAt = bytes.due(Self.piece)
        return 0
    }

    /// When standard error is to be waited for again; nil: now.
    public func opens(after now: Seconds) -> Seconds? { opensAt > now ? opensAt : nil }

    /// Takes in what was read.
    public mutating func feed(_ read: UnsafeRawBufferPointer, now: Seconds) {
        _ = bytes.take(read.count, now: now)
        for byte in read {
            if byte == 0x0A {
                put()
            } else if line.count < Self.longest {
                line.append(byte)
            }
        }
    }

    private mutating func put() {
        // Two habits of ordinary programs: tabs, and line ends of two bytes.
        if line.last == 0x0D { line.removeLast() }
        for index in line.indices where line[index] == 0x09 { line[index] = 0x20 }
        guard !line.isEmpty else { return }
        // Of too many the newest waits.
        if waiting.count > Self.most {
            waiting.removeLast()
            skipped += 1
        }
        waiting.append(line)
        newest = line
        line = []
    }

    private static func text(_ line: [UInt8]) -> String {
        // Escapes may make it longer: who reads it tells by its length whether it was cut.
        ForeignText.line(bytes: line, longest: longest * 6)
    }

    /// When `lines` has something to tell again; nil: nothing waits.
    public var deadline: Seconds? { waiting.isEmpty ? nil : allowance.due(1) }

    /// What may be told now. `isEnd`: nothing more will come.
    public mutating func lines(now: Seconds, isEnd: Bool = false) -> [String] {
        if isEnd { put() }
        guard let newest = waiting.popLast() else { return [] }
        var result = waiting.prefix(allowance.take(waiting.count, now: now)).map(Self.text)
        skipped += waiting.count - result.count
        waiting = []
        guard isEnd || allowance.take(now: now) == 1 else {
            waiting = [newest]
            return result
        }
        let text = Self.text(newest)
        result.append(skipped == 0 ? text : "\(text) (\(skipped) lines before it were left out)")
        skipped = 0
        return result
    }

    /// The next child's log.
    public mutating func begin() { newest = nil }
}
