import DockTestKit
import Geometry
import Testing

@testable import VideoRecorder

@Suite struct ChunkPlanTests {
    private let small = PictureSize(width: 640, height: 480)

    /// Takes frames at these exposures, each a moment later, and returns the exposures by chunk.
    private func chunks(_ exposures: [Double], length: Double = 10) -> [[Double]] {
        var plan = ChunkPlan(length: length), chunks: [[Double]] = []
        for exposure in exposures {
            switch plan.handleFrame(exposure, small, now: exposure + 0.1) {
            case .begin: chunks.append([exposure])
            case .add: chunks[chunks.count - 1].append(exposure)
            case .skip: break
            }
        }
        return chunks
    }

    @Test func `each frame is in exactly one chunk, and a border is the first frame at or after it`() {
        let exposures = (0..<1000).map { 100 + Double($0) / 30 + ($0.isMultiple(of: 3) ? 0.004 : 0) }
        let chunks = chunks(exposures)
        #expect(chunks.flatMap { $0 } == exposures && chunks.count == 4)
        for (chunk, next) in zip(chunks, chunks.dropFirst()) {
            #expect(next[0] >= chunk[0] + 10 && chunk[chunk.count - 1] < chunk[0] + 10)
        }
    }

    @Test func `a pause of the camera, another size and the length end a chunk, each with its reason`() {
        var plan = ChunkPlan(length: 10)
        #expect(plan.handleFrame(100, small, now: 100) == .begin(ending: nil))
        #expect(plan.handleFrame(101.9, small, now: 102) == .add)
        #expect(plan.handleFrame(104, small, now: 104) == .begin(ending: .camera))
        let large = PictureSize(width: 1280, height: 720)
        #expect(plan.handleFrame(104.1, large, now: 104.1) == .begin(ending: .size))
        #expect((1...6).allSatisfy { plan.handleFrame(104.1 + Double($0) * 1.5, large, now: 114) == .add })
        #expect(plan.handleFrame(114.1, large, now: 114.1) == .begin(ending: .length))
        #expect(plan.border == 124.1)
    }

    @Test func `frames that are not later, or whose time is impossible, are skipped`() {
        #expect(chunks([100, 100, 99.99, 100.00005, 100.04]) == [[100, 100.04]])
        var plan = ChunkPlan(length: 10)
        for exposure: Double in [89, 102, .nan, .infinity, -.infinity] {
            #expect(plan.handleFrame(exposure, small, now: 100) == .skip)
        }
        #expect(plan.handleFrame(100.5, small, now: 100) == .begin(ending: nil), "an estimate may be a little late")
    }

    @Test func `another length applies from the next border on, within limits`() {
        var plan = ChunkPlan(length: 10)
        _ = plan.handleFrame(100, small, now: 100)
        plan.set(length: 5)
        #expect(plan.border == 110)
        var exposure = 100.0
        while exposure < 111 {
            exposure += 1
            _ = plan.handleFrame(exposure, small, now: exposure)
        }
        #expect(plan.border == 115)
        #expect(ChunkPlan(length: 0).length == 2 && ChunkPlan(length: 1e9).length == 600)
    }

    @Test func `the next encoder is due half a second before the border, and later for delayed frames`() {
        var plan = ChunkPlan(length: 10)
        #expect(!plan.isWarmUpDue(now: 1e9, delay: 0))
        _ = plan.handleFrame(100, small, now: 100)
        #expect(!plan.isWarmUpDue(now: 109.4, delay: 0) && plan.isWarmUpDue(now: 109.5, delay: 0))
        #expect(!plan.isWarmUpDue(now: 110.1, delay: 0.7) && plan.isWarmUpDue(now: 110.3, delay: 0.7))
    }

    @Test func `a chunk that is cut ends at the next frame, once`() {
        var plan = ChunkPlan(length: 10)
        plan.cut()
        #expect(plan.handleFrame(100, small, now: 100) == .begin(ending: nil))
        #expect(plan.handleFrame(101, small, now: 101) == .add)
        plan.cut()
        #expect(plan.handleFrame(102, small, now: 102) == .begin(ending: .length))
        #expect(plan.handleFrame(103, small, now: 103) == .add)
    }

    @Test func `a chunk goes on while encoders are behind, but not with other pictures`() {
        var plan = ChunkPlan(length: 2)
        let large = PictureSize(width: 1280, height: 720)
        _ = plan.handleFrame(100, small, now: 100)
        #expect((1...9).allSatisfy { plan.handleFrame(100 + Double($0), small, isCrowded: true, now: 109) == .add })
        plan.cut()
        #expect(plan.handleFrame(109.5, small, isCrowded: true, now: 110) == .add)
        #expect(plan.handleFrame(110, small, now: 110) == .begin(ending: .length))
        #expect(plan.handleFrame(111, large, isCrowded: true, now: 111) == .begin(ending: .size))
        #expect(plan.handleFrame(114, large, isCrowded: true, now: 114) == .begin(ending: .camera))
    }

    @Test func `a chunk has a limit of frames, too`() {
        var plan = ChunkPlan(length: 600), frames = 0
        while frames <= ChunkPlan.mostFrames + 1 {
            let exposure = 100 + Double(frames) * 0.0002
            if case .begin(.length?) = plan.handleFrame(exposure, small, now: exposure) { break }
            frames += 1
        }
        #expect(frames == ChunkPlan.mostFrames)
    }
}

@Suite struct ChunkRingTests {
    private func entry(_ start: Int, _ bytes: Int, sent: Bool = false, kept: Bool = false, busy: Bool = false)
        -> ChunkEntry
    {
        var entry = ChunkEntry(name: ChunkName(start: start, duration: 1000, verdict: .clear), bytes: bytes)
        (entry.isSent, entry.isKept, entry.isBusy) = (sent, kept, busy)
        return entry
    }

    private func ring(_ entries: [ChunkEntry], budget: Int = 1000, age: Int? = nil) -> ChunkRing {
        var limits = RingLimits()
        (limits.budget, limits.age) = (budget, age)
        return ChunkRing(limits, length: 10, entries: entries)
    }

    private let wide = DiskSpace(free: 1 << 50, total: 1 << 40)

    private func deleted(_ ring: inout ChunkRing, more: Int, space: DiskSpace, now: Int? = nil) -> [Int] {
        ring.makeRoom(open: 0, more: more, space: space, now: now).delete.map(\.name.start)
    }

    @Test func `nothing goes while there is room`() {
        var ring = ring([entry(1, 300), entry(2, 300)])
        #expect(ring.makeRoom(open: 100, more: 300, space: wide, now: nil) == ChunkRing.Room())
        #expect(ring.used == 600)
    }

    @Test func `chunks that a server has go first, then the others, the oldest first`() {
        let entries = [
            entry(1, 200), entry(2, 200, sent: true), entry(3, 200), entry(4, 200, sent: true), entry(5, 200),
        ]
        var ring = ring(entries)
        #expect(deleted(&ring, more: 300, space: wide) == [2, 4] && ring.used == 600)
        #expect(deleted(&ring, more: 700, space: wide) == [1, 3])
        var again = self.ring(entries)
        let room = again.makeRoom(open: 0, more: 900, space: wide, now: nil)
        #expect(room.delete.count == 5 && room.unsent == 3 && room.problem == nil)
    }

    @Test func `a chunk that is kept or is being sent never goes`() {
        var ring = ring([entry(1, 400, kept: true), entry(2, 400, sent: true, busy: true), entry(3, 100)])
        let room = ring.makeRoom(open: 0, more: 300, space: wide, now: 9_999_999)
        #expect(room.delete.map(\.name.start) == [3])
        #expect(room.problem?.contains("must not be deleted") == true && ring.used == 800)
    }

    @Test func `the open chunk counts`() {
        var ring = ring([entry(1, 500)])
        #expect(ring.makeRoom(open: 400, more: 100, space: wide, now: nil).delete.isEmpty)
        #expect(ring.makeRoom(open: 401, more: 100, space: wide, now: nil).delete.map(\.name.start) == [1])
    }

    @Test func `space stays free on the disk: 5 percent, or 256 MB, or twice the need`() {
        let giga = 1_000_000_000
        var large = ring([entry(1, giga), entry(2, giga)], budget: 100 * giga)
        // 5 % of 100 GB are 5 GB: with 4.5 GB free, one chunk must go.
        #expect(deleted(&large, more: 1000, space: DiskSpace(free: 4_500_000_000, total: 100 * giga)) == [1])
        var small = ring([entry(1, 10_000_000)], budget: giga)
        #expect(deleted(&small, more: 0, space: DiskSpace(free: 256_000_000, total: giga)).isEmpty)
        let room = small.makeRoom(open: 0, more: 0, space: DiskSpace(free: 200_000_000, total: giga), now: nil)
        #expect(room.delete.isEmpty && room.problem == "the disk is full: 200 MB are free, and 256 MB are needed")
        var heavy = ring([], budget: 1 << 50)
        for start in 1...3 { heavy.add(entry(start, 400_000_000)) }
        #expect(heavy.need == 600_000_000)
        let full = heavy.makeRoom(open: 0, more: 0, space: DiskSpace(free: 1_100_000_000, total: 10 * giga), now: nil)
        #expect(full.delete.count == 1 && full.problem == nil)
    }

    @Test func `no chunk goes in vain when another program has filled the disk, but the budget still counts`() {
        let full = DiskSpace(free: 1000, total: 1_000_000_000)
        var ring = ring([entry(1, 500), entry(2, 500), entry(3, 500)], budget: 1200)
        let room = ring.makeRoom(open: 0, more: 100, space: full, now: nil)
        #expect(room.delete.map(\.name.start) == [1] && room.problem?.hasPrefix("the disk is full") == true)
        #expect(ring.makeRoom(open: 0, more: 100, space: full, now: nil).delete.isEmpty)
    }

    @Test func `old chunks go whatever they are, but not by a clock that may be wrong`() {
        var ring = ring([entry(0, 10), entry(5000, 10), entry(9000, 10)], age: 2999)
        #expect(deleted(&ring, more: 0, space: wide, now: nil).isEmpty)
        #expect(deleted(&ring, more: 0, space: wide, now: 9000) == [0, 5000])
    }

    @Test func `a chunk whose date cannot be right ages from the time of its file, or from now on`() {
        let hour = 3_600_000, now = 1_795_000_000_000
        var entries = [entry(60_000, 10), entry(70_000, 10), entry(80_000, 10), entry(now + 9 * hour, 10)]
        // Recorded before the clock was set; the copy of the second was made an hour ago, that of the third long ago.
        for index in 0..<3 { entries[index].isDated = false }
        (entries[0].modified, entries[1].modified, entries[2].modified) = (65_000, now - hour, now - 99 * hour)
        // The clock was ahead.
        entries[3].modified = now + 9 * hour
        var ring = ring(entries, age: 72 * hour)
        let room = ring.makeRoom(open: 0, more: 0, space: wide, now: now)
        #expect(room.delete.map(\.name.start) == [80_000])
        #expect(room.undated.map(\.name.start) == [60_000, now + 9 * hour])
        #expect(room.undated.allSatisfy { $0.modified == now })
        let later = ring.makeRoom(open: 0, more: 0, space: wide, now: now + 71 * hour + 1)
        #expect(later.delete.map(\.name.start) == [70_000] && later.undated.isEmpty)
        // The date of the last one is no longer in the future, and counts.
        #expect(deleted(&ring, more: 0, space: wide, now: now + 72 * hour + 1) == [60_000])
        #expect(deleted(&ring, more: 0, space: wide, now: now + 81 * hour) == [])
        #expect(deleted(&ring, more: 0, space: wide, now: now + 81 * hour + 1001) == [now + 9 * hour])
    }

    @Test func `the need follows the last three chunks`() {
        var ring = ring([], budget: 1 << 40)
        #expect(ring.need == 4_500_000)
        for (start, bytes) in [(1, 900), (2, 100), (3, 200), (4, 300)].map({ ($0.0, $0.1) }) {
            ring.add(entry(start, bytes))
        }
        #expect(ring.need == 450)
    }

    @Test func `after any history the budget holds, and the sum is right`() {
        for seed in UInt64(1)...30 {
            var dice = Dice(seed), ring = ring([], budget: 10_000)
            for start in 0..<400 {
                let bytes = Int.random(in: 1...900, using: &dice)
                let room = ring.makeRoom(open: 0, more: bytes, space: wide, now: nil)
                guard room.problem == nil else { continue }
                ring.add(entry(start, bytes, sent: Bool.random(using: &dice), kept: start.isMultiple(of: 97)))
                if Bool.random(using: &dice), let any = ring.entries.randomElement(using: &dice) {
                    ring.change(any.name.start) { $0.isSent = true }
                }
                if start.isMultiple(of: 50), let any = ring.entries.randomElement(using: &dice) {
                    ring.remove(any.name.start)
                }
                #expect(ring.used <= 10_000 && ring.used == ring.entries.reduce(0) { $0 + $1.bytes })
                #expect(zip(ring.entries, ring.entries.dropFirst()).allSatisfy { $0.name.start < $1.name.start })
            }
        }
    }

    @Test func `eight thousand chunks are no burden`() {
        var ring = ring((0..<8000).map { entry($0 * 30_000, 2_000_000) }, budget: 16_000_000_000)
        let clock = ContinuousClock()
        let time = clock.measure {
            for start in 8000..<8100 {
                _ = ring.makeRoom(open: 0, more: 3_000_000, space: wide, now: nil)
                ring.add(entry(start * 30_000, 2_000_000))
            }
        }
        #expect(time < .seconds(5) && ring.used <= 16_000_000_000)
    }
}
