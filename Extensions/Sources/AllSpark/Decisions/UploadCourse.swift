internal import Geometry

/// One file on its way to the server, as a pure value: metadata, content, answer.
struct UploadCourse: Sendable, Equatable {
    enum Phase: Sendable, Equatable {
        /// The caller opens or makes the file.
        case preparing
        /// The file can be sent.
        case ready
        /// The metadata is being sent.
        case metadata
        /// The content is being sent.
        case content
        /// All is sent, and the answer has not arrived.
        case answering
        /// The server has refused the file. It may refuse it a second time, until this time.
        case settling(until: Seconds)
    }

    /// How long a second refusal of the same file can take.
    static let settling: Seconds = 3
    /// How often a file may be refused, and how often a connection may end with it, before it is given up.
    static let mostRefusals = 3, mostBreaks = 10
    /// How long to wait after a refusal.
    static let pause: Seconds = 10

    var task: UploadTask
    var phase = Phase.preparing
    /// The size of the file, when the caller has opened it.
    var bytes = 0
    /// The server's words, if it has refused the file.
    var refusal: String?

    init(_ task: UploadTask) { self.task = task }

    /// The file, or nil if all are done.
    var need: FileNeed? { task.missing?.first.map { FileNeed(chunk: task.chunk.number, role: $0) } }

    /// Whether a part of the file can have left this machine.
    var hasLeft: Bool {
        switch phase {
        case .preparing, .ready: false
        case .metadata, .content, .answering, .settling: true
        }
    }

    /// Whether another message may be sent now: none between metadata and content, and none that would get the second
    /// refusal as its answer.
    var allowsOthers: Bool {
        switch phase {
        case .preparing, .ready, .answering: true
        case .metadata, .content, .settling: false
        }
    }

    /// The largest file that a server takes, in bytes (measured; both end the connection after a larger one).
    static func limit(of variant: ServerVariant) -> Int { variant == .node ? 104_857_600 : 314_572_799 }
}
