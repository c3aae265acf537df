public import DockTypes

/// What a folder of recordings has, for verbs.
public struct FolderSummary: Sendable, Equatable {
    /// The path of the folder.
    public var folder: String
    /// The finished chunks with what is known of them, the oldest first.
    public var chunks: [Chunk] = []
    /// The chunks that are being written, or that a recorder has left open.
    public var open: [PartName] = []
    /// Whether a recorder uses the folder now.
    public var isRecording = false
    /// Where that recorder takes sound from; nil if it records none, or if there is no recorder.
    public var sound: String?
    /// The space of its disk, or nil if it is not known.
    public var space: DiskSpace?

    /// A chunk in the folder.
    public struct Chunk: Sendable, Equatable {
        /// What is known of it.
        public var record: ChunkRecord
        /// The size of its file, in bytes.
        public var bytes: Int
        /// The size of the file with its poses, in bytes; 0 if it has none.
        public var poseBytes: Int

        /// Describes a chunk with files of these sizes.
        public init(record: ChunkRecord, bytes: Int, poseBytes: Int = 0) {
            (self.record, self.bytes, self.poseBytes) = (record, bytes, poseBytes)
        }
    }

    /// Creates the summary of a folder that does not exist yet.
    public init(folder: String) { self.folder = folder }

    /// Reads a folder. A recorder that uses it is not disturbed.
    public init(_ folder: ChunkFolder) throws(DockError) {
        self.folder = folder.path
        let listing = try folder.list(), book = ChunkLists(folder).read(listing.lists)
        chunks = listing.chunks.map { entry in
            var record = book.record(of: entry.name)
            record.hasPoses = entry.poseBytes > 0
            return Chunk(record: record, bytes: entry.bytes, poseBytes: entry.poseBytes)
        }
        open = listing.parts
        isRecording = RecorderLock.isHeld(folder)
        let note = RecorderLock.note(folder)
        sound = note.isEmpty ? nil : note
        space = try? folder.space()
    }

    /// The size of all chunks and their poses, in bytes.
    public var bytes: Int { chunks.reduce(0) { $0 + $1.bytes + $1.poseBytes } }
    /// The number of chunks that no server has.
    public var unsent: Int { chunks.count { $0.record.sentAt == nil } }
    /// How all frames were recorded, as far as that is known.
    public var tally: ChunkTally { chunks.reduce(ChunkTally()) { $0 + $1.record.tally } }
    /// The length of all chunks, in milliseconds.
    public var length: Int { chunks.reduce(0) { $0 + $1.record.name.duration } }
}
