import DockTestKit
import Testing

@testable import VideoRecorder

@Suite struct ChunkNameTests {
    @Test func `a name is printed and read back`() throws {
        let name = ChunkName(start: 1_795_551_979_555, duration: 30_010, verdict: .covered)
        #expect(name.file == "chunk_1795551979555_30010_covered.mp4")
        #expect(ChunkName(file: name.file) == name)
        #expect(name.uploadName == "chunk_1795551979555.mp4" && name.end == 1_795_552_009_565)
        let part = PartName(start: 1_795_551_979_555, verdict: .visible)
        #expect(part.file == "chunk_1795551979555_visible.part" && PartName(file: part.file) == part)
    }

    @Test(arguments: [
        "", ".mp4", "chunk_.mp4", "chunk_1.mp4", "chunk_1_2.mp4", "chunk_1_2_red.mp4", "chunk_01_2_clear.mp4",
        "chunk_-1_2_clear.mp4", "chunk_1_2_clear.mp4.part", "chunk_1_2_clear_3.mp4", "chunk_١_2_clear.mp4",
        "chunk_99999999999999999999_2_clear.mp4", "chunk_1_86400001_clear.mp4", "chunk_1_2_clear.MP4",
        "chunk__2_clear.mp4",
    ])
    func `a file of others is no chunk`(file: String) {
        #expect(ChunkName(file: file) == nil && PartName(file: file) == nil)
    }

    @Test func `numbers out of range are limited`() {
        let name = ChunkName(start: -5, duration: .max, verdict: .whole)
        #expect(name.start == 0 && name.duration == ChunkName.longest && ChunkName(file: name.file) == name)
        #expect(ChunkName(start: .max, duration: -1, verdict: .whole).start == ChunkName.latest)
    }

    @Test func `two chunks never have one date`() {
        var dates = ChunkDates([1000, 1001, 1003])
        #expect(dates.take(1000) == 1002 && dates.take(1000) == 1004 && dates.take(999) == 999)
        dates.release(1001)
        #expect(dates.take(1000) == 1001)
    }

    @Test func `the verdict of a chunk is the strongest of its frames`() {
        func verdict(_ frames: ChunkVerdict...) -> ChunkVerdict {
            var tally = ChunkTally()
            for frame in frames { tally.count(frame) }
            return tally.verdict
        }
        #expect(verdict(.clear, .clear) == .clear && verdict(.clear, .covered) == .covered)
        #expect(verdict(.whole, .whole) == .whole && verdict(.whole, .clear) == .covered)
        #expect(verdict(.whole, .covered, .visible, .clear) == .visible && verdict() == .clear)
    }

    @Test(arguments: [
        ("16 GB", 16_000_000_000), ("16GB", 16_000_000_000), ("1.5 tb", 1_500_000_000_000), ("500 MB", 500_000_000),
        ("1 GiB", 1_073_741_824), ("800000000", 800_000_000), ("2g", 2_000_000_000), ("0", 0),
    ])
    func `amounts are read as people write them`(text: String, bytes: Int) {
        #expect(ByteSize.bytes(text) == bytes)
    }

    @Test(arguments: ["", "GB", "-1 GB", "1e99", "nan", "16 XB", "1..5 GB", "9999999999999 TB", "16 GB extra"])
    func `what is no amount is refused`(text: String) {
        #expect(ByteSize.bytes(text) == nil)
    }

    @Test func `amounts are shown in words`() {
        let words = [12, 640_000, 12_500_000, 16_000_000_000, 1_540_000_000_000, 999_999_999].map(ByteSize.words)
        #expect(words == ["12 bytes", "640 kB", "12.5 MB", "16 GB", "1.5 TB", "999 MB"])
    }
}

@Suite struct ChunkRecordTests {
    private var full: ChunkRecord {
        var record = ChunkRecord(ChunkName(start: 1_795_551_979_555, duration: 30_010, verdict: .covered))
        (record.run, record.exposures, record.size) = (7, 1234.567891...1264.5, PictureSize(width: 640, height: 480))
        (record.tally.clear, record.tally.covered, record.tally.whole, record.tally.lost) = (850, 40, 10, 3)
        (record.isDated, record.sentAt, record.isKept) = (false, 1_795_552_100, true)
        (record.hasSound, record.hasPoses) = (true, true)
        return record
    }

    @Test func `a line is written and read back`() {
        #expect(ChunkRecord(line: full.line) == full && full.line.contains(" sound=yes "))
        let bare = ChunkRecord(full.name)
        #expect(bare.line == "chunk_1795551979555_30010_covered.mp4 run=0 ." && ChunkRecord(line: bare.line) == bare)
    }

    @Test func `a damaged word costs only itself`() throws {
        let line = full.line.replacing("size=640x480", with: "size=640x480x2").replacing("run=7", with: "run=-7")
        let record = try #require(ChunkRecord(line: line.dropLast() + "novel=thing whole= =5 ."))
        #expect(record.size == nil && record.run == 0 && record.tally.clear == 850 && record.isKept)
    }

    @Test func `any line that is cut or changed is read or skipped`() {
        var dice = Dice(5)
        // Also with the largest number.
        let most = "=\(Int.max) "
        let lines = [full.line, full.line.replacing("=7 ", with: most).replacing("=850 ", with: most)]
        for round in 0..<5000 {
            let bytes = Array(lines[round % 2].utf8)
            var line = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &dice)))
            for _ in 0..<Int.random(in: 0...3, using: &dice) where !line.isEmpty {
                line[Int.random(in: line.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            let record = ChunkRecord(line: String(decoding: line, as: UTF8.self))
            #expect((record?.tally.frames ?? 0) >= 0)
            // With an end, more of the cut lines are read. The next run has one more than the last.
            var book = ChunkBook()
            book.read(String(decoding: line + Array(" .\n".utf8), as: UTF8.self))
            #expect(book.lastRun + 1 > book.lastRun)
        }
    }

    @Test func `the last line about a chunk counts, and an unknown chunk has its name`() {
        var book = ChunkBook(), sent = full
        sent.sentAt = nil
        book.read(sent.line + "\n\ngarbage\n" + full.line + "\n" + full.line.prefix(60))
        #expect(book.record(of: full.name) == full && book.lastRun == 7)
        let other = ChunkName(start: full.name.start, duration: 1, verdict: .clear)
        #expect(book.record(of: other) == ChunkRecord(other))
    }
}
