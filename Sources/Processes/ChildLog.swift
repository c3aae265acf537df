public import Geometry
internal import PlainText

/// What a child writes to standard error, as lines for a log: at most twenty a second, of at most 400 bytes.
public struct ChildLog: Sendable {
    private static let most = 20, longest = 400
    private var line: [UInt8] = []
    private var waiting: [String] = []
    private var left = most
    private var until: Seconds = -.infinity
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
        guard waiting.count < Self.most else {
            skipped += 1
            return
        }
        waiting.append(text)
    }

    /// When `lines` has something to tell again; nil: nothing waits.
    public var deadline: Seconds? { waiting.isEmpty && skipped == 0 ? nil : until }

    /// What may be told now. `isEnd`: nothing more will come.
    public mutating func lines(now: Seconds, isEnd: Bool = false) -> [String] {
        if isEnd { put() }
        if now >= until { (left, until) = (Self.most, now + 1) }
        var result = Array(waiting.prefix(left))
        waiting.removeFirst(result.count)
        left -= result.count
        if skipped > 0, waiting.isEmpty, left > 0 || isEnd {
            result.append("(\(skipped) lines more)")
            skipped = 0
            left = max(left - 1, 0)
        }
        if isEnd { waiting = [] }
        return result
    }

    /// The next child's log.
    public mutating func begin() { last = nil }
}
