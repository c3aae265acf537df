internal import Geometry

/// Which chunks make a film of a range of time, and how they are joined. Pure.
public struct ExportPlan: Sendable, Equatable {
    /// A chunk, and what of it is used.
    public struct Piece: Sendable, Equatable {
        /// The chunk.
        public var name: ChunkName
        /// Until the next piece begins, in milliseconds since the beginning of the chunk.
        public var length: Int
        /// Where the piece begins and ends in the chunk, in milliseconds; nil at its own beginning and end.
        public var from: Int?, to: Int?
    }

    /// Chunks that are encoded alike, so that they are joined without encoding pictures again: one film.
    public struct Part: Sendable, Equatable {
        /// The chunks, in order.
        public var pieces: [Piece]
    }

    /// A time between two chunks in which nothing was recorded, in milliseconds since 1970.
    public struct Gap: Sendable, Equatable {
        /// Its beginning and end.
        public var from: Int, to: Int
    }

    /// The films.
    public private(set) var parts: [Part] = []
    /// The times that are missing in between. They are left out of the films.
    public private(set) var gaps: [Gap] = []

    /// Two chunks with at most this distance are one recording, in milliseconds (1 s). They keep their distance.
    static let nearest = 1000

    /// Plans a film.
    /// - Parameters:
    ///   - chunks: each with the number of its coding (`FilmLength`).
    ///   - range: what is wanted. It begins with the nearest picture before it that stands alone, at most a second.
    public init(_ chunks: [(name: ChunkName, coding: UInt64)], range: DateRange) {
        let wanted = chunks.filter { range.contains($0.name) }.sorted { $0.name.start < $1.name.start }
        var coding: UInt64?
        for (place, chunk) in wanted.enumerated() {
            let next = place + 1 < wanted.count ? wanted[place + 1].name : nil
            let piece = Self.piece(chunk.name, next: next, range)
            if let next, !Self.isNear(chunk.name, next) { gaps.append(Gap(from: chunk.name.end, to: next.start)) }
            if coding == chunk.coding {
                parts[parts.count - 1].pieces.append(piece)
            } else {
                parts.append(Part(pieces: [piece]))
            }
            coding = chunk.coding
        }
    }

    private static func isNear(_ name: ChunkName, _ next: ChunkName) -> Bool { next.start - name.end <= nearest }

    private static func piece(_ name: ChunkName, next: ChunkName?, _ range: DateRange) -> Piece {
        let from = range.from > name.start ? range.from - name.start : nil
        let to = range.to < name.end ? range.to - name.start : nil
        var length = max(1, name.duration)
        // Chunks of a clock that was set back overlap; each is shown as a whole then.
        if let next, isNear(name, next), next.start - name.start > name.duration / 2 {
            length = next.start - name.start
        }
        return Piece(name: name, length: max(1, (to ?? length) - (from ?? 0)), from: from, to: to)
    }

    /// The length of all films, in milliseconds.
    public var length: Int { parts.reduce(0) { $0 + $1.pieces.reduce(0) { $0 + $1.length } } }

    /// The names of the chunks.
    public var names: [ChunkName] { parts.flatMap { $0.pieces.map(\.name) } }
}

extension ExportPlan.Part {
    /// The list of chunks for ffmpeg's concat demuxer; `folder` is a path that begins with a slash.
    func list(in folder: String) -> String {
        var lines = ["ffconcat version 1.0"]
        for piece in pieces {
            let path = folder + "/" + piece.name.file
            lines.append(
                "file 'file:"
                    + path.split(separator: "'", omittingEmptySubsequences: false)
                    .joined(separator: "'\\''") + "'")
            // Otherwise the first packet would count as the beginning. That of sound may be 21 ms before the pictures.
            lines.append("inpoint " + Self.seconds(piece.from ?? 0))
            if let to = piece.to { lines.append("outpoint " + Self.seconds(to)) }
            lines.append("duration " + Self.seconds(piece.length))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func seconds(_ milliseconds: Int) -> String {
        let rest = milliseconds % 1000
        return "\(milliseconds / 1000)." + (rest < 10 ? "00" : rest < 100 ? "0" : "") + "\(rest)"
    }
}
