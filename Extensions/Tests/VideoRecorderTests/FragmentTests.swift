import DockTestKit
import Testing

@testable import VideoRecorder

/// Boxes of an MP4 file.
enum Box {
    static func box(_ kind: String, _ body: [UInt8] = []) -> [UInt8] {
        number(UInt32(8 + body.count)) + kind.utf8 + body
    }

    static func number(_ value: UInt32) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> UInt32(8 * $0) & 0xFF) } }

    /// The beginning of a film with one track of pictures: number 1, 90,000 ticks a second.
    static let head: [UInt8] = {
        let header = box("tkhd", number(0) + number(0) + number(0) + number(1) + number(0))
        let media = box("mdhd", number(0) + number(0) + number(0) + number(90_000) + number(0) + number(0))
        let handler = box("hdlr", number(0) + number(0) + Array("vide".utf8) + number(0))
        let table = box("minf", box("stbl", box("stsd", number(7)) + box("stsz", number(0) + number(0) + number(0))))
        let track = box("trak", header + box("mdia", media + handler + table))
        let defaults = box("trex", number(0) + number(1) + number(1) + number(3000) + number(0) + number(0))
        return box("ftyp", Array("iso5".utf8)) + box("moov", track + box("mvex", defaults))
    }()

    /// A fragment whose pictures are shown for these numbers of ticks.
    static func fragment(at time: UInt32, _ ticks: [UInt32], bytes: Int = 10) -> [UInt8] {
        let run = number(0x101) + number(UInt32(ticks.count)) + number(8) + ticks.flatMap(number)
        let part = box(
            "traf", box("tfhd", number(0) + number(1)) + box("tfdt", number(0) + number(time)) + box("trun", run))
        return box("moof", box("mfhd", number(0) + number(1)) + part) + box("mdat", [UInt8](repeating: 7, count: bytes))
    }

    /// The beginning of a film that has sound, too: track 2.
    static let headWithSound: [UInt8] = {
        let header = box("tkhd", number(0) + number(0) + number(0) + number(2) + number(0))
        let media = box("mdhd", number(0) + number(0) + number(0) + number(48_000) + number(0) + number(0))
        let handler = box("hdlr", number(0) + number(0) + Array("soun".utf8) + number(0))
        let mono = box("mp4a", [UInt8](repeating: 0, count: 17) + [1, 0, 16, 0, 0, 0, 0, 0xBB, 0x80, 0, 0])
        let table = box("minf", box("stbl", box("stsd", number(0) + number(1) + mono)))
        let track = box("trak", header + box("mdia", media + handler + table))
        // The same `moov` with one more track, which comes first.
        let kind = 8 + 4, movie = Array(head[(kind + 8)...])
        return Array(head[..<kind]) + box("moov", track + movie)
    }()

    /// A fragment of both tracks: pictures, and packets of sound of 1024 samples each.
    static func fragment(at time: UInt32, _ ticks: [UInt32], sound: Int) -> [UInt8] {
        let run = number(0x101) + number(UInt32(ticks.count)) + number(8) + ticks.flatMap(number)
        let pictures = box(
            "traf", box("tfhd", number(0) + number(1)) + box("tfdt", number(0) + number(time)) + box("trun", run))
        let packets = number(0x1) + number(UInt32(sound)) + number(8)
        let heard = box(
            "traf",
            box("tfhd", number(0x8) + number(2) + number(1024)) + box("tfdt", number(0) + number(time * 8 / 15))
                + box("trun", packets))
        return box("moof", box("mfhd", number(0) + number(1)) + heard + pictures)
            + box("mdat", [UInt8](repeating: 7, count: 20))
    }

    /// A film of three fragments and its table.
    static let film =
        head + fragment(at: 0, [3000, 3000]) + fragment(at: 6000, [3000], bytes: 0) + fragment(at: 9000, [4500])
        + box("mfra", number(1))
}

@Suite struct FragmentWalkTests {
    private func pieces(_ bytes: [UInt8], step: Int) throws -> [FragmentStream.Whole] {
        var stream = FragmentStream(), pieces: [FragmentStream.Whole] = []
        for place in stride(from: 0, to: bytes.count, by: step) {
            pieces += try bytes[place..<min(place + step, bytes.count)].withUnsafeBytes { try stream.feed($0) }
        }
        return pieces
    }

    @Test(arguments: [1, 2, 7, 8, 9, 100, 100_000])
    func `a film is found in pieces, however its bytes arrive`(step: Int) throws {
        let pieces = try pieces(Box.film, step: step)
        #expect(pieces.map(\.piece) == [.head, .fragment, .fragment, .fragment, .other])
        #expect(pieces.flatMap(\.bytes) == Box.film)
        var film = FilmReader()
        for piece in pieces { film.read(piece) }
        #expect(film.length.frames == 4 && film.length.milliseconds == 150)
    }

    @Test func `a film that ends anywhere is whole up to its last fragment`() throws {
        let ends = [Box.head, Box.fragment(at: 0, [3000, 3000]), Box.fragment(at: 6000, [3000], bytes: 0)]
            .reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        for count in 0...ends[3] {
            var stream = FragmentStream()
            _ = try Box.film[..<count].withUnsafeBytes { try stream.feed($0) }
            #expect(stream.walk.end == ends.last { $0 <= count })
        }
    }

    /// Boxes in a wrong order.
    static let disorders: [[UInt8]] = {
        let head = Box.head, fragment = Box.box("moof")
        return [
            Box.box("moov"),  // no kind of the file
            Box.box("ftyp") + Box.box("mdat"),  // pictures without a head
            head + fragment + fragment,  // a fragment without pictures
            head + Box.box("mdat"),  // pictures without a fragment
            head + Box.box("moov"),  // two heads
        ]
    }()

    @Test(arguments: disorders) func `a wrong order is refused`(bytes: [UInt8]) {
        #expect(throws: FragmentWalk.Problem.disorder) { try pieces(bytes, step: 3) }
    }

    @Test func `what is no box, or is too large, is refused before its bytes are there`() {
        #expect(throws: FragmentWalk.Problem.noBox) { try pieces([0, 0, 0, 20, 1, 2, 3, 4], step: 8) }
        #expect(throws: FragmentWalk.Problem.noBox) { try pieces(Box.number(0) + "mdat".utf8, step: 8) }
        #expect(throws: FragmentWalk.Problem.noBox) { try pieces(Box.number(7) + "ftyp".utf8, step: 8) }
        #expect(throws: FragmentWalk.Problem.tooLarge) { try pieces(Box.number(.max) + "ftyp".utf8, step: 8) }
        let wide = Box.number(1) + "ftyp".utf8 + [UInt8](repeating: 0xFF, count: 8)
        #expect(throws: FragmentWalk.Problem.noBox) { try pieces(wide, step: 16) }
    }

    @Test func `a box with a long size is read, too`() throws {
        let body = [UInt8](repeating: 0, count: 4)
        let long = Box.number(1) + "free".utf8 + Box.number(0) + Box.number(20) + body
        #expect(try pieces(Box.head + long, step: 5).map(\.piece) == [.head, .other])
    }

    @Test func `any bytes are refused or read, and never more is found than there is`() {
        var dice = Dice(11), found = 0
        for _ in 0..<4000 {
            var bytes = Box.film
            for _ in 0..<Int.random(in: 1...6, using: &dice) {
                switch Int.random(in: 0...3, using: &dice) {
                case 0: bytes[Int.random(in: bytes.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
                case 1: bytes.removeSubrange(Int.random(in: bytes.indices, using: &dice)...)
                case 2:
                    bytes.insert(
                        contentsOf: Box.box("moof", [1, 2, 3]), at: Int.random(in: bytes.indices, using: &dice))
                default: bytes += [UInt8](repeating: 0xFF, count: 20)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            var stream = FragmentStream(), film = FilmReader(), count = 0
            let new = try? bytes.withUnsafeBytes { try stream.feed($0) }
            for piece in new ?? [] {
                film.read(piece)
                count += piece.bytes.count
            }
            #expect(count <= bytes.count && stream.walk.end <= bytes.count && film.length.frames >= 0)
            #expect(film.length.seconds.isFinite && film.length.milliseconds >= 0)
            found += film.length.frames
        }
        #expect(found > 0)
    }

    @Test func `sound counts neither as pictures nor as their length`() throws {
        let bytes =
            Box.headWithSound + Box.fragment(at: 0, [3000, 3000], sound: 400)
            + Box.fragment(at: 6000, [], sound: 3) + Box.fragment(at: 6000, [4500], sound: 0)
        var film = FilmReader(), plain = FilmReader()
        for piece in try pieces(bytes, step: 50) { film.read(piece) }
        for piece in try pieces(Box.film, step: 50) { plain.read(piece) }
        #expect(film.length.frames == 3 && film.length.milliseconds == 117 && film.length.hasSound)
        #expect(!plain.length.hasSound && film.length.coding != plain.length.coding)
        var stereo = bytes, other = FilmReader()
        let place = try #require(stereo.indices.first { stereo[$0...].starts(with: [1, 0, 16, 0, 0, 0, 0, 0xBB]) })
        stereo[place] = 2
        for piece in try pieces(stereo, step: 50) { other.read(piece) }
        #expect(other.length.coding != film.length.coding, "two channels")
    }

    @Test func `a run that claims more pictures than it has is no run`() {
        let run = Box.number(0x101) + Box.number(90_000) + Box.number(8) + Box.number(5)
        let part = Box.box("traf", Box.box("tfhd", Box.number(0) + Box.number(1)) + Box.box("trun", run))
        var film = FilmReader()
        for box in [Box.head, Box.box("moof", part)] {
            film.read(FragmentStream.Whole(piece: .other, bytes: box))
        }
        #expect(film.length.frames == 0)
    }
}
