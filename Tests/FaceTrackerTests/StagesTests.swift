import FaceTracker
import Geometry
import Glibc
import TestSupport
import Testing

@Suite struct StagesTests {
    private func recording(times: [Seconds]) -> Recording {
        let text = times.map { frame(t: $0) }.joined(separator: "\n")
        return Array(text.utf8).withUnsafeBytes { Recording($0) }
    }

    /// Plays to the end or for `seconds`, waking exactly at every deadline.
    private func play(_ pacer: ReplayPacer, for seconds: Seconds = 5, listener: inout Listener) {
        var pacer = pacer
        let end = listener.now + seconds
        var output: [UInt8] = []
        while !pacer.isOver, listener.now <= end {
            output.removeAll()
            pacer.appendDue(at: listener.now, into: &output)
            listener.hear(bytes: output[...])
            guard let deadline = pacer.deadline else { return }
            listener.now = max(deadline, listener.now)
        }
    }

    @Test func `a recording is played in real time with hello and bye`() {
        var listener = Listener(at: 1000)
        play(ReplayPacer(recording(times: [4.0, 4.1, 4.3, 4.4])), listener: &listener)
        #expect(listener.frames.map { (($0.arrival - 1000) * 10).rounded() } == [0, 1, 3, 4])
        #expect(listener.frames.allSatisfy { isClose($0.arrival - $0.exposure, 0.045, 1e-6) })
        #expect(listener.events.last == .bye(reason: "eof"))
        if case .hello(let hello) = listener.events.first { #expect(hello.clock == .media) }
        #expect(listener.problems.isEmpty)
    }

    @Test(arguments: [ReplayPacer.Loop.again, .pingpong])
    func `a loop continues without a new epoch and without a dropped frame`(loop: ReplayPacer.Loop) throws {
        var listener = Listener(at: 1000)
        let recording = try Example.recording("two-people")
        play(ReplayPacer(recording, loop: loop), for: 20, listener: &listener)
        #expect(listener.frames.count >= 230)
        #expect(!listener.events.contains(.newEpoch))
        #expect(listener.decoder.counters.framesDropped == 0)
        for (a, b) in zip(listener.frames, listener.frames.dropFirst()) {
            #expect((0.05...0.2).contains(b.exposure - a.exposure))
        }
    }

    @Test func `ping-pong never jumps`() throws {
        var listener = Listener(at: 1000)
        var tracker = Tracker()
        play(ReplayPacer(try Example.recording("two-people"), loop: .pingpong), for: 60, listener: &listener)
        var ids: Set<Int> = []
        for frame in listener.frames {
            tracker.update(frame)
            ids.formUnion(tracker.subjects.map(\.id))
        }
        #expect(ids == [1, 2])
    }

    @Test func `after a sleep the missed frames are not sent`() {
        var pacer = ReplayPacer(recording(times: (0..<100).map { Double($0) / 10 }))
        var output: [UInt8] = []
        pacer.appendDue(at: 0, into: &output)
        output.removeAll()
        pacer.appendDue(at: 5, into: &output)
        #expect(output.count { $0 == 0x0A } == 1)
        #expect(isClose(pacer.deadline ?? 0, 5.1, 1e-6))
    }

    @Test func `speed is a factor of real time`() {
        var listener = Listener(at: 1000)
        play(ReplayPacer(recording(times: [0, 1, 2]), speed: 4), listener: &listener)
        #expect(listener.frames.map { $0.arrival - 1000 } == [0, 0.25, 0.5])
    }

    @Test func `the error for a file that is missing or holds no frame says what to do`() {
        #expect(throws: Recording.Failure.self) { try Recording(path: "/nowhere/faces.jsonl") }
        #expect(throws: Recording.Failure.self) { try Recording(path: "/dev/null") }
        #expect(throws: Recording.Failure.self) { try Recording(path: "/") }
    }

    @Test func `a file that is not regular, or too large, is refused before it is read`() throws {
        #expect { try Recording(path: "/dev/null") } throws: { "\($0)".contains("not a regular file") }
        #expect { try Recording(path: "/") } throws: { "\($0)".contains("not a regular file") }
        // A sparse file uses no disk space.
        let file = try TemporaryFile("", ".jsonl")
        try #require(truncate(file.path, (256 << 20) + 1) == 0)
        #expect { try Recording(path: file.path) } throws: { "\($0)".contains("larger than 256 MiB") }
    }

    @Test func `detections survive being written and read`() {
        let face = Detection(
            rect: Rect(x: -0.01, y: 0.25, width: 0.125, height: 0.5), score: 0.75, kind: .object,
            attributes: FaceAttributes(yaw: -0.5, speaking: 0.25))
        var output: [UInt8] = []
        var encoder = DetectionEncoder()
        encoder.writeHello(detector: "a \"b\"\n", clock: .none, framesPerSecond: 12, to: &output)
        encoder.writeFrame(sequence: 3, time: 1.5, detections: [face, face], to: &output)
        encoder.writeBye(reason: "end", to: &output)
        var listener = Listener()
        listener.hear(bytes: output[...])
        #expect(listener.frames.first?.detections == [face, face])
        #expect(listener.decoder.hello?.detector == #"a "b"\u{a}"#)
        #expect(listener.decoder.hello?.framesPerSecond == 12)
        #expect(listener.events.last == .bye(reason: "end"))
    }

    @Test func `detector names of the command line`() throws {
        #expect(try DetectionSource("stdin") == .standardInput)
        #expect(try DetectionSource("none") == .none)
        #expect(try DetectionSource("unix:/run/faces.sock") == .socket(path: "/run/faces.sock"))
        #expect(try DetectionSource("exec:python3 d.py --a=1,2") == .child(command: "python3 d.py --a=1,2"))
        #expect(try DetectionSource("file:a.jsonl") == .file(path: "a.jsonl", loop: .once, speed: 1))
        #expect(
            try DetectionSource("file:a.jsonl,loop=again,speed=2") == .file(path: "a.jsonl", loop: .again, speed: 2))
        #expect(
            try DetectionSource("scene:b.jsonl,hfov=90,loop=pingpong")
                == .scene(path: "b.jsonl", hfov: .pi / 2, loop: .pingpong))
    }

    @Test(arguments: [
        "", "camera", "file:", "file:,loop=again", "scene:x,hfov=200", "scene:x,speed=2", "file:x,loop=2", "stdin,x=1",
        "file:x,speed=-1", "unix:", ":",
    ])
    func `invalid detector names are refused`(text: String) {
        #expect(throws: DetectionSource.Failure.self) { try DetectionSource(text) }
    }

    @Test func `requests to a detector are one line each`() {
        var output: [UInt8] = []
        for request in [
            DetectorRequest.config(framesPerSecond: 10, acquire: 0.7, hold: 0.5), .pause, .resume, .ping(sent: 12.25),
        ] { request.write(to: &output) }
        #expect(
            String(decoding: output, as: UTF8.self) == """
                {"type":"config","fps":10,"acquire":0.7,"hold":0.5}
                {"type":"pause"}
                {"type":"resume"}
                {"type":"ping","sent":12.25}

                """)
    }
}
