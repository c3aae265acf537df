import DockTestKit
import DockTypes
import Foundation
import Geometry
import Testing

@testable import VideoRecorder

@Suite struct DeletionTests: DiskSuite {
    let temporary = TemporaryFolder()

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
}
