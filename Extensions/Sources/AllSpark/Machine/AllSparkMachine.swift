public import Geometry

/// The conversation with one AllSpark server as a pure value: it receives events and the time, and returns actions.
///
/// The caller carries out the actions in order. It sends one message at a time and reports `written` after each. It
/// owns the connection, the files and the recorder; the machine decides what is sent, when, and whether at all.
public struct AllSparkMachine: Sendable {
    /// A time on both clocks.
    public struct Moment: Sendable, Equatable {
        /// CLOCK_MONOTONIC.
        public var monotonic: Seconds
        /// Seconds since 1970.
        public var unix: Double

        /// Creates a time.
        public init(monotonic: Seconds, unix: Double) { (self.monotonic, self.unix) = (monotonic, unix) }
    }

    /// What happens.
    public enum Event: Sendable, Equatable {
        /// The owner wants the connection.
        case start
        /// The owner wants it no more.
        case stop
        /// The connection is made: the answer to `connect`.
        case opened(PeerFacts)
        /// No connection could be made, and why: the answer to `connect`.
        case refused(String)
        /// The connection has ended. `code`: the number in the server's close frame, if it sent one.
        case ended(code: Int?, reason: String)
        /// A text message has arrived.
        case received([UInt8])
        /// The last `send` or `sendFile` is complete.
        case written
        /// The recorder has finished a chunk.
        case recorded(ChunkReference)
        /// The answer to `find`: chunks that overlap the range, the oldest first. `isComplete`: there are no others.
        case found(Int, [ChunkReference], isComplete: Bool)
        /// The answer to `prepare`: the file can be read.
        case prepared(FileNeed, bytes: Int)
        /// The answer to `prepare`: the file does not exist, and why.
        case unavailable(FileNeed, reason: String)
        /// The owner uploads the chunks of a time.
        case upload(TimeRange)
    }

    /// What to do.
    public enum Action: Sendable, Equatable {
        /// Connect to the server, as it was described and in no other way. Report `opened` or `refused`.
        case connect
        /// End the connection or the attempt, with a reason for the server. Report `ended` or `refused`.
        case disconnect(reason: String)
        /// Send a text message. Report `written`.
        case send([UInt8])
        /// Send a file as one binary message of so many bytes. Report `written`.
        case sendFile(FileNeed, bytes: Int)
        /// Look for chunks. Report `found`. A chunk that is still being recorded is ended first, or waited for.
        case find(FindRequest)
        /// Open a file; a companion is made first. Report `prepared` or `unavailable`.
        case prepare(FileNeed)
        /// Close a file that was prepared. A companion may be deleted.
        case release(FileNeed)
        /// The server has confirmed a chunk's video.
        case uploaded(chunk: Int)
        /// Record like this from the next chunk on.
        case configure(RecordingConfig)
        /// Start a recording that the owner allows.
        case startRecording(RecordRequest)
        /// Show the state of the connection.
        case show(LinkState)
        /// Write to the program's log.
        case log(String, isWarning: Bool)
        /// Write a line about what left the machine.
        case audit(AuditRecord)
    }

    let server: AllSparkServer
    let terms: OwnerTerms
    let naming: UploadName

    var link = Link.stopped
    var plan = ReconnectPlan()
    var answers = AnswerQueue()
    var queue = UploadQueue()
    var course: UploadCourse?
    /// Chunks that the server has not heard of; at most `mostAnnouncements`, without the oldest.
    var announcements: [ChunkReference] = []
    /// The recording as it was agreed last.
    public internal(set) var config: RecordingConfig
    var gates = Gates()
    /// The state that was shown last.
    public internal(set) var state = LinkState.off
    /// No upload starts before this time, CLOCK_MONOTONIC.
    var pausedUntil: Seconds = -.infinity
    /// Chunks that start before this time are uploaded, because a recording was requested with them; Unix seconds.
    var uploadsUntil = -Double.infinity

    static let mostAnnouncements = 64
    /// How long uploads wait for the server's configuration after a connection.
    static let configPatience: Seconds = 5

    /// Creates the conversation. It begins with `start`.
    public init(server: AllSparkServer, terms: OwnerTerms, naming: UploadName) {
        (self.server, self.terms, self.naming) = (server, terms, naming)
        config = RecordingConfig(terms)
    }

    /// The number of chunks that wait to be uploaded, including the one that is being sent. A range that was not
    /// searched yet does not count.
    public var waitingChunks: Int { queue.tasks.count + (course == nil ? 0 : 1) }

    /// Whether no upload is left to do.
    public var isIdle: Bool { queue.isEmpty && course == nil }

    // MARK: events

    /// Handles an event, and returns what to do.
    public mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .start: start(now, &actions)
        case .stop: stop(&actions)
        case .opened(let facts): opened(facts, now, &actions)
        case .refused(let reason): refused(reason, now, &actions)
        case .ended(let code, let reason): ended(code, reason, now, &actions)
        case .received(let bytes): received(ServerMessage(bytes), now, &actions)
        case .written: written(now, &actions)
        case .recorded(let chunk): recorded(chunk, now, &actions)
        case .found(let number, let chunks, let isComplete): found(number, chunks, isComplete, now, &actions)
        case .prepared(let need, let bytes): prepared(need, bytes, now, &actions)
        case .unavailable(let need, let reason): unavailable(need, reason, &actions)
        case .upload(let range): upload(range, &actions)
        }
        proceed(now, &actions)
        return actions
    }

    /// Does what is due. Call it at `deadline`.
    public mutating func tick(at now: Moment) -> [Action] {
        var actions: [Action] = []
        due(now, &actions)
        proceed(now, &actions)
        return actions
    }

    /// The gates for what a server can cause.
    struct Gates: Sendable, Equatable { var lines = LineGate(), requests = RateGate() }
}
