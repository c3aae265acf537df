import Codecs
import DockTestKit
import Testing

@testable import DepthCodec

@Suite struct ReaderTests {
    private let reader = DepthPNGReader()

    private func read(_ file: [UInt8]) throws -> DepthFile { try #require(reader).read(file) }

    /// Why a file is refused; empty if it is not.
    private func problem(_ file: [UInt8]) throws -> String {
        let reader = try #require(reader)
        do throws(PictureProblem) {
            _ = try reader.read(file)
            return ""
        } catch {
            return error.description
        }
    }

    private static let small = DepthPicture(width: 3, height: 2, samples: [0, 1, 256, 65_535, 5000, 77])

    @Test(arguments: 0..<5 as Range<UInt8>)
    func `each filter is undone, alone and among the others`(filter: UInt8) throws {
        var dice = Dice(UInt64(filter) + 1)
        for _ in 0..<60 {
            let picture = try #require(TestPNG.picture(&dice))
            #expect(try read(TestPNG.file(picture) { _ in filter }).picture == picture)
            let mixed = (0..<picture.height).map { _ in UInt8.random(in: 0...4, using: &dice) }
            #expect(try read(TestPNG.file(picture) { mixed[$0] }).picture == picture)
        }
    }

    @Test func `what was written is read again, and other readers understand it`() throws {
        let writer = try #require(DepthPNGWriter())
        var dice = Dice(7)
        for round in 0..<200 {
            let picture = try #require(TestPNG.picture(&dice))
            let note = round.isMultiple(of: 2) ? nil : Array(#"{"v":1,"seq":\#(round)}"#.utf8)
            let file = writer.pack(picture).file(note: note)
            #expect(try read(file) == DepthFile(picture: picture, note: note))
        }
    }

    @Test func `data in several parts is one picture, and an empty part is none of it`() throws {
        let picture = try #require(Self.small), header = TestPNG.header(3, 2)
        let data = TestPNG.zlib(TestPNG.rows(picture) { _ in 1 })
        for cut in 0...data.count {
            let file = TestPNG.file(header, Array(data[..<cut]), Array(data[cut...]))
            #expect(try read(file).picture == picture)
        }
    }

    @Test func `parts about colours change no distance`() throws {
        let picture = try #require(Self.small), data = TestPNG.zlib(TestPNG.rows(picture) { _ in 0 })
        let parts = [
            TestPNG.chunk("gAMA", TestPNG.word(100_000)), TestPNG.chunk("sRGB", [0]),
            TestPNG.chunk("iDOT", [UInt8](repeating: 1, count: 28)), TestPNG.chunk("eXIf", [1, 2, 3]),
        ]
        #expect(try read(TestPNG.file(TestPNG.header(3, 2), data, before: parts)).picture == picture)
        #expect(try read(TestPNG.file(TestPNG.header(3, 2), data, after: parts)).picture == picture)
    }

    @Test func `the note is the first text with our keyword that is not too long`() throws {
        let picture = try #require(Self.small), data = TestPNG.zlib(TestPNG.rows(picture) { _ in 0 })
        func note(_ texts: String...) throws -> String? {
            let parts = texts.map { TestPNG.chunk("tEXt", Array($0.utf8)) }
            let file = try read(TestPNG.file(TestPNG.header(3, 2), data, before: parts))
            return file.note.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try note() == nil)
        #expect(try note("Comment\0dockface") == nil)
        #expect(try note("dockfaces\0{}") == nil)
        #expect(try note("dockface") == nil)
        #expect(try note("Comment\0a", "dockface\0{\"v\":1}", "dockface\0{\"v\":2}") == "{\"v\":1}")
        #expect(try note("dockface\0" + String(repeating: "x", count: DepthPNGReader.longestNote + 1)) == nil)
        #expect(try note("dockface\0" + String(repeating: "x", count: DepthPNGReader.longestNote))?.utf8.count == 4096)
    }

    // MARK: what is refused

    @Test func `a file of another kind is refused in words`() throws {
        let picture = try #require(Self.small), rows = TestPNG.rows(picture) { _ in 0 }, data = TestPNG.zlib(rows)
        let header = TestPNG.header(3, 2)
        let wrong: [(file: [UInt8], words: String)] = [
            ([], "not a PNG"), ([0xFF, 0xD8, 0xFF, 0xE0], "not a PNG"), (TestPNG.signature, "ends too early"),
            (TestPNG.file(TestPNG.header(3, 2, bits: 8), data), "not 16-bit grey"),
            (TestPNG.file(TestPNG.header(3, 2, kind: 2), data), "not 16-bit grey"),
            (TestPNG.file(TestPNG.header(3, 2, compression: 1), data), "does not exist"),
            (TestPNG.file(TestPNG.header(3, 2, filter: 1), data), "does not exist"),
            (TestPNG.file(TestPNG.header(3, 2, interlace: 1), data), "interlaced"),
            (TestPNG.file(header + [0], data), "wrong length"),
            (TestPNG.file(header, data, before: [TestPNG.chunk("IHDR", header)]), "two headers"),
            (TestPNG.file(header, data, before: [TestPNG.chunk("PLTE", [0, 0, 0])]), "\"PLTE\""),
            (TestPNG.file(header, data, before: [TestPNG.chunk("CgBI", [0])]), "\"CgBI\""),
            (TestPNG.file(header, data, before: [TestPNG.chunk("a\u{1B}bc", [])]), "without a name"),
            (TestPNG.signature + TestPNG.chunk("IDAT", data) + TestPNG.chunk("IEND", []), "begin with its header"),
            (TestPNG.signature + TestPNG.chunk("IHDR", header) + TestPNG.chunk("IEND", []), "no data"),
            (TestPNG.signature + TestPNG.chunk("IHDR", header) + TestPNG.chunk("IDAT", data), "ends too early"),
            (TestPNG.file(header, data) + [0], "continues after its end"),
            (
                TestPNG.file(header, data, after: [TestPNG.chunk("gAMA", [0, 0, 0, 1]), TestPNG.chunk("IDAT", [])]),
                "two places"
            ),
            (TestPNG.file(header, TestPNG.zlib(rows + [0])), "more rows"),
            (TestPNG.file(header, TestPNG.zlib(Array(rows.dropLast()))), "fewer rows"),
            (TestPNG.file(header, data + [0]), "behind its data"),
            (TestPNG.file(header, Array(data.dropLast(4)) + [1, 2, 3, 4]), "damaged"),
            (TestPNG.file(header, []), "damaged"),
            (TestPNG.file(picture) { $0 == 0 ? 0 : 5 }, "filter that does not exist"),
        ]
        for (file, words) in wrong { #expect(try problem(file).contains(words)) }
        // A refused file leaves nothing behind.
        #expect(try read(TestPNG.file(picture)).picture == picture)
    }

    @Test func `a size that is too large is refused before memory is reserved for it`() throws {
        for (width, height) in [(4097, 1), (1, 4097), (4096, 4096), (0, 1), (1, 0), (1 << 31, 1), (0xFFFF_FFFF, 1)] {
            #expect(try problem(TestPNG.file(TestPNG.header(width, height), [])).contains("pixels"))
        }
        #expect(try problem([UInt8](repeating: 0, count: PictureLimits.bytes + 1)).contains("8 MiB"))
        let parts = [[UInt8]](repeating: TestPNG.chunk("teXt", []), count: PNGChunks.most)
        #expect(try problem(TestPNG.file(TestPNG.header(1, 1), [], before: parts)).contains("parts"))
    }

    @Test func `each wrong byte and each missing end is noticed`() throws {
        let picture = try #require(Self.small), writer = try #require(DepthPNGWriter())
        let file = writer.pack(picture).file(note: Array("{}".utf8))
        for count in 0..<file.count { #expect(try problem(Array(file[..<count])) != "") }
        for at in file.indices {
            var wrong = file
            wrong[at] ^= 0x20
            #expect(try problem(wrong) != "", "byte \(at)")
        }
    }

    @Test func `a picture of the largest size is read, and one after it has its own samples`() throws {
        let writer = try #require(DepthPNGWriter()), small = try #require(Self.small)
        let large = try #require(
            DepthPicture(width: 4096, height: 1024, samples: (0..<4096 * 1024).map { UInt16($0 & 0xFFF) }))
        #expect(try read(writer.pack(large).file()).picture == large)
        #expect(try read(writer.pack(small).file()).picture == small)
    }
}
