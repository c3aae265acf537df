internal import Glibc

/// The lists of a folder: `2026-11-27.list` (by UTC) has a line for each chunk that began that day.
struct ChunkLists {
    private let folder: ChunkFolder

    /// The largest list that is read, in bytes (16 MiB). A day of chunks of two seconds has 7 MB.
    static let largest = 16 << 20
    private static let end = ".list"

    init(_ folder: ChunkFolder) { self.folder = folder }

    /// Returns the day of a chunk that begins at this date (milliseconds since 1970).
    static func day(_ start: Int) -> String { WallTime(seconds: start / 1000).date }

    /// Returns the day of a list, or nil if the file is none.
    static func day(of file: String) -> String? {
        guard file.utf8.count == 15, file.hasSuffix(end), file.utf8.first.map({ (0x30...0x39).contains($0) }) == true
        else { return nil }
        return String(file.dropLast(end.utf8.count))
    }

    /// Reads all lists.
    func read(_ days: [String]) -> ChunkBook {
        var book = ChunkBook()
        for day in days.sorted() { book.read(String(decoding: bytes(of: day), as: UTF8.self)) }
        return book
    }

    private func bytes(of day: String) -> [UInt8] {
        (try? folder.bytes(of: day + Self.end, most: Self.largest)) ?? []
    }

    /// Appends a line about a chunk that exists. One that a person has just deleted must leave no trace.
    func add(_ record: ChunkRecord) throws(FileTrouble) {
        try folder.changing { () throws(FileTrouble) in
            if folder.has(record.name.file) { try append(record) }
        }
    }

    /// Appends a line. A list that cannot be written is not worth more than a report: it can be rebuilt.
    func append(_ record: ChunkRecord) throws(FileTrouble) {
        let file = Self.day(record.name.start) + Self.end
        let descriptor = try folder.open(file, O_WRONLY | O_APPEND | O_CREAT)
        defer { close(descriptor) }
        // A line of a recorder that died may have no end.
        let bytes = Array((needsEnd(file) ? "\n" : "").utf8) + Array((record.line + "\n").utf8)
        let count = Glibc.write(descriptor, bytes, bytes.count)
        guard count == bytes.count else {
            throw FileTrouble("write \(file)", count < 0 ? errno : ENOSPC)
        }
    }

    private func needsEnd(_ file: String) -> Bool {
        guard let descriptor = try? folder.open(file, O_RDONLY) else { return false }
        defer { close(descriptor) }
        var last: UInt8 = 0x0A
        guard lseek(descriptor, -1, SEEK_END) >= 0, Glibc.read(descriptor, &last, 1) == 1 else { return false }
        return last != 0x0A
    }

    /// Removes the lines of a day's list that are not about one of these files, and the list if none are left.
    func keep(_ files: Set<String>, of day: String) throws(FileTrouble) {
        let lines = String(decoding: bytes(of: day), as: UTF8.self).split(separator: "\n")
        let left = lines.filter { line in ChunkRecord(line: line).map { files.contains($0.name.file) } ?? false }
        guard left.count < lines.count else { return }
        guard !left.isEmpty else { return try remove(day) }
        // A list that is read meanwhile, or torn by a power cut, is the old one or the new one.
        let draft = "chunk_list" + ChunkFolder.draftEnd
        try folder.remove(draft)
        let descriptor = try folder.open(draft, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(descriptor) }
        let text = Array(left.map { $0 + "\n" }.joined(separator: "").utf8)
        guard Glibc.write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0 else {
            let trouble = FileTrouble("write \(draft)")
            try? folder.remove(draft)
            throw trouble
        }
        try folder.rename(draft, to: day + Self.end)
    }

    /// Deletes the list of a day.
    func remove(_ day: String) throws(FileTrouble) { try folder.remove(day + Self.end) }
}
