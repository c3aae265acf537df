import DockTestKit
import DockTypes
import Foundation
import Geometry
import Synchronization
import Testing

@testable import VideoRecorder

@Suite struct DiskRoomTests: DiskSuite {
    let temporary = TemporaryFolder()

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
}
