/// The pictures of an MP4 file: how many, and how long. It is read from boxes, not from the pictures themselves.
public struct FilmLength: Sendable, Equatable {
    /// The number of pictures.
    public internal(set) var frames = 0
    /// From the beginning of the file to the end of the last picture, in ticks.
    var ticks: UInt64 = 0
    /// The ticks a second.
    var rate: UInt32 = 0
    /// A number of how the pictures and the sound are encoded: films with the same one can be joined without encoding
    /// them again.
    public internal(set) var coding: UInt64 = 0
    /// Whether it has a track of sound.
    public internal(set) var hasSound = false

    /// The length in seconds; 0 if it is not known.
    public var seconds: Double { rate == 0 ? 0 : Double(ticks) / Double(rate) }
    /// The length in milliseconds.
    public var milliseconds: Int { Int(min(seconds * 1000, 1e12).rounded()) }
}

/// Reads the length of a film from its `moov` and `moof` boxes, whose bytes may be from anywhere. Pure.
struct FilmReader: Equatable {
    /// The track of the pictures; nil before a `moov` with one.
    private var track: UInt32?
    /// How long a picture is shown if its fragment does not say, in ticks.
    private var usual: UInt32 = 0
    private(set) var length = FilmLength()

    /// What a `moov` says about a track.
    private struct Found {
        var kind: UInt32 = 0, track: UInt32?, rate: UInt32 = 0, ticks: UInt64 = 0, frames = 0
        var description: UnsafeRawBufferPointer?
    }

    /// Pictures in a fragment, at most; more is no film of ours.
    private static let most = 100_000

    /// Reads a piece of a film of fragments.
    mutating func read(_ piece: FragmentStream.Whole) {
        var new = self
        piece.bytes.withUnsafeBytes { bytes in
            bytes.boxes { kind, body in
                if kind == BoxKind.movie { new.readMovie(body) }
                if kind == BoxKind.fragment { new.readFragment(body) }
            }
        }
        self = new
    }

    /// Reads the body of a `moov` box.
    mutating func readMovie(_ body: UnsafeRawBufferPointer) {
        var pictures: Found?, sound: Found?
        var defaults: [UInt32: UInt32] = [:]
        body.boxes { kind, inner in
            if kind == BoxKind.track, case let found = Self.track(inner), found.track != nil {
                if found.kind == BoxKind.video { pictures = pictures ?? found }
                if found.kind == BoxKind.sound { sound = sound ?? found }
            }
            guard kind == BoxKind.extends else { return }
            inner.boxes { kind, row in
                // Version and flags, the track, its description, the duration.
                guard kind == BoxKind.defaults, defaults.count < 16, let id = row.number32(4) else { return }
                defaults[id] = row.number32(12) ?? 0
            }
        }
        guard let pictures, let track = pictures.track else { return }
        (self.track, usual) = (track, defaults[track] ?? 0)
        (length.rate, length.ticks, length.frames) = (pictures.rate, pictures.ticks, pictures.frames)
        length.coding = pictures.description.map(Self.coding(pictures:)) ?? 0
        length.hasSound = sound != nil
        if let sound { length.coding = length.coding &* 31 &+ (sound.description.map(Self.coding(sound:)) ?? 1) }
    }

    /// Reads the body of a `moof` box.
    mutating func readFragment(_ body: UnsafeRawBufferPointer) {
        let (track, usual) = (track, usual)
        var length = length
        body.boxes { kind, part in
            guard kind == BoxKind.trackFragment else { return }
            var isOurs = false, shown = usual, time = length.ticks
            part.boxes { kind, row in
                switch kind {
                case BoxKind.fragmentHeader: (isOurs, shown) = Self.header(row, track: track, usual: usual)
                case BoxKind.decodeTime: time = Self.number(row, isLong: Self.version(row) == 1, at: 4) ?? time
                case BoxKind.run where isOurs:
                    let (count, ticks) = Self.run(row, shown: shown)
                    length.frames += count
                    (time, _) = time.addingReportingOverflow(ticks)
                default: break
                }
            }
            if isOurs { length.ticks = max(length.ticks, time) }
        }
        self.length = length
    }

    private static func track(_ body: UnsafeRawBufferPointer) -> Found {
        var found = Found()
        body.boxes { kind, row in
            if kind == BoxKind.trackHeader { found.track = row.number32(version(row) == 1 ? 20 : 12) }
            guard kind == BoxKind.media else { return }
            row.boxes { kind, row in
                switch kind {
                case BoxKind.mediaHeader:
                    let isLong = version(row) == 1
                    found.rate = row.number32(isLong ? 20 : 12) ?? 0
                    found.ticks = number(row, isLong: isLong, at: isLong ? 24 : 16) ?? 0
                case BoxKind.handler: found.kind = row.number32(8) ?? 0
                case BoxKind.information: readTable(row, into: &found)
                default: break
                }
            }
        }
        return found
    }

    /// Reads the number of pictures in the table of a file without fragments, and how they are encoded.
    private static func readTable(_ body: UnsafeRawBufferPointer, into found: inout Found) {
        var table = (frames: 0, description: UnsafeRawBufferPointer?.none)
        body.boxes { kind, row in
            guard kind == BoxKind.table else { return }
            row.boxes { kind, row in
                if kind == BoxKind.sizes { table.frames = row.number32(8).map { Int($0) } ?? 0 }
                if kind == BoxKind.descriptions { table.description = description(row) }
            }
        }
        (found.frames, found.description) = table
    }

    /// Returns the first description of a table.
    private static func description(_ row: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard row.count > 8, case .header(let entry) = BoxHeader.read(row, at: 8), entry.size <= row.count - 8 else {
            return nil
        }
        return UnsafeRawBufferPointer(rebasing: row[(8 + entry.head)..<(8 + entry.size)])
    }

    /// Returns a number of a description of sound: its channels, and its samples. The rate of bits differs from film
    /// to film.
    private static func coding(sound body: UnsafeRawBufferPointer) -> UInt64 {
        body.count >= 28 ? hash(UnsafeRawBufferPointer(rebasing: body[16..<28])) : 1
    }

    /// Returns a number of a description of pictures: their size, and the parameters of the decoder. Other parts of
    /// it, such as the bit rate, differ from film to film.
    private static func coding(pictures body: UnsafeRawBufferPointer) -> UInt64 {
        // Before its boxes, a description of pictures has 78 bytes. The size is at 24.
        guard body.count >= 78 else { return 0 }
        var number = hash(UnsafeRawBufferPointer(rebasing: body[24..<28]))
        UnsafeRawBufferPointer(rebasing: body[78...]).boxes { kind, parameters in
            if kind == BoxKind.parameters { number = number &* 31 &+ hash(parameters) }
        }
        return number
    }

    /// Returns the FNV-1a hash of at most 4 KiB.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.prefix(4096).reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func header(
        _ row: UnsafeRawBufferPointer, track: UInt32?, usual: UInt32
    ) -> (isOurs: Bool, shown: UInt32) {
        let flags = row.number32(0) ?? 0
        // Before the duration: the place of the data (8 bytes), and the number of a description (4).
        let place = 8 + (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
        let shown = flags & 0x8 != 0 ? row.number32(place) ?? usual : usual
        return (track != nil && row.number32(4) == track, shown)
    }

    /// Returns the number of pictures of a run, and how long they are shown together.
    private static func run(_ row: UnsafeRawBufferPointer, shown: UInt32) -> (count: Int, ticks: UInt64) {
        guard let flags = row.number32(0), let count = row.number32(4), count <= most else { return (0, 0) }
        var place = 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0)
        let fields = (flags & 0xF00).nonzeroBitCount
        guard fields == 0 || Int(count) * fields * 4 <= row.count - place else { return (0, 0) }
        guard flags & 0x100 != 0 else { return (Int(count), UInt64(count) * UInt64(shown)) }
        var ticks: UInt64 = 0
        for _ in 0..<count {
            ticks += UInt64(row.number32(place) ?? 0)
            place += fields * 4
        }
        return (Int(count), ticks)
    }

    private static func version(_ row: UnsafeRawBufferPointer) -> UInt8 { row.first ?? 0 }

    private static func number(_ row: UnsafeRawBufferPointer, isLong: Bool, at place: Int) -> UInt64? {
        isLong ? row.number64(place) : row.number32(place).map(UInt64.init)
    }
}
