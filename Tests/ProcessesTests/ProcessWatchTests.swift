import Geometry
import Processes
import Testing

/// When a program is started, restarted, and left alone for a while.
@Suite struct ProcessWatchTests {
    /// A watch whose program was started at 0.
    private func started() -> ProcessWatch {
        var watch = ProcessWatch()
        #expect(watch.next(now: 0) == .start)
        return watch
    }

    @Test func `a program that shows a sign of life is running`() {
        var watch = started()
        #expect(watch.state == .starting)
        watch.sign(now: 0.2)
        #expect(watch.state == .running)
        #expect(watch.next(now: 1) == nil)
        #expect(watch.restarts == 0)
    }

    @Test func `a program that falls silent is asked to end, then killed, then restarted`() {
        var watch = started()
        watch.sign(now: 0.2)
        #expect(watch.deadline == 1.2)
        #expect(watch.next(now: 1.2) == .ask)
        #expect(watch.state == .stalled)
        #expect(watch.next(now: 3.1) == nil)
        #expect(watch.next(now: 3.2) == .kill)
        #expect(watch.next(now: 4) == nil)
        watch.ended(.signalled(9), now: 4)
        #expect(watch.state == .restarting)
        #expect(watch.problem == "no output for 1.0 s")
        #expect(watch.nextStart.map { (4.05...4.13).contains($0) } == true)
        #expect(watch.next(now: 4.05) == nil)
        #expect(watch.next(now: 4.13) == .start)
        #expect(watch.nextStart == nil)
        #expect(watch.restarts == 1)
    }

    @Test func `a program that rested before its first sign of life has the full start time again`() {
        var watch = started()
        watch.firstSign = "hello"
        watch.rest()
        #expect(watch.next(now: 1000) == nil)
        watch.expect(now: 1000)
        #expect(watch.deadline == 1020)
        #expect(watch.next(now: 1019) == nil)
        #expect(watch.next(now: 1020) == .ask)
        #expect(watch.problem == "no hello within 20.0 s of its start")
    }

    @Test func `a resting program may be silent, and is watched again when output is expected`() {
        var watch = started()
        watch.sign(now: 0.2)
        watch.rest()
        #expect(watch.deadline == nil)
        #expect(watch.next(now: 1000) == nil)
        watch.expect(now: 1000)
        #expect(watch.deadline == 1001)
        #expect(watch.next(now: 1001) == .ask)
    }

    @Test func `each restart waits twice as long as the one before, and the fifth end in a minute is a failure`() {
        var watch = started()
        var now = 0.0, delays: [Double] = []
        for _ in 0..<5 {
            watch.ended(.exited(1), now: now)
            let due = watch.deadline ?? 0
            delays.append(due - now)
            now = due
            if delays.count < 5 { #expect(watch.state == .restarting) }
            #expect(watch.next(now: now) == .start)
        }
        for (delay, wanted) in zip(delays, [0.1, 0.2, 0.4, 0.8, 30]) {
            #expect((0.8 * wanted...1.2 * wanted).contains(delay), "\(delay) where \(wanted) was expected")
        }
        #expect(watch.state == .failed)
        watch.sign(now: now + 1)
        #expect(watch.state == .running)
        watch.sign(now: now + 31)
        #expect(watch.problem == nil)
        watch.ended(.exited(1), now: now + 32)
        #expect(watch.state == .restarting, "half a minute without trouble and the past is forgotten")
    }

    @Test(arguments: [64, 69, 77, 78])
    func `a program that reports that it cannot run is not restarted at once`(status: Int32) {
        var watch = started()
        watch.ended(.exited(status), reason: "no camera", now: 1)
        #expect(watch.state == .failed)
        #expect(watch.problem == "no camera")
        #expect((watch.deadline ?? 0) > 20)
    }

    @Test func `a program that is done is not restarted`() {
        var watch = started()
        watch.sign(now: 1)
        watch.ended(.exited(0), isDone: true, now: 2)
        #expect(watch.state == .over)
        #expect(watch.deadline == nil)
        #expect(watch.next(now: 1e9) == nil)
    }

    @Test func `a start without a sign of life in time has failed`() {
        var watch = started()
        #expect(watch.next(now: 19.9) == nil)
        #expect(watch.next(now: 20) == .ask)
        #expect(watch.problem == "no sign of life within 20.0 s of its start")
    }

    @Test func `two that fail together do not start together`() {
        let delays = (UInt64(1)...8).map { seed in
            var watch = ProcessWatch(seed: seed)
            _ = watch.next(now: 0)
            watch.ended(.exited(1), now: 0)
            return watch.deadline ?? 0
        }
        #expect(Set(delays).count == 8)
    }
}
