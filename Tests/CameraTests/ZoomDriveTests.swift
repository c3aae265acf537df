import Geometry
import Testing

@testable import Camera

@Suite struct ZoomDriveTests {
    /// A lens that moves by some steps with each read.
    private final class Lens: ZoomControl {
        let law: ZoomLaw
        var value: Int
        var speed = Int.max
        var isDeaf = false, accepts = true
        private(set) var target: Int
        private(set) var reads = 0

        init(low: Int, high: Int, step: Int = 1) throws {
            law = try #require(ZoomLaw(low: low, high: high, step: step))
            (value, target) = (low, low)
        }

        func read() -> Int? {
            reads += 1
            guard !isDeaf else { return nil }
            let way = target - value
            value += abs(way) <= speed ? way : way > 0 ? speed : -speed
            return value
        }

        func write(_ value: Int) -> Bool {
            if accepts { target = value }
            return accepts
        }
    }

    @Test func `values and magnifications of a camera correspond`() throws {
        let law = try #require(ZoomLaw(low: 100, high: 500, step: 10))
        #expect(law.longest == 5 && law.value(of: 1) == 100 && law.value(of: 2) == 200 && law.value(of: 9) == 500)
        #expect(law.value(of: 1.234) == 120 && law.magnification(at: 120) == 1.2)
        #expect(law.magnification(at: -3) == 1 && law.magnification(at: 100_000) == 5)
    }

    @Test func `a camera that does not state its magnification is not used`() {
        #expect(ZoomLaw(low: 0, high: 100, step: 1) == nil, "a lowest value of 0 is no focal length")
        #expect(ZoomLaw(low: 100, high: 100, step: 1) == nil && ZoomLaw(low: 1, high: 1000, step: 1) == nil)
        #expect(ZoomLaw(low: 100, high: 200, step: 0)?.value(of: 1.5) == 150)
    }

    @Test func `without a lens the picture is cut out`() {
        var drive = ZoomDrive()
        #expect(drive.crop == 1 && drive.total == 1)
        drive.magnify(3)
        #expect(drive.crop == 3 && drive.total == 3 && !drive.isUnsettled(now: 0))
    }

    @Test func `the lens comes first, and the cut-out does the rest`() throws {
        let lens = try Lens(low: 100, high: 400)
        var drive = ZoomDrive()
        drive.use(lens)
        drive.look(now: 0)
        drive.magnify(2)
        drive.look(now: 1)
        #expect(lens.value == 200 && drive.crop == 1 && drive.total == 2)
        drive.magnify(8)
        drive.look(now: 2)
        #expect(lens.value == 400 && drive.crop == 2 && drive.total == 8)
        drive.magnify(1)
        drive.look(now: 3)
        #expect(lens.value == 100 && drive.crop == 1 && drive.total == 1)
    }

    @Test func `frames of a moving lens do not steer, and it is read often until it rests`() throws {
        let lens = try Lens(low: 100, high: 400)
        lens.speed = 20
        var drive = ZoomDrive()
        drive.use(lens)
        drive.look(now: 0)
        #expect(!drive.isUnsettled(now: 1))
        drive.magnify(2)
        var now = 1.0
        for _ in 0..<4 {
            drive.look(now: now)
            #expect(drive.isUnsettled(now: now) && drive.total < 2)
            now += 0.03
        }
        while drive.total < 2 {
            drive.look(now: now)
            now += 0.03
        }
        #expect(drive.isUnsettled(now: now), "frames that were taken before may still arrive")
        #expect(!drive.isUnsettled(now: now + ZoomDrive.frameDelay))
        let reads = lens.reads
        for step in 0..<10 { drive.look(now: now + Double(step) / 10) }
        #expect(lens.reads - reads <= 2, "at rest it is read once a second")
    }

    @Test func `a lens that never arrives counts as resting where it is`() throws {
        let lens = try Lens(low: 100, high: 400)
        lens.speed = 0
        var drive = ZoomDrive()
        drive.use(lens)
        drive.magnify(3)
        var now = 0.0
        for _ in 0..<40 {
            drive.look(now: now)
            now += 0.05
        }
        #expect(
            !drive.isUnsettled(now: now + 1) && drive.total == 1, "what the frames show counts, not what was asked for")
    }

    @Test func `a lens that another program moves is noticed, and one that does not answer is kept`() throws {
        let lens = try Lens(low: 100, high: 400)
        var drive = ZoomDrive()
        drive.use(lens)
        drive.look(now: 0)
        _ = lens.write(300)
        drive.look(now: 1.1)
        #expect(drive.total == 3 && drive.isUnsettled(now: 1.1))
        lens.isDeaf = true
        drive.look(now: 2.2)
        #expect(drive.total == 3)
        lens.accepts = false
        drive.magnify(2)
        drive.look(now: 3.3)
        #expect(drive.total == 3)
    }

    @Test func `while a lens refuses, the cut-out makes up for it, and the lens is asked again`() throws {
        let lens = try Lens(low: 100, high: 400)
        var drive = ZoomDrive()
        drive.use(lens)
        drive.look(now: 0)
        lens.accepts = false
        drive.magnify(3)
        drive.look(now: 0.1)
        #expect(drive.crop == 3 && drive.total == 3)
        lens.accepts = true
        for step in 1...80 { drive.look(now: 0.1 + Double(step) * 0.05) }
        #expect(lens.value == 300 && drive.crop == 1 && drive.total == 3 && !drive.isUnsettled(now: 5))
    }

    @Test func `a lens that cannot be read holds frames back for at most 5 seconds`() throws {
        let lens = try Lens(low: 100, high: 400)
        lens.isDeaf = true
        var drive = ZoomDrive()
        drive.use(lens)
        var now = 0.0
        while now < 4.9 {
            drive.look(now: now)
            now += 0.05
        }
        #expect(drive.isUnsettled(now: now))
        while now < 5.3 {
            drive.look(now: now)
            now += 0.05
        }
        #expect(!drive.isUnsettled(now: now))
    }

    @Test func `another camera begins with its own lens`() throws {
        let lens = try Lens(low: 100, high: 400)
        var drive = ZoomDrive()
        drive.use(lens)
        drive.magnify(4)
        drive.look(now: 0)
        drive.use(nil)
        #expect(drive.crop == 4 && drive.total == 4)
    }
}
