/// A finished chunk in a folder.
public struct ChunkEntry: Sendable, Equatable {
    /// Its name.
    public var name: ChunkName
    /// The size of its file, in bytes.
    public var bytes: Int
    /// The size of the file with its poses, in bytes; 0 if it has none.
    public var poseBytes = 0
    /// Whether a server has received it.
    public var isSent = false
    /// Whether its owner wants to keep it.
    public var isKept = false
    /// Whether it is being sent now.
    public var isBusy = false
    /// Whether the date in its name can be right.
    public var isDated = true
    /// When its file was written last, in milliseconds since 1970; 0 if it is not known. Its age follows from this if
    /// its name cannot be right.
    public var modified = 0

    /// Creates an entry that was not sent.
    public init(name: ChunkName, bytes: Int) { (self.name, self.bytes) = (name, max(0, bytes)) }

    /// The size of all its files, in bytes.
    var room: Int { bytes + poseBytes }
}

extension ChunkEntry {
    /// Whether the date in its name can be right, by a clock that is.
    fileprivate func hasDate(_ now: Int) -> Bool { isDated && name.start <= now }

    /// Whether the time of its file can be right.
    fileprivate func hasTime(_ now: Int) -> Bool { modified <= now && ChunkClock.isPlausible(modified) }

    /// The date of its end, as far as it is known.
    fileprivate func end(_ now: Int) -> Int { hasDate(now) ? name.end : modified }
}

/// How much chunks may take.
public struct RingLimits: Sendable, Equatable {
    /// The room for all files, in bytes (16 GB).
    public var budget = 16_000_000_000
    /// The age at which a chunk is deleted, in milliseconds; nil for none (72 hours).
    public var age: Int? = 72 * 3_600_000

    /// Creates the default limits.
    public init() {}
}

/// The space of a disk, in bytes.
public struct DiskSpace: Sendable, Equatable {
    /// What this user may still write.
    public var free: Int
    /// The size of the disk.
    public var total: Int

    /// Creates a reading.
    public init(free: Int, total: Int) { (self.free, self.total) = (free, total) }
}

/// The finished chunks of a folder, and which of them must go. Pure.
public struct ChunkRing: Sendable, Equatable {
    /// What to do before more is written.
    public struct Room: Sendable, Equatable {
        /// The chunks to delete, in this order.
        public var delete: [ChunkEntry] = []
        /// The chunks whose age is not known. It counts from now on, so their files must be marked as written now.
        public var undated: [ChunkEntry] = []
        /// Why there is no room even then, or nil if there is.
        public var problem: String?

        /// The number of deleted chunks that no server has received.
        public var unsent: Int { delete.count { !$0.isSent } }
    }

    /// The share of a disk that is never used, 5 %.
    static let untouched = 20
    /// The least space that stays free, in bytes (256 MB).
    static let reserve = 256_000_000
    /// The need of a chunk before one was finished, in bytes a second: x264's `ultrafast` at 640 x 480, 30 a second.
    static let guess = 300_000

    /// The limits.
    public var limits: RingLimits
    /// The chunks, the oldest first.
    public private(set) var entries: [ChunkEntry]
    /// The size of all chunks, in bytes.
    public private(set) var used = 0
    /// The sizes of the last three chunks.
    private var recent: [Int] = []
    /// The length of a chunk, in seconds.
    private let length: Double

    /// Creates a ring of these chunks. `length`: of a chunk, in seconds.
    public init(_ limits: RingLimits, length: Double, entries: [ChunkEntry] = []) {
        (self.limits, self.length) = (limits, length)
        self.entries = entries.sorted { $0.name.start < $1.name.start }
        used = entries.reduce(0) { $0 + $1.room }
    }

    /// The room that the next chunk needs, in bytes: half as much again as the largest of the last three.
    public var need: Int { (recent.max() ?? Int(length * Double(Self.guess))) * 3 / 2 }

    /// The space that stays free on a disk, in bytes.
    func reserve(of space: DiskSpace) -> Int { max(2 * need, Self.reserve, space.total / Self.untouched) }

    /// Adds a finished chunk.
    public mutating func add(_ entry: ChunkEntry) {
        restore(entry)
        recent = (recent + [entry.room]).suffix(3)
    }

    /// Adds a chunk that is not new: it could not be deleted, or was put back. The need does not follow it.
    public mutating func restore(_ entry: ChunkEntry) {
        remove(entry.name.start)
        let place = entries.lastIndex { $0.name.start < entry.name.start }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
        used += entry.room
    }

    /// Removes the chunk with this date.
    public mutating func remove(_ start: Int) {
        guard let place = place(of: start) else { return }
        used -= entries[place].room
        entries.remove(at: place)
    }

    /// Changes the chunk with this date, if there is one; not its date.
    public mutating func change(_ start: Int, _ body: (inout ChunkEntry) -> Void) {
        guard let place = place(of: start) else { return }
        used -= entries[place].room
        body(&entries[place])
        used += entries[place].room
    }

    private func place(of start: Int) -> Int? {
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name.start < start { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].name.start == start ? low : nil
    }

    /// Decides which chunks go, and removes them from the ring.
    ///
    /// Chunks that are too old go first. If there is still no room, chunks that a server has go, and then the others,
    /// each time the oldest first. A chunk that is kept or is being sent never goes, and none goes in vain.
    /// - Parameters:
    ///   - open: what the chunk that is being written has by now, in bytes.
    ///   - more: the room that is needed in addition, in bytes.
    ///   - now: milliseconds since 1970; nil if the clock may be wrong. Then no chunk is too old.
    public mutating func makeRoom(open: Int, more: Int, space: DiskSpace, now: Int?) -> Room {
        var room = Room(), free = space.free
        let reserve = reserve(of: space), budget = limits.budget
        func isEnough(_ used: Int, _ free: Int) -> Bool { used + open + more <= budget && free >= reserve + more }
        if let now, let age = limits.age {
            room.undated = date(now)
            free += delete({ $0.end(now) < now - age }, until: { _, _ in false }, free: free, into: &room)
        }
        // If another program has filled the disk, all recordings together may not be enough. Then none goes for that.
        let canFree = free + entries.reduce(0) { $0 + ($1.isKept || $1.isBusy ? 0 : $1.room) } >= reserve + more
        for isSent in [true, false] where !isEnough(used, free) {
            free += delete(
                { $0.isSent == isSent }, until: { isEnough($0, canFree ? $1 : .max / 2) }, free: free, into: &room)
        }
        if !isEnough(used, free) { room.problem = problem(open + more, free: free, reserve: reserve, more: more) }
        return room
    }

    /// Lets the age of chunks count from now on if neither their name nor their file says it: the clock was not set yet
    /// when they were recorded, or was ahead. Returns them.
    private mutating func date(_ now: Int) -> [ChunkEntry] {
        let places = entries.indices.filter { !entries[$0].hasDate(now) && !entries[$0].hasTime(now) }
        for place in places { entries[place].modified = now }
        return places.map { entries[$0] }
    }

    /// Deletes the oldest that qualify, until the rest fits. Returns the bytes that become free.
    private mutating func delete(
        _ qualifies: (ChunkEntry) -> Bool, until isEnough: (Int, Int) -> Bool, free: Int, into room: inout Room
    ) -> Int {
        var gained = 0, kept: [ChunkEntry] = []
        kept.reserveCapacity(entries.count)
        for entry in entries {
            guard !isEnough(used, free + gained), qualifies(entry), !entry.isKept, !entry.isBusy else {
                kept.append(entry)
                continue
            }
            room.delete.append(entry)
            used -= entry.room
            gained += entry.room
        }
        entries = kept
        return gained
    }

    private func problem(_ needed: Int, free: Int, reserve: Int, more: Int) -> String {
        guard used + needed <= limits.budget else {
            return "the budget of \(ByteSize.words(limits.budget)) is used up by chunks that must not be deleted"
        }
        let needs = ByteSize.words(reserve + more)
        return "the disk is full: \(ByteSize.words(max(0, free))) are free, and \(needs) are needed"
    }
}
