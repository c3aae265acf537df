public import AllSpark
public import DockTypes
public import Networking

/// What a conversation with a server needs from the program around it.
public protocol UploadDesk: Sendable {
    /// Returns the chunks of a time, the oldest first, at most `limit`; and whether there are no others. A chunk that
    /// is still being recorded is ended first, or waited for.
    func chunks(in range: TimeRange, limit: Int) async -> (chunks: [ChunkReference], isComplete: Bool)

    /// Opens a file of a chunk. A companion is made first.
    /// - Throws: the reason why there is no such file.
    func open(_ need: FileNeed) async throws(DockError) -> FileSource

    /// The file is no longer needed.
    func close(_ need: FileNeed)

    /// Keeps a line about what leaves the machine, before it leaves.
    /// - Throws: the reason why the line cannot be kept. Then nothing leaves.
    func keep(_ record: AuditRecord) throws(DockError)

    /// Receives news. It must return at once.
    func note(_ news: UploadNews)
}

/// What a conversation tells the program around it.
public enum UploadNews: Sendable, Equatable {
    /// The server has confirmed a chunk's video.
    case uploaded(chunk: Int)
    /// Record like this from the next chunk on.
    case configured(RecordingConfig)
    /// The server wants a recording, and the owner allows it.
    case recordingRequested(RecordRequest)
    /// The state of the connection, and its words.
    case state(LinkState, String)
    /// A line for the log.
    case log(String, isWarning: Bool)
    /// So many bytes of a file are on their way.
    case progress(FileNeed, sent: Int, of: Int)
    /// No upload is left to do, or there is one again.
    case idle(Bool)
}
