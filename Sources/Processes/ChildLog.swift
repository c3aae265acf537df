public import Geometry
internal import PlainText

/// A child's standard error as lines of at most 400 bytes for a log: the first twenty, then the newest once a second
/// with the number of omitted lines.
///
/// A child that floods costs little: 1 MiB per second is read. The rest stays in the pipe, and the child waits.
public struct ChildLog: Sendable {
    private static let most = 20, longest = 400
    /// The bytes per second, the largest burst, and the smallest amount worth waking the thread for.
    private static let bytesPerSecond = 1 << 20, burst = 1 << 18, piece = 1 << 13
    private var bytes = Allowance(Double(bytesPerSecond), most: Double(burst))
    /// Nothing is read before this time, because the child has written more than it may.
    private var opensAt: Seconds = -.infinity
    private var line: [UInt8] = []
    /// Raw bytes, because most lines of a flood are never shown.
    private var waiting: [[UInt8]] = []
    private var allowance = Allowance(1, most: Double(most))
    /// The number of lines that were omitted before the last of `waiting`.
    private var skipped = 0
    private var newest: [UInt8]?
    /// The last line, or nil if there was none.
    public var last: String? { newest.map(Self.text) }

    /// Creates an empty log.
    public init() {}

    /// Returns how many bytes may be read now; 0 means none before `opens`.
    public mutating func room(now: Seconds) -> Int {
        let room = bytes.available(now: now)
        if room >= Self.piece { return room }
        opensAt = bytes.due(Self.piece)
        return 0
    }

    /// Returns when to wait for standard error again, or nil if that is now.
    public func opens(after now: Seconds) -> Seconds? { opensAt > now ? opensAt : nil }

    /// Processes bytes that were read.
    /// - Parameter isKept: whether a line, cut to 400 bytes, belongs to the log. It sees all lines, also those that are
    ///   omitted later.
    public mutating func feed(
        _ read: UnsafeRawBufferPointer, now: Seconds, isKept: ([UInt8]) -> Bool = { _ in true }
    ) {
        _ = bytes.spend(read.count, now: now)
        for byte in read {
            if byte == 0x0A {
                put(isKept)
            } else if line.count < Self.longest {
                line.append(byte)
            }
        }
    }

    private mutating func put(_ isKept: ([UInt8]) -> Bool = { _ in true }) {
        // Handles tabs and two-byte line ends, which ordinary programs write.
        if line.last == 0x0D { line.removeLast() }
        for index in line.indices where line[index] == 0x09 { line[index] = 0x20 }
        guard !line.isEmpty else { return }
        guard isKept(line) else { return line = [] }
        // Of too many lines, only the newest is kept.
        if waiting.count > Self.most {
            waiting.removeLast()
            skipped += 1
        }
        waiting.append(line)
        newest = line
        line = []
    }

    private static func text(_ line: [UInt8]) -> String {
        // Escapes may lengthen the line. Readers detect by the length whether it was cut.
        ForeignText.line(bytes: line, longest: longest * 6)
    }

    /// When `lines` has output again, or nil if no lines wait.
    public var deadline: Seconds? { waiting.isEmpty ? nil : allowance.due(1) }

    /// Returns the lines that may be logged now. `isEnd`: there is no more input.
    public mutating func lines(now: Seconds, isEnd: Bool = false) -> [String] {
        if isEnd { put() }
        guard let newest = waiting.popLast() else { return [] }
        var result = waiting.prefix(allowance.spend(waiting.count, now: now)).map(Self.text)
        skipped += waiting.count - result.count
        waiting = []
        guard isEnd || allowance.spend(now: now) == 1 else {
            waiting = [newest]
            return result
        }
        let text = Self.text(newest)
        result.append(skipped == 0 ? text : "\(text) (\(skipped) earlier lines omitted)")
        skipped = 0
        return result
    }

    /// Starts the log of the next child.
    public mutating func begin() { newest = nil }
}
