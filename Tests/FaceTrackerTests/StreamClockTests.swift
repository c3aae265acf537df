import FaceTracker
import Geometry
import Testing

/// INTERFACES, section 1: what `t` means and which frames are fit to use.
@Suite struct StreamClockTests {
    @Test func `clock monotonic is used unchanged`() {
        var stream = Listener(at: 2303.2)
        stream.hear(hello(#","clock":"monotonic""#))
        stream.hear(frame(t: 2303.101156))
        #expect(stream.frames.first?.exposure == 2303.101156)
        #expect(stream.frames.first?.arrival == 2303.2)
    }

    @Test func `clock unix is mapped by the two clocks at arrival`() {
        var stream = Listener(at: 500)
        stream.hear(hello(#","clock":"unix""#))
        stream.hear(frame(t: 1_700_000_499.9))
        #expect(isClose(stream.frames.first?.exposure ?? 0, 499.9, 1e-5))
    }

    @Test func `clock none is arrival minus the camera latency, whatever t contains`() {
        var stream = Listener(at: 100) { $0.cameraLatency = 0.06 }
        stream.hear(hello(#","clock":"none""#))
        stream.hear(frame(t: 7))
        stream.hear(frame(t: 7))
        #expect(stream.frames.map(\.exposure) == [99.94, 99.94])
    }

    @Test func `clock media has the smallest delay of the last ten seconds as its offset`() {
        var stream = Listener(at: 100) { $0.cameraLatency = 0.05 }
        stream.hear(hello(#","clock":"media""#))
        for (t, delay) in [(0.0, 0.03), (0.1, 0.01), (0.2, 0.04)] {
            stream.now = 100 + t + delay
            stream.hear(frame(t: t))
        }
        #expect(isClose(stream.frames[0].exposure, 99.98))
        #expect(isClose(stream.frames[1].exposure, 100.06))
        #expect(isClose(stream.frames[2].exposure, 100.16))
        for step in 1...120 {  // the fast frame is forgotten after ten seconds
            stream.now = 100.2 + Double(step) / 10 + 0.04
            stream.hear(frame(t: 0.2 + Double(step) / 10))
        }
        #expect(isClose(stream.frames.last?.exposure ?? 0, 112.2 + 0.04 - 0.05))
    }

    @Test func `clock remote is mapped by ping and pong, and as media before the first`() {
        var stream = Listener(at: 100) { $0.cameraLatency = 0.05 }
        stream.hear(hello(#","clock":"remote""#))
        stream.hear(frame(t: 7.0))
        #expect(isClose(stream.frames[0].exposure, 99.95))
        stream.now = 100.02
        stream.hear(#"{"type":"pong","sent":100.0,"t":7.07}"#)  // 7.07 at the detector is 100.01 here
        stream.now = 100.2
        stream.hear(frame(t: 7.1))
        #expect(isClose(stream.frames[1].exposure, 100.04))
        stream.now = 100.9
        stream.hear(#"{"type":"pong","sent":100.3,"t":7.8}"#)  // slower than the one before: not used
        stream.hear(frame(t: 7.8))
        #expect(isClose(stream.frames[2].exposure, 100.74))
    }

    @Test func `without hello the first t determines the clock`() {
        for (t, clock) in [(4998.5, StreamClock.monotonic), (1_700_005_001.5, .unix), (12.0, .media)] {
            var stream = Listener(at: 5000) { $0.maximumAge = 10 }
            stream.hear(frame(t: t))
            #expect(stream.decoder.streamClock == clock)
        }
        var stream = Listener(at: 5000)
        stream.hear(frame())
        #expect(stream.decoder.streamClock == nil)
        #expect(isClose(stream.frames.first?.exposure ?? 0, 4999.955))
    }

    @Test func `hello without a clock leaves it to the first t`() {
        var stream = Listener(at: 5000)
        stream.hear(hello())
        stream.hear(frame(t: 4999.9))
        #expect(stream.frames.first?.exposure == 4999.9)
    }

    @Test func `a frame more than 20 ms in the future is dropped, ten in a row are a clock mismatch`() {
        var stream = Listener(at: 100)
        stream.hear(hello(#","clock":"monotonic""#))
        stream.hear(frame(t: 100.019))
        #expect(stream.frames.count == 1)
        for step in 1...9 { stream.hear(frame(t: 100.1 + Double(step) / 100)) }
        #expect(stream.decoder.counters.future == 9)
        #expect(!stream.events.contains(.clockMismatch))
        stream.hear(frame(t: 101))
        stream.hear(frame(t: 101.1))
        #expect(stream.events.count { $0 == .clockMismatch } == 1)
        #expect(stream.frames.count == 1)
        stream.now = 100.2
        stream.hear(frame(t: 100.15))
        #expect(stream.frames.count == 2)
    }

    @Test func `a frame older than half a second is dropped`() {
        for (age, passes) in [(0.49, true), (0.51, false)] {
            var stream = Listener(at: 100)
            stream.hear(hello(#","clock":"monotonic""#))
            stream.hear(frame(t: 100 - age))
            #expect(stream.frames.count == (passes ? 1 : 0))
            #expect(stream.decoder.counters.tooOld == (passes ? 0 : 1))
            #expect(stream.decoder.counters.late == (passes ? 1 : 0))
        }
    }

    @Test func `a delayed media stream is old, not new`() {
        var stream = Listener(at: 100)
        stream.hear(hello(#","clock":"media""#))
        for step in 0..<10 {
            stream.now = 100 + Double(step) / 10
            stream.hear(frame(t: Double(step) / 10))
        }
        stream.now = 103  // the daemon stood still; the pipe still holds what was written meanwhile
        for step in 10..<25 { stream.hear(frame(t: Double(step) / 10)) }
        #expect(stream.decoder.counters.tooOld == 15)
        stream.hear(frame(t: 2.96))
        #expect(stream.frames.count == 11)
    }

    @Test func `repeated and out of order frames are dropped and counted`() {
        for clock in ["monotonic", "media"] {
            var stream = Listener(at: 100)
            stream.hear(hello(",\"clock\":\"\(clock)\""))
            for t in [99.8, 99.9, 99.9, 99.85, 99.95] { stream.hear(frame(t: t)) }
            #expect(stream.frames.count == 3)
            #expect(stream.decoder.counters.repeated == 1)
            #expect(stream.decoder.counters.outOfOrder == 1)
        }
    }

    @Test func `without t the number gives the order`() {
        var stream = Listener()
        for seq in [200, 201, 201, 199, 202] { stream.hear(frame(seq: seq)) }
        #expect(stream.decoder.counters.repeated == 1)
        #expect(stream.decoder.counters.outOfOrder == 1)
        stream.hear(frame(seq: 0))  // the detector restarted
        #expect(stream.events.suffix(2) == [.newEpoch, .frame])
    }

    @Test func `a new hello starts a new epoch, the first one does not`() {
        var stream = Listener(at: 100)
        stream.hear(hello(#","clock":"media""#))
        stream.hear(frame(t: 50))
        #expect(!stream.events.contains(.newEpoch))
        stream.hear(hello(#","clock":"media""#))
        #expect(stream.events.last == .newEpoch)
        stream.hear(frame(t: 0))
        #expect(stream.frames.count == 2)
    }

    @Test func `a media clock that jumps back by more than a second starts a new epoch`() {
        var stream = Listener(at: 100)
        stream.hear(hello(#","clock":"media""#))
        stream.hear(frame(t: 4.5))
        stream.now = 100.1
        stream.hear(frame(t: 0))
        #expect(stream.events.suffix(2) == [.newEpoch, .frame])
        #expect(isClose(stream.frames[1].exposure, 100.055))
        stream.now = 100.2
        stream.hear(frame(t: 0.1))
        #expect(isClose(stream.frames[2].exposure, 100.155))
        #expect(stream.decoder.counters.outOfOrder == 0)
    }

    @Test func `several frames in one read all come out, the newest last`() {
        var stream = Listener(at: 100)
        let text = [99.8, 99.85, 99.9].map { frame(t: $0) }.joined(separator: "\n")
        stream.hear(text)
        #expect(stream.frames.map(\.exposure) == [99.8, 99.85, 99.9])
    }

    @Test func `a filter uses t unchanged and drops no frame for its age`() {
        var stream = Listener(at: 0) { $0.isLive = false }
        for t in [3.0, 3.1, 90.0, 1.0] { stream.hear(frame(t: t)) }
        #expect(stream.frames.map(\.exposure) == [3.0, 3.1, 90.0, 1.0])
        #expect(stream.events.count { $0 == .newEpoch } == 1)
    }

    @Test func `numbers of any size do no harm to the clock`() {
        var stream = Listener()
        for t in ["1e308", "-1e308", "1e-320", "0", "-0.0", "123456789012345678901234567890"] {
            stream.hear("{\"faces\":[],\"t\":\(t),\"seq\":\(t)}")
        }
        #expect(stream.decoder.counters.lines == 6)
    }
}
