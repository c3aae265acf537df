internal import Geometry

/// The answers that are still to come, oldest first. They carry no number, but arrive in the order of the messages.
struct AnswerQueue: Sendable, Equatable {
    /// What a message was.
    enum Subject: Sendable, Equatable {
        case announcement(ChunkReference)
        case file(FileNeed)
    }

    /// How long an answer may take for a message without a file, and how many bytes the slowest link carries in a
    /// second.
    static let patience: Seconds = 30, slowest = 100_000.0
    /// The maximum number of answers that are waited for. Announcements wait until there is room.
    static let most = 8

    private var waiting: [(subject: Subject, deadline: Seconds)] = []

    /// Whether another message may be sent.
    var hasRoom: Bool { waiting.count < Self.most }
    /// What the next answer is about.
    var next: Subject? { waiting.first?.subject }
    /// When the oldest answer is too late, or nil if none is waited for.
    var deadline: Seconds? { waiting.first?.deadline }

    /// Expects an answer to a message that is sent now, with a file of so many bytes.
    mutating func expect(_ subject: Subject, bytes: Int = 0, now: Seconds) {
        waiting.append((subject, now + Self.patience + Double(max(0, bytes)) / Self.slowest))
    }

    /// Removes the oldest.
    mutating func pop() { if !waiting.isEmpty { waiting.removeFirst() } }

    /// Forgets all, because the connection has ended. Returns the chunks whose announcements were not answered.
    mutating func removeAll() -> [ChunkReference] {
        defer { waiting = [] }
        return waiting.compactMap { if case .announcement(let chunk) = $0.subject { chunk } else { nil } }
    }

    /// Whether they expect the same.
    static func == (a: AnswerQueue, b: AnswerQueue) -> Bool { a.waiting.elementsEqual(b.waiting, by: ==) }
}
