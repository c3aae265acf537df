/// A chunk on its way to the server.
struct UploadTask: Sendable, Equatable {
    let chunk: ChunkReference
    /// The files that the server still lacks, in order, or nil before the first attempt.
    var missing: [FileRole]?
    /// How often the server has refused a file of it, and how often a connection has ended while one was sent.
    var refusals = 0, breaks = 0

    init(_ chunk: ChunkReference) { self.chunk = chunk }
}

/// Asks the caller which chunks it keeps from a time.
public struct FindRequest: Sendable, Equatable {
    /// The number that the answer repeats.
    public let number: Int
    /// The time.
    public let range: TimeRange
    /// The maximum number of chunks in the answer.
    public let limit: Int
}

/// The chunks to upload, as a pure value: each once, the oldest first.
///
/// At most 256 chunks wait. A request for more remains a range, and its rest is searched when there is room, so no
/// request is lost. At most 64 ranges wait; others are refused, and the server can repeat them.
struct UploadQueue: Sendable, Equatable {
    static let most = 256, mostRanges = 64

    private(set) var tasks: [UploadTask] = []
    private var ranges: [TimeRange] = []
    private var search: FindRequest?
    private var searches = 0
    /// The chunk that is being sent.
    private var current: Int?

    /// Whether anything is left to do.
    var isEmpty: Bool { tasks.isEmpty && ranges.isEmpty && search == nil && current == nil }

    /// Adds a chunk, unless it waits already or is being sent. Returns false if there is no room.
    mutating func add(_ chunk: ChunkReference) -> Bool {
        guard current != chunk.number, !tasks.contains(where: { $0.chunk.number == chunk.number }) else { return true }
        guard tasks.count < Self.most else { return chunk.range.map { request($0) } ?? false }
        insert(UploadTask(chunk))
        return true
    }

    /// Requests the chunks of a time. Returns false if there is no room.
    mutating func request(_ range: TimeRange) -> Bool {
        guard !ranges.contains(range) else { return true }
        guard ranges.count < Self.mostRanges else { return false }
        ranges.append(range)
        return true
    }

    /// Returns the next search, if there is a range and room for its chunks.
    mutating func nextSearch() -> FindRequest? {
        guard search == nil, !ranges.isEmpty, tasks.count <= Self.most / 2 else { return nil }
        searches += 1
        let next = FindRequest(number: searches, range: ranges.removeFirst(), limit: Self.most - tasks.count)
        search = next
        return next
    }

    /// Adds what a search has found. Returns the search, or nil if the number is not that of the last one.
    mutating func found(_ number: Int, _ chunks: [ChunkReference], isComplete: Bool) -> FindRequest? {
        guard let search, search.number == number else { return nil }
        self.search = nil
        for chunk in chunks.prefix(search.limit) { _ = add(chunk) }
        // The last chunk of this part ends where the next part starts.
        if !isComplete || chunks.count > search.limit, let last = chunks.prefix(search.limit).last,
            last.end > search.range.start, let rest = TimeRange(start: last.end, end: search.range.end)
        {
            ranges.insert(rest, at: 0)
        }
        return search
    }

    /// Removes the oldest chunk, in order to send it.
    mutating func take() -> UploadTask? {
        guard current == nil, !tasks.isEmpty else { return nil }
        let task = tasks.removeFirst()
        current = task.chunk.number
        return task
    }

    /// Records that the taken chunk is done. `again`: it was not.
    mutating func finish(again task: UploadTask? = nil) {
        current = nil
        if let task { insert(task) }
    }

    /// Forgets all. An answer to an older search is still recognised as such.
    mutating func removeAll() {
        (tasks, ranges, search, current) = ([], [], nil, nil)
    }

    private mutating func insert(_ task: UploadTask) {
        let place = tasks.firstIndex { $0.chunk.number > task.chunk.number } ?? tasks.endIndex
        tasks.insert(task, at: place)
    }
}
