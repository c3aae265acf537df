internal import ControlProtocol

/// The input of one connection: its waiting lines, and whether more may arrive. It is pure: the connection reads the
/// socket.
struct ConnectionInput {
    /// Progress of the first line. This line, and its answer, take precedence over those of other clients.
    private enum FirstLine { case expected, underWay, answered }

    /// The number of bytes to read ahead if there is no room for answers, so that a stop among them is detected.
    static let lookahead = 1 << 16
    /// The maximum length of a first line that is read before everything else, in bytes. A stop is much shorter.
    static let shortLine = 8192

    private var framer = LineFramer()
    private var firstLine = FirstLine.expected
    /// Whether the client has closed its writing side.
    private(set) var hasEnded = false
    /// Whether whole lines may still wait.
    private(set) var hasLines = false
    /// Whether it contains something that cannot be parsed further: the rest is not read, and the connection ends after
    /// the pending answers.
    private(set) var isRefused = false

    /// The number of waiting bytes.
    var count: Int { framer.count }
    /// The number of bytes that may be appended now.
    var room: Int { framer.room }
    /// All waiting bytes, including a last line without an end.
    var remaining: ArraySlice<UInt8> { framer.remaining }
    /// Whether it may contain a stop.
    var mayStop: Bool { hasLines && framer.remaining.containsStop }

    /// Whether none of its lines has been executed yet.
    var isNew: Bool { firstLine == .expected }
    /// Whether its first line takes precedence over the lines of older connections.
    var goesFirst: Bool { firstLine == .underWay || isNew && framer.count <= Self.shortLine }

    /// Returns whether to read more bytes. `hasRoom`: there is room for more answers. A client that does not read its
    /// answers is still read: its input may contain a stop.
    func isWanted(hasRoom: Bool) -> Bool {
        !hasEnded && (isRefused || (hasRoom ? !hasLines : framer.count < Self.lookahead))
    }

    /// Appends bytes of the client. Those after a refusal are discarded.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !isRefused else { return }
        framer.append(bytes)
        hasLines = true
    }

    /// Appends bytes that matter now only if they contain a stop.
    mutating func appendAhead(_ bytes: ArraySlice<UInt8>) { framer.append(bytes) }

    /// Records that the client sends nothing more.
    mutating func end() {
        hasEnded = true
        hasLines = !isRefused
    }

    /// Returns the next line, if there is one.
    mutating func next() -> LineFramer.Item? {
        if let item = framer.next() {
            if firstLine == .expected { firstLine = .underWay }
            return item
        }
        hasLines = false
        return hasEnded ? framer.finish() : nil
    }

    /// Returns the waiting lines that have not been examined yet.
    mutating func unseen() -> [ArraySlice<UInt8>] { hasLines && !isRefused ? framer.unseen() : [] }

    /// Records that all requests so far have been answered.
    mutating func recordAnswers() { if firstLine == .underWay { firstLine = .answered } }

    /// Refuses the rest, which is not parsed.
    mutating func refuse() {
        isRefused = true
        hasLines = false
    }

    /// Drops the waiting bytes.
    mutating func discard() { framer.discard() }
}
