public import Geometry
internal import PlainText

/// What a child writes to standard error, as lines of at most 400 bytes for a log: the first twenty, then the newest once a second
/// and how many were left out.
public struct ChildLog: Sendable {
    private static let most = 20, longest = 400
    private var line: [UInt8] = []
    private var waiting: [String] = []
    private var allowance = Allowance(1, most: Double(most))
    /// Lines before the last of `waiting` that were left out.
    private var skipped = 0
    /// The last line that came; nil: none has.
    public private(set) var last: String?

    /// Nothing was said yet.
    public init() {}

    /// Takes in what was read.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
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
        // Escapes may make it longer: who reads it tells by its length whether it was cut.
        let text = ForeignText.line(bytes: line, longest: Self.longest * 6)
        line.removeAll(keepingCapacity: true)
        last = text
        // Of too many the newest waits.
        if waiting.count > Self.most {
            waiting.removeLast()
            skipped += 1
        }
        waiting.append(text)
    }

    /// When `lines` has something to tell again; nil: nothing waits.
    public var deadline: Seconds? { waiting.isEmpty ? nil : allowance.due(1) }

    /// What may be told now. `isEnd`: nothing more will come.
    public mutating func lines(now: Seconds, isEnd: Bool = false) -> [String] {
        if isEnd { put() }
        guard let newest = waiting.popLast() else { return [] }
        var result = Array(waiting.prefix(allowance.take(waiting.count, now: now)))
        skipped += waiting.count - result.count
        waiting = []
        guard isEnd || allowance.take(now: now) == 1 else {
            waiting = [newest]
            return result
        }
        result.append(skipped == 0 ? newest : "\(newest) (\(skipped) lines before it were left out)")
        skipped = 0
        return result
    }

    /// The next child's log.
    public mutating func begin() { last = nil }
}
