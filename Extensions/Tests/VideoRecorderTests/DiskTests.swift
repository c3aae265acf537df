import DockTestKit
import DockTypes
import Foundation
import Geometry
import Synchronization
import Testing

@testable import VideoRecorder

/// A disk with so much room, as a file layer sees it.
final class FakeDisk: Sendable {
    private let room: Mutex<Int>
    init(room: Int) { self.room = Mutex(room) }

    var left: Int { room.withLock { $0 } }
    func set(_ bytes: Int) { room.withLock { $0 = bytes } }

    /// Writes what fits, as write(2) does on a disk that gets full.
    var put: ChunkFile.Put {
        { [self] descriptor, bytes in
            let count = room.withLock { room in
                defer { room -= min(room, bytes.count) }
                return min(room, bytes.count)
            }
            guard count > 0 else {
                errno = ENOSPC
                return -1
            }
            return write(descriptor, bytes.baseAddress, count)
        }
    }
}

@Suite struct DiskTests {
    private let temporary = TemporaryFolder()
    private let wide = DiskSpace(free: 1 << 50, total: 1 << 40)

    private func desk(
        _ folder: ChunkFolder, _ limits: RingLimits = RingLimits(), disk: FakeDisk = FakeDisk(room: .max),
        news: inout [DiskReport]
    ) throws -> DiskDesk {
        let wide = wide
        return try DiskDesk(folder, limits, length: 10, news: &news, put: disk.put) { _ in wide }
    }

    private func facts(_ frames: Int = 60, duration: Double = 2) -> ChunkFacts {
        var tally = ChunkTally()
        tally.clear = frames
        return ChunkFacts(
            duration: duration, exposures: 100...(100 + duration), size: PictureSize(width: 64, height: 48),
            tally: tally)
    }

    private func stored(_ reports: [DiskReport]) -> [ChunkRecord] {
        reports.compactMap { if case .stored(let record, _) = $0 { record } else { nil } }
    }

    /// Writes a film as a chunk.
    private func write(_ id: Int, date: Int, to desk: DiskDesk, film: [UInt8] = Box.film) -> [DiskReport] {
        var reports = desk.carryOut(.begin(id, date: date, verdict: .covered), now: 0)
        reports += desk.carryOut(.append(id, film), now: 0)
        return reports + desk.carryOut(.finish(id, facts()), now: 0)
    }

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

    @Test func `the budget holds at every piece, and the oldest go`() throws {
        var limits = RingLimits(), news: [DiskReport] = []
        let piece = Box.fragment(at: 0, [3000], bytes: 5000)
        (limits.budget, limits.age) = (60_000, nil)
        let folder = try temporary.chunks(), desk = try desk(folder, limits, news: &news)
        for id in 1...20 {
            _ = desk.carryOut(.begin(id, date: id * 1000, verdict: .covered), now: 0)
            _ = desk.carryOut(.append(id, Box.head), now: 0)
            for _ in 0..<3 {
                _ = desk.carryOut(.append(id, piece), now: 0)
                let listing = try folder.list()
                #expect(listing.chunks.reduce(listing.otherBytes) { $0 + $1.bytes } <= 60_000 + piece.count)
            }
            _ = desk.carryOut(.finish(id, facts()), now: 0)
        }
        let starts = try folder.list().chunks.map(\.name.start)
        #expect(starts.last == 20_000 && starts.count >= 2 && starts == starts.sorted())
    }

    @Test func `a chunk that a person deletes is gone, and the recorder learns of it`() throws {
        var news: [DiskReport] = []
        let folder = try temporary.chunks(), desk = try desk(folder, news: &news)
        _ = write(1, date: 1000, to: desk)
        _ = desk.carryOut(.begin(2, date: 9000, verdict: .covered), now: 0)
        _ = desk.carryOut(.append(2, Box.head), now: 0)
        #expect(try folder.delete(DateRange(from: 0, to: 10_000)).count == 2)
        #expect(desk.carryOut(.append(2, Box.fragment(at: 0, [3000])), now: 0).first == .gone(2))
        #expect(desk.carryOut(.finish(2, facts()), now: 0).isEmpty)
        #expect(desk.carryOut(.makeRoom(now: nil), now: 0) == [.room(problem: nil)] && desk.ring.used == 0)
        #expect(!temporary.names().contains { $0.hasPrefix("chunk") })
    }

    @Test func `an open chunk that a person deletes does not come back when it is finished`() throws {
        var news: [DiskReport] = []
        let folder = try temporary.chunks(), desk = try desk(folder, news: &news)
        _ = desk.carryOut(.begin(1, date: 1000, verdict: .covered), now: 0)
        _ = desk.carryOut(.append(1, Box.film), now: 0)
        _ = try folder.delete(.all)
        #expect(desk.carryOut(.finish(1, facts()), now: 0) == [.gone(1)])
        #expect(!temporary.names().contains { $0.hasPrefix("chunk") })
    }

    @Test func `lists say nothing about chunks that a person has deleted`() throws {
        var news: [DiskReport] = []
        let folder = try temporary.chunks(), desk = try desk(folder, news: &news), day = 86_400_000
        for (id, date) in [(1, 1000), (2, 9000), (3, day + 1000)] { _ = write(id, date: date, to: desk) }
        let lists = temporary.path + "/recordings/1970-01-01.list"
        let before = try String(contentsOfFile: lists, encoding: .utf8).split(separator: "\n")
        #expect(try folder.delete(DateRange(from: 0, to: 5000)).count == 1)
        #expect(try String(contentsOfFile: lists, encoding: .utf8) == before[1] + "\n" && before.count == 2)
        // A recorder that still knows the chunk writes no line about it.
        #expect(desk.carryOut(.mark(date: 1000, .kept(true)), now: 0).isEmpty)
        #expect(try String(contentsOfFile: lists, encoding: .utf8) == before[1] + "\n")
        #expect(try folder.delete(DateRange(from: 0, to: day)).count == 1)
        #expect(temporary.names() == ["1970-01-02.list", "chunk_86401000_2000_clear.mp4", "lock-change"])
        #expect(try FolderSummary(folder).chunks.map(\.record.run) == [1])
    }

    @Test func `a chunk that a dead recorder has left ends with its pictures, one that is written ends now`() throws {
        let folder = try temporary.chunks()
        try temporary.write(Box.film, "recordings/chunk_1000_covered.part")
        let later = DateRange(from: 1000 + 150 + 2000, to: 1_000_000), within = DateRange(from: 1100, to: 1101)
        let parts = try folder.list().parts
        #expect(folder.unfinished(parts, in: later).isEmpty && folder.unfinished(parts, in: within) == parts)
        #expect(folder.unfinished(parts, in: DateRange(from: 0, to: 1000)).isEmpty)
        #expect(try folder.delete(later).count == 0 && temporary.names().contains("chunk_1000_covered.part"))
        let lock = try RecorderLock(folder)
        #expect(try folder.delete(later).count == 1 && folder.list().parts.isEmpty)
        withExtendedLifetime(lock) {}
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

    @Test func `a file that cannot be deleted still counts, and goes when it can`() throws {
        var limits = RingLimits(), news: [DiskReport] = []
        (limits.budget, limits.age) = (60_000, nil)
        let stuck = Mutex(true), wide = wide, folder = try temporary.chunks()
        let desk = try DiskDesk(folder, limits, length: 10, news: &news, space: { _ in wide }) {
            folder, file throws(FileTrouble) in
            if stuck.withLock({ $0 }), file.hasPrefix("chunk_1000_") { throw FileTrouble("delete \(file)", EACCES) }
            try folder.remove(file)
        }
        let film = Box.head + Box.fragment(at: 0, [3000], bytes: 20_000)
        for id in 1...2 { _ = write(id, date: id * 1000, to: desk, film: film) }
        let problem = "cannot delete chunk_1000_2000_clear.mp4: Permission denied"
        for _ in 0..<2 {
            #expect(desk.carryOut(.makeRoom(now: nil), now: 0) == [.room(problem: problem)])
            #expect(desk.ring.entries.map(\.name.start) == [1000, 2000] && desk.ring.used == 2 * film.count)
        }
        limits.age = 1000
        _ = desk.carryOut(.limits(limits), now: 0)
        let reports = desk.carryOut(.expire(now: 1_000_000), now: 0)
        #expect(reports.count == 2 && reports.last == .note("an old file stays: \(problem)", isWarning: true))
        #expect(desk.ring.entries.map(\.name.start) == [1000], "the other one is gone")
        #expect(desk.carryOut(.makeRoom(now: 1_000_000), now: 0) == [.room(problem: nil)], "there is room beside it")
        stuck.withLock { $0 = false }
        guard case .deleted(let gone)? = desk.carryOut(.expire(now: 1_000_000), now: 0).first else {
            Issue.record("it is not deleted")
            return
        }
        #expect(try gone.map(\.name.start) == [1000] && desk.ring.used == 0 && folder.list().chunks.isEmpty)
    }

    @Test func `a chunk from before the clock was set is kept for its time after that, also by the next run`() throws {
        var limits = RingLimits(), news: [DiskReport] = [], facts = facts()
        let hour = 3_600_000, now = 1_795_000_000_000
        (limits.age, facts.isDated) = (72 * hour, false)
        let folder = try temporary.chunks(), first = try desk(folder, limits, news: &news)
        _ = first.carryOut(.begin(1, date: 60_000, verdict: .covered), now: 0)
        _ = first.carryOut(.append(1, Box.film), now: 0)
        _ = first.carryOut(.finish(1, facts), now: 0)
        let file = "chunk_60000_2000_clear.mp4"
        try folder.set(file, modified: 65_000)
        #expect(first.carryOut(.expire(now: now), now: 0).isEmpty && temporary.names().contains(file))
        let second = try desk(folder, limits, news: &news)
        #expect(second.ring.entries.map(\.isDated) == [false] && second.ring.entries.map(\.modified) == [now])
        #expect(second.carryOut(.expire(now: now + 72 * hour), now: 0).isEmpty)
        #expect(second.carryOut(.expire(now: now + 72 * hour + 1), now: 0).count == 1)
        #expect(!temporary.names().contains(file))
    }

    @Test func `a copy that is being made counts, and one that does not fit beside the open chunk is not made`() throws
    {
        var limits = RingLimits(), news: [DiskReport] = []
        (limits.budget, limits.age) = (80_000, nil)
        let folder = try temporary.chunks(), desk = try desk(folder, limits, news: &news)
        let film = Box.head + Box.fragment(at: 0, [3000], bytes: 20_000)
        for id in 1...2 { _ = write(id, date: id * 1000, to: desk, film: film) }
        let name = try #require(desk.ring.entries.last?.name)
        #expect(desk.hasRoom(toCopy: name))
        _ = desk.carryOut(.begin(3, date: 3000, verdict: .covered), now: 0)
        _ = desk.carryOut(.append(3, film), now: 0)
        #expect(!desk.hasRoom(toCopy: name), "the open chunk has the room")
        _ = desk.carryOut(.discard(3), now: 0)

        desk.copyBytes = try #require(desk.bytes(of: name))
        try temporary.write([UInt8](repeating: 0, count: 20_100), "recordings/chunk_2000.draft")
        // The copy counts with the size that it will have, not also with what it has.
        #expect(desk.carryOut(.expire(now: 0), now: 0).isEmpty && desk.ring.entries.count == 2)
        _ = desk.carryOut(.begin(4, date: 4000, verdict: .covered), now: 0)
        guard case .deleted(let gone)? = desk.carryOut(.append(4, film), now: 0).first else {
            Issue.record("nothing was deleted")
            return
        }
        #expect(gone.map(\.name.start) == [1000])
    }

    @Test func `a chunk that was put back counts again, with its date`() throws {
        var news: [DiskReport] = []
        let folder = try temporary.chunks(), desk = try desk(folder, news: &news)
        _ = write(1, date: 1000, to: desk)
        try temporary.write(Box.film, "recordings/chunk_500_100_clear.mp4")
        #expect(desk.carryOut(.makeRoom(now: nil), now: 0) == [.room(problem: nil)])
        #expect(desk.ring.entries.map(\.name.start) == [500, 1000] && desk.ring.used == 2 * Box.film.count)
        #expect(stored(write(2, date: 500, to: desk)).first?.name.start == 501)
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

/// A real disk of 300 kB, in memory; nil if this user may not mount one.
final class SmallDisk {
    let path: String

    /// Whether this user may mount one.
    static let isPossible = SmallDisk() != nil

    init?() {
        var template = Array("/tmp/dockface-disk-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? ""
        guard geteuid() == 0, mount("tmpfs", path, "tmpfs", 0, "size=300k,mode=700") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, 2)
        rmdir(path)
    }
}

@Suite(.enabled(if: SmallDisk.isPossible, "this user may not mount a file system")) struct SmallDiskTests {
    @Test func `a real disk that gets full keeps whole pieces, and takes more when there is room`() throws {
        let disk = try #require(SmallDisk())
        let folder = try ChunkFolder.open(disk.path + "/recordings", makes: true)
        var news: [DiskReport] = []
        let desk = try DiskDesk(
            folder, RingLimits(), length: 10, news: &news, space: { _ in DiskSpace(free: 1 << 50, total: 1 << 40) })
        var facts = ChunkFacts(
            duration: 1, exposures: 1...2, size: PictureSize(width: 64, height: 48), tally: ChunkTally())
        facts.tally.clear = 1
        _ = desk.carryOut(.begin(1, date: 1000, verdict: .covered), now: 0)
        #expect(desk.carryOut(.append(1, Box.head), now: 0).isEmpty)
        var reports: [DiskReport] = [], pieces = 0
        while reports.isEmpty, pieces < 20 {
            let piece = Box.fragment(at: UInt32(pieces) * 3000, [3000], bytes: 50_000)
            reports = desk.carryOut(.append(1, piece), now: 0)
            pieces += 1
        }
        #expect(reports == [.failed(1, "cannot write chunk_1000_covered.part: No space left on device")] && pieces > 3)
        _ = desk.carryOut(.finish(1, facts), now: 0)
        let name = try #require(desk.ring.entries.first?.name), scan = try folder.scan(name.file)
        #expect(scan.isWhole && scan.length.frames == pieces - 1)
        _ = try folder.delete(.all)
        _ = desk.carryOut(.begin(2, date: 2000, verdict: .covered), now: 0)
        #expect(desk.carryOut(.append(2, Box.film), now: 0).isEmpty)
        guard case .stored? = desk.carryOut(.finish(2, facts), now: 0).first else {
            Issue.record("it is not stored")
            return
        }
    }

    @Test func `space and a folder on another disk are seen as they are`() throws {
        let disk = try #require(SmallDisk())
        let folder = try ChunkFolder.open(disk.path + "/recordings", makes: true), space = try folder.space()
        #expect(space.total <= 300 * 1024 && space.free <= space.total)
        let temporary = TemporaryFolder(), register = temporary.path + "/state/register"
        try FolderMark(register: register).check(folder)
        #expect(FolderMark(register: register).isRemembered(folder.path))
        let marks = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(marks.count == 1 && marks[0].hasPrefix("dockface-recordings-"))
        try FolderMark(register: register).check(folder)
        unlink(folder.path(of: marks[0]))
        #expect(throws: DockError.self) { try FolderMark(register: register).check(folder) }
    }
}

@Suite struct RepairTests {
    private let temporary = TemporaryFolder()

    private func repaired(_ bytes: [UInt8]) throws -> (names: [String], scan: FilmScan?) {
        let folder = try temporary.chunks()
        try temporary.write(bytes, "recordings/chunk_1000_covered.part")
        var news: [DiskReport] = []
        let desk = try DiskDesk(folder, RingLimits(), length: 10, news: &news)
        let names = temporary.names().filter { $0.hasPrefix("chunk_") }
        #expect(news.count == 1 && desk.ring.entries.count == names.count)
        let scan = try names.first.map { try folder.scan($0) }
        _ = try folder.delete(.all)
        return (names, scan)
    }

    private static let two = Box.head + Box.fragment(at: 0, [3000, 3000]) + Box.fragment(at: 6000, [3000])
    private static let first = Box.head.count + Box.fragment(at: 0, [3000, 3000]).count

    @Test func `a film that was cut at any byte is known to be whole up to its last fragment`() throws {
        let folder = try temporary.chunks()
        for count in 0...Self.two.count {
            try temporary.write(Array(Self.two[..<count]), "recordings/chunk_1000_covered.part")
            let scan = try folder.scan("chunk_1000_covered.part")
            #expect(scan.bytes == count)
            guard count >= Self.first else {
                #expect(scan.length.frames == 0)
                continue
            }
            #expect(scan.isFragmented && scan.wholeBytes == (count < Self.two.count ? Self.first : count))
            #expect(scan.length.frames == (count < Self.two.count ? 2 : 3))
        }
    }

    @Test(arguments: [
        0, 7, 8, 24, 25, Box.head.count, first - 1, first, first + 1, first + 8, two.count - 1, two.count,
    ])
    func `a film that was cut is cut back to its last whole fragment`(count: Int) throws {
        let (names, scan) = try repaired(Array(Self.two[..<count]))
        switch count {
        case ..<Self.first: #expect(names.isEmpty)
        case ..<Self.two.count:
            #expect(names == ["chunk_1000_67_covered.mp4"] && scan?.bytes == Self.first && scan?.isWhole == true)
        default: #expect(names == ["chunk_1000_100_covered.mp4"] && scan?.length.frames == 3)
        }
    }

    @Test func `a film with sound is cut behind a fragment of both, and its record names the sound`() throws {
        let folder = try temporary.chunks(), whole = Box.headWithSound + Box.fragment(at: 0, [3000, 3000], sound: 3)
        try temporary.write(
            whole + Box.fragment(at: 6000, [3000], sound: 2).dropLast(), "recordings/chunk_1000_covered.part")
        var news: [DiskReport] = []
        let desk = try DiskDesk(folder, RingLimits(), length: 10, news: &news)
        let name = ChunkName(start: 1000, duration: 67, verdict: .covered), scan = try folder.scan(name.file)
        #expect(scan.isWhole && scan.bytes == whole.count && scan.length.frames == 2)
        #expect(desk.book.record(of: name).hasSound)
        var silent = ChunkRecord(ChunkName(start: 2000, duration: 67, verdict: .covered))
        silent.hasSound = true
        try temporary.write(Box.head + Box.fragment(at: 0, [3000, 3000]), "recordings/" + silent.name.file)
        #expect(folder.problem(of: silent, decodes: false) == "it has no sound, and its list names some")
        #expect(folder.problem(of: desk.book.record(of: name), decodes: false) == nil)
    }

    @Test func `garbage, an empty file and a tail of zeros are no obstacle`() throws {
        #expect(try repaired([]).names.isEmpty)
        #expect(try repaired([UInt8](repeating: 0, count: 10_000)).names.isEmpty)
        #expect(try repaired(Array("no film".utf8)).names.isEmpty)
        let (names, scan) = try repaired(Box.film + [UInt8](repeating: 0, count: 4096))
        #expect(names == ["chunk_1000_150_covered.mp4"] && scan?.bytes == Box.film.count)
    }

    @Test func `a draft that was left is removed`() throws {
        let folder = try temporary.chunks()
        try temporary.write([1, 2, 3], "recordings/chunk_77.draft")
        var news: [DiskReport] = []
        _ = try DiskDesk(folder, RingLimits(), length: 10, news: &news)
        #expect(temporary.names() == [])
    }

    @Test(.enabled(if: Film.hasTools, "ffmpeg is not installed"))
    func `a real film that was cut at random bytes plays to its end`() throws {
        let whole = try film(MatroskaTests.times(150))
        var dice = Dice(41)
        let folder = try temporary.chunks()
        for _ in 0..<4 {
            let count = Int.random(in: whole.count / 3...whole.count, using: &dice)
            try temporary.write(Array(whole[..<count]), "recordings/chunk_1000_covered.part")
            var news: [DiskReport] = []
            let desk = try DiskDesk(folder, RingLimits(), length: 10, news: &news)
            let name = try #require(desk.ring.entries.first?.name)
            let frames = try Film.frames(folder.path(of: name.file))
            #expect(frames == Array(0..<frames.count) && frames.count >= 20)
            #expect(try folder.scan(name.file).length.frames == frames.count)
            _ = try folder.delete(.all)
        }
    }
}

@Suite struct FolderMarkTests {
    private let temporary = TemporaryFolder()

    @Test func `a folder on another disk must have its mark, once it has been used`() {
        #expect(FolderMark.judge(remembered: nil, isThere: false, isElsewhere: false) == .fine)
        #expect(FolderMark.judge(remembered: nil, isThere: false, isElsewhere: true) == .mark)
        #expect(FolderMark.judge(remembered: "m", isThere: true, isElsewhere: true) == .fine)
        #expect(FolderMark.judge(remembered: "m", isThere: false, isElsewhere: false) == .wrong)
    }

    @Test func `a disk that is not mounted is noticed`() throws {
        let folder = try temporary.chunks(), register = temporary.path + "/register"
        let mark = FolderMark(register: register)
        try temporary.write(Array("dockface-recordings-abc \(folder.path)\nbroken\n".utf8), "register")
        #expect(mark.isRemembered(folder.path) && !mark.isRemembered("/elsewhere"))
        #expect(throws: DockError.self) { try mark.check(folder) }
        try temporary.write([], "recordings/dockface-recordings-abc")
        try mark.check(folder)
    }

    @Test func `a folder on the usual disk needs no mark`() throws {
        let folder = try temporary.chunks()
        try FolderMark(register: temporary.path + "/state/register").check(folder)
        #expect(temporary.names().isEmpty)
    }

    @Test func `a register is read and written, and a path outside is no mark`() {
        var register = FolderMark.Register("dockface-recordings-a /mnt/my disk\n../../etc /b\n")
        #expect(register.marks == ["/mnt/my disk": "dockface-recordings-a"])
        register.remember("dockface-recordings-b", of: "/c")
        #expect(FolderMark.Register(register.text) == register)
    }
}
