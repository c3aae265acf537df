import DockTestKit
import Geometry
import Testing

@testable import VideoRecorder

/// Disks and encoders that fail.
extension RecorderMachineTests {
    @Test func `a disk without room is shown, and recording resumes by itself`() {
        var bench = Bench()
        bench.start()
        bench.pass(5)
        bench.room = "the disk is full"
        bench.carryOut(bench.machine.diskFailed(1, "the disk is full", now: bench.now))
        bench.pass(25)
        #expect(bench.ends == [.disk("the disk is full")] && bench.signs.last == .fault("the disk is full"))
        #expect(bench.log.count { if case .say(_, true) = $0 { true } else { false } } == 1, "named once")
        bench.room = nil
        bench.pass(12)
        #expect(bench.state == .recording && bench.frames.count == 2)
    }

    @Test func `a disk that does not answer is shown, and recording goes on when it does`() {
        var bench = Bench()
        bench.start()
        bench.pass(5)
        bench.isHung = true
        bench.pass(25)
        let words = "the disk does not answer"
        #expect(bench.ends.last == .disk(words) && bench.signs.last == .fault(words))
        bench.isHung = false
        bench.pass(12)
        #expect(bench.state == .recording && bench.signs.last == .recording)
    }

    @Test func `an encoder that fails ends its chunk, and the next one begins at once`() {
        var bench = Bench()
        bench.start()
        bench.pass(5)
        let last = bench.recorded.last
        bench.carryOut(
            bench.machine.encoderFailed(1, "killed", hasWorked: true, sent: last, now: bench.now))
        bench.pass(1)
        #expect(bench.ends == [.encoder("killed")] && bench.frames.count == 2 && bench.state == .recording)
    }

    @Test func `an encoder that always fails is tried again, ever less often, and shown`() {
        var bench = Bench(), attempts = 0
        bench.start()
        bench.pass(1)
        for _ in 0..<(30 * 120) {
            let begun = bench.frames.count
            bench.pass(1.0 / 30)
            guard bench.frames.count > begun, let chunk = bench.frames.keys.max() else { continue }
            attempts += 1
            bench.carryOut(
                bench.machine.encoderFailed(chunk, "no such codec", hasWorked: false, sent: nil, now: bench.now))
        }
        #expect((6...14).contains(attempts), "\(attempts)")
        #expect(bench.state == .blocked(.encoder("no such codec")) && bench.signs.last == .fault("no such codec"))
        #expect(bench.log.count { if case .say(_, true) = $0 { true } else { false } } <= 3)
    }

    @Test func `an encoder for the next chunk that cannot be started does not keep the thread busy`() {
        var bench = Bench()
        bench.start()
        bench.pass(5)
        for _ in 0..<4 {
            bench.carryOut(bench.machine.encoderFailed(nil, "x", hasWorked: false, sent: nil, now: bench.now))
        }
        #expect((bench.machine.deadline(now: bench.now) ?? 0) > bench.now)
    }

    @Test func `frames that the encoder never got are taken again`() {
        var bench = Bench()
        bench.start()
        bench.pass(3)
        let sent = bench.recorded[bench.recorded.count - 10], rest = bench.recorded.suffix(9)
        bench.carryOut(bench.machine.encoderFailed(1, "killed", hasWorked: true, sent: sent, now: bench.now))
        for exposure in rest {
            bench.carryOut(bench.machine.handleFrame(exposure, bench.size, bench.reading), exposure: exposure)
        }
        #expect(bench.frames[2] == Array(rest))
    }
}
