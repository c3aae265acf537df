import DockTestKit
import DockTypes
import Foundation
import Geometry
import Testing

@testable import VideoRecorder

@Suite struct DiskTests: DiskSuite {
    let temporary = TemporaryFolder()

    @Test func `a chunk gets its final name when it is complete, and only its owner can read it`() throws {
        var news: [DiskReport] = []
        let folder = try temporary.chunks(), desk = try desk(folder, news: &news)
        #expect(desk.carryOut(.begin(1, date: 5000, verdict: .covered), now: 0).isEmpty)
        #expect(temporary.names() == ["chunk_5000_covered.part"])
        #expect(desk.carryOut(.append(1, Box.film), now: 0).isEmpty)
        let record = try #require(stored(desk.carryOut(.finish(1, facts()), now: 0)).first)
        #expect(record.name.file == "chunk_5000_2000_clear.mp4" && record.run == 1 && record.tally.clear == 60)
        #expect(temporary.names() == ["1970-01-01.list", "chunk_5000_2000_clear.mp4", "lock-change"])
        var status = stat()
        for (name, mode) in [("", 0o700), ("/chunk_5000_2000_clear.mp4", 0o600), ("/1970-01-01.list", 0o600)] {
            #expect(stat(folder.path + name, &status) == 0 && Int(status.st_mode & 0o777) == mode)
        }
        #expect(try FolderSummary(folder).chunks.map(\.record) == [record])
    }

    @Test func `a clock that was set back makes no name twice`() throws {
        var news: [DiskReport] = []
        let desk = try desk(temporary.chunks(), news: &news)
        let names = (1...4).flatMap { stored(write($0, date: $0.isMultiple(of: 2) ? 1000 : 9000, to: desk)) }.map(
            \.name)
        #expect(names.map(\.start) == [9000, 1000, 9001, 1001])
        #expect(try temporary.chunks().list().chunks.count == 4)
    }

    @Test func `pieces reach the disk within 5 s`() throws {
        var news: [DiskReport] = []
        let desk = try desk(temporary.chunks(), news: &news)
        _ = desk.carryOut(.begin(1, date: 1, verdict: .clear), now: 10)
        #expect(desk.deadline == nil)
        _ = desk.carryOut(.append(1, Box.film), now: 12)
        _ = desk.carryOut(.append(1, Box.fragment(at: 9, [1])), now: 14)
        #expect(desk.deadline == 17 && desk.tick(now: 17).isEmpty && desk.deadline == nil)
    }

    @Test func `a full disk ends the chunk with whole pieces, and others follow when there is room`() throws {
        var news: [DiskReport] = []
        let disk = FakeDisk(room: Box.head.count + 300), folder = try temporary.chunks()
        let desk = try desk(folder, disk: disk, news: &news)
        _ = desk.carryOut(.begin(1, date: 1000, verdict: .covered), now: 0)
        #expect(desk.carryOut(.append(1, Box.head), now: 0).isEmpty)
        #expect(desk.carryOut(.append(1, Box.fragment(at: 0, [3000], bytes: 100)), now: 0).isEmpty)
        let failed = desk.carryOut(.append(1, Box.fragment(at: 3000, [3000], bytes: 100)), now: 0)
        #expect(failed == [.failed(1, "cannot write chunk_1000_covered.part: No space left on device")])
        #expect(desk.carryOut(.append(1, Box.fragment(at: 6000, [3000])), now: 0).isEmpty, "nothing after a hole")
        let record = try #require(stored(desk.carryOut(.finish(1, facts()), now: 0)).first)
        #expect(record.isRepaired && record.name.duration == 33 && record.name.verdict == .covered)
        let scan = try folder.scan(record.name.file)
        #expect(scan.isWhole && scan.length.frames == 1)
        disk.set(.max)
        #expect(stored(write(2, date: 2000, to: desk)).count == 1)
    }

    @Test func `a chunk whose first byte does not fit leaves nothing`() throws {
        var news: [DiskReport] = []
        let desk = try desk(temporary.chunks(), disk: FakeDisk(room: 10), news: &news)
        _ = desk.carryOut(.begin(1, date: 1000, verdict: .covered), now: 0)
        guard case .failed(1, _)? = desk.carryOut(.append(1, Box.film), now: 0).first else {
            Issue.record("it should have failed")
            return
        }
        _ = desk.carryOut(.discard(1), now: 0)
        #expect(!temporary.names().contains { $0.hasPrefix("chunk") })
    }

    @Test func `what was sent and kept is known again after a restart, and without its list not`() throws {
        var news: [DiskReport] = []
        let folder = try temporary.chunks(), first = try desk(folder, news: &news)
        var record = try #require(stored(write(1, date: 1000, to: first)).first)
        (record.sentAt, record.isKept) = (5, true)
        try ChunkLists(folder).append(record)
        let entry = try desk(folder, news: &news).ring.entries[0]
        #expect(entry.isSent && entry.isKept)
        try ChunkLists(folder).remove("1970-01-01")
        let rebuilt = try desk(folder, news: &news).ring.entries[0]
        #expect(!rebuilt.isSent && !rebuilt.isKept && rebuilt.name == entry.name && news.isEmpty)
    }

    @Test func `marks protect a chunk, are remembered, and end with it`() throws {
        var limits = RingLimits(), news: [DiskReport] = []
        limits.age = 1000
        let folder = try temporary.chunks(), desk = try desk(folder, limits, news: &news)
        for id in 1...3 { _ = write(id, date: id * 1000, to: desk) }
        #expect(desk.carryOut(.mark(date: 1000, .kept(true)), now: 0).isEmpty)
        #expect(desk.carryOut(.mark(date: 2000, .busy(true)), now: 0).isEmpty)
        #expect(desk.carryOut(.mark(date: 3000, .sent(at: 77)), now: 0).isEmpty)
        #expect(desk.carryOut(.mark(date: 9999, .sent(at: 77)), now: 0).isEmpty, "of no chunk")
        let reports = desk.carryOut(.expire(now: 1_000_000), now: 0)
        guard case .deleted(let gone)? = reports.first, reports.count == 1 else {
            Issue.record("\(reports)")
            return
        }
        #expect(gone.map(\.name.start) == [3000] && gone[0].isSent)
        _ = desk.carryOut(.mark(date: 2000, .busy(false)), now: 0)
        #expect(desk.carryOut(.expire(now: 1_000_000), now: 0).count == 1)
        let again = try self.desk(folder, limits, news: &news)
        #expect(again.ring.entries.map(\.isKept) == [true])
        #expect(again.carryOut(.expire(now: 1_000_000), now: 0).isEmpty)
    }

    @Test func `a chunk whose final name is refused gets it later`() throws {
        var news: [DiskReport] = []
        let folder = try temporary.chunks(), desk = try desk(folder, news: &news)
        // A folder with that name is in the way.
        let obstacle = folder.path + "/chunk_1000_2000_clear.mp4"
        try #require(mkdir(obstacle, 0o700) == 0)
        guard case .note(let text, true)? = write(1, date: 1000, to: desk).first else {
            Issue.record("nothing was said")
            return
        }
        #expect(text.hasPrefix("a chunk is not finished yet: ") && desk.ring.entries.isEmpty)
        #expect(temporary.names().contains("chunk_1000_covered.part"))
        rmdir(obstacle)
        let reports = desk.carryOut(.makeRoom(now: nil), now: 0)
        let record = try #require(stored(reports).first)
        #expect(record.name.start == 1000 && record.isRepaired && reports.last == .room(problem: nil))
        #expect(try folder.list().parts.isEmpty && desk.ring.used == Box.film.count)
        #expect(desk.carryOut(.makeRoom(now: nil), now: 0) == [.room(problem: nil)])
    }

    @Test func `a folder that was removed, moved or replaced is noticed before the next chunk`() throws {
        var news: [DiskReport] = []
        let folder = try temporary.chunks(), desk = try desk(folder, news: &news)
        #expect(desk.carryOut(.makeRoom(now: nil), now: 0) == [.room(problem: nil)])
        let lost: [DiskReport] = [.folderLost, .room(problem: "the folder of the recordings is gone")]
        rename(folder.path, folder.path + "-moved")
        #expect(desk.carryOut(.makeRoom(now: nil), now: 0) == lost)
        _ = try temporary.chunks()
        #expect(desk.carryOut(.makeRoom(now: nil), now: 0) == lost, "another folder has its name")
        rmdir(folder.path)
        rename(folder.path + "-moved", folder.path)
        #expect(desk.carryOut(.makeRoom(now: nil), now: 0) == [.room(problem: nil)])
    }

    @Test func `one recorder at a time uses a folder`() throws {
        let folder = try temporary.chunks()
        #expect(!RecorderLock.isHeld(folder))
        do {
            let lock = try RecorderLock(folder)
            #expect(RecorderLock.isHeld(folder))
            let error = #expect(throws: DockError.self) { try RecorderLock(folder) }
            #expect(error?.exitStatus == 75)
            withExtendedLifetime(lock) {}
        }
        #expect(!RecorderLock.isHeld(folder))
    }

    @Test func `files and links of others are left alone`() throws {
        let folder = try temporary.chunks()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path + "/holiday.mp4"))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: temporary.path + "/victim"))
        symlink(temporary.path + "/victim", folder.path + "/chunk_1_2_clear.mp4")
        symlink(temporary.path + "/victim", folder.path + "/chunk_7_covered.part")
        var news: [DiskReport] = []
        let desk = try desk(folder, news: &news)
        #expect(desk.ring.entries.isEmpty && news.isEmpty)
        _ = try folder.delete(.all)
        #expect(temporary.names().contains("holiday.mp4") && temporary.names().contains("chunk_1_2_clear.mp4"))
        #expect(try String(contentsOfFile: temporary.path + "/victim", encoding: .utf8) == "mine")
    }

    @Test func `eight thousand chunks are read within a second or so`() throws {
        let folder = try temporary.chunks()
        for number in 0..<8000 {
            let name = ChunkName(start: 1_795_000_000_000 + number * 30_000, duration: 30_000, verdict: .clear)
            let descriptor = open(folder.path(of: name.file), O_WRONLY | O_CREAT, 0o600)
            close(descriptor)
        }
        var news: [DiskReport] = []
        let clock = ContinuousClock()
        let time = try clock.measure { _ = try desk(folder, news: &news) }
        #expect(time < .seconds(10), "generous for a busy machine")
    }
}
