import DockSimulator
import DockTypes
import Geometry
import Glibc
import Processes
import TestSupport
import Testing

@testable import Companion
@testable import DockControl

/// Recorded sessions whose decisions are replayed.
@Suite struct RerunTests {
    /// Two people, a person who taps, types, teaches and pulls the cable, and a program.
    static func session(_ rig: RerunRig = RerunRig()) throws -> Trace {
        rig.people = { time in
            [
                PanTilt(pan: 0.3 * (time * 0.7).sine, tilt: 0.05),
                PanTilt(pan: 0.35 + 0.05 * (time * 1.1).sine, tilt: 0.1 * (time * 0.4).sine),
            ]
        }
        rig.run(4)
        rig.ask(.tap(Point(x: 0.5, y: 0.5)))
        rig.run(1)
        rig.optics = FrameOptics(zoom: 1.5)
        rig.run(1)
        rig.optics = FrameOptics(camera: 1)
        rig.run(1)
        rig.optics = .usual
        rig.run(1)
        rig.ask(.motion(.setFraming(.left)))
        rig.ask(.motion(.setLimits(pan: .set(low: -0.5, high: 0.5, speed: 0.75), tilt: .keep)))
        rig.run(1)
        rig.ask(.motion(.setMode(.manual)))
        rig.ask(.motion(.velocity(PanTilt(pan: -0.4, tilt: 0.1), duration: 0.5)))
        rig.run(1)
        rig.ask(.animate("yes"))
        rig.run(2)
        let taught = MotionScript(
            name: "wave", keys: [.init(time: 0, pan: 0, tilt: 0), .init(time: 0.7, pan: 5.1, tilt: 1.3)], path: .flowing
        )
        rig.ask(.motion(.animate(taught)))
        rig.run(0.4)
        rig.ask(.motion(.emergencyStop))
        rig.run(0.5)
        rig.ask(.motion(.clear))
        rig.run(1)
        rig.ask(.motion(.setMode(.system)))
        rig.run(1)
        rig.unplug()
        rig.run(1)
        rig.plug()
        rig.run(4)
        rig.ask(.motion(.setMode(.custom)))
        for step in 0..<30 {
            let seen = Observation(
                identifier: 7, kind: .object, rect: Rect(x: 0.5 + 0.01 * Double(step), y: 0.4, width: 0.1, height: 0.2),
                faceYawAngle: step % 3 == 0 ? nil : 0.1)
            rig.ask(.track(ObservationFrame([seen], camera: CameraInformation(horizontalFieldOfView: 1.1))))
            rig.run(0.04)
        }
        rig.ask(.select([7]))
        rig.run(0.5)
        rig.ask(.motion(.torque(false)))
        rig.run(0.5)
        return try rig.trace()
    }

    private static let recorded = Result { try session() }

    private static func decisions(_ trace: Trace, _ setup: Rerun.Setup = .init()) throws -> (RerunReport, [UInt8]) {
        var lines: [UInt8] = [], setup = setup
        setup.onDecision = { lines += TraceWriter.line(of: $0) }
        var run = try Rerun(trace, setup)
        return (run.run(), lines)
    }

    @Test func `a replayed session gives the same set-points and bytes, twice in a row`() throws {
        let trace = try Self.recorded.get()
        let (first, lines) = try Self.decisions(trace), (_, again) = try Self.decisions(trace)
        #expect(first.isFromBeginning && first.tornAt == nil && first.difference == nil, "\(first)")
        #expect(first.setpoints.same == first.setpoints.all && first.setpoints.all > 300, "\(first.setpoints)")
        #expect(first.bytes.same == first.bytes.all && first.bytes.all > 10_000, "\(first.bytes)")
        #expect(lines == again)
        #expect(lines == trace.records.filter(\.isDecision).flatMap(TraceWriter.line))
        // The session contained what it should.
        let commands = Set(
            trace.records.compactMap { if case .command(let name, _, _) = $0.body { name } else { nil } })
        #expect(
            commands.isSuperset(of: [
                "setMode", "velocity", "animate", "emergencyStop", "clear", "setLimits", "torque",
            ]), "\(commands)")
        let inputs = trace.records.compactMap { if case .input(let input) = $0.body { input } else { nil } }
        #expect(inputs.contains { if case .tap = $0 { true } else { false } })
        #expect(inputs.contains { if case .observed(let seen) = $0 { seen.camera.count == 9 } else { false } })
        #expect(inputs.contains { if case .select([7]) = $0 { true } else { false } })
        #expect(inputs.count { if case .opened = $0 { true } else { false } } == 2)
        #expect(inputs.contains { if case .hungUp = $0 { true } else { false } })
    }

    @Test(arguments: ["lag", "latency", "speed", "field of view"])
    func `another rig decides differently, and the place is reported`(what: String) throws {
        let trace = try Self.recorded.get()
        var setup = Rerun.Setup(), profile = RigProfile.dlpDock
        switch what {
        case "lag": profile.pan.lag += 0.005
        case "latency": profile.commandLatency += 0.002
        case "speed": profile.pan.maxSpeed *= 0.15
        default: profile.camera.horizontalFieldOfView *= 0.999
        }
        setup.profile = profile
        let (report, lines) = try Self.decisions(trace, setup)
        let difference = try #require(report.difference)
        #expect(!report.isSame && report.setpoints.same < report.setpoints.all && difference.time > report.begins)
        #expect(difference.recorded != difference.decided && !lines.isEmpty)
    }

    @Test func `a session with a calibrated lens is replayed to the byte, and differs without it`() throws {
        var profile = RigProfile.dlpDock
        var lens = CalibratedLens(
            width: 640, height: 360, focal: Point(x: 520, y: 521), principal: Point(x: 326, y: 176))
        lens.distortion = LensDistortion(k1: -0.15, k2: 0.02, p1: 0.001)
        // An angle that does not survive the way through degrees.
        lens.mount = MountAngles(yaw: 0.0123456789, pitch: -0.02, roll: 0.1 / 3)
        profile.camera.lens = lens
        let trace = try Self.session(RerunRig(profile: profile))
        let (report, lines) = try Self.decisions(trace)
        #expect(report.difference == nil && report.setpoints.same == report.setpoints.all, "\(report)")
        #expect(report.bytes.same == report.bytes.all && report.bytes.all > 10_000, "\(report.bytes)")
        #expect(lines == trace.records.filter(\.isDecision).flatMap(TraceWriter.line))
        var setup = Rerun.Setup()
        setup.profile = .dlpDock
        #expect(try Self.decisions(trace, setup).0.difference != nil)
    }

    @Test func `a header's profile with another lag shows a difference`() throws {
        var trace = try Self.recorded.get()
        trace.run?.options.profile.tilt.lag = 0.07
        #expect(try Self.decisions(trace).0.difference != nil)
    }

    @Test func `one changed rectangle, one missing frame, one other command shows a difference`() throws {
        let trace = try Self.recorded.get()
        let pictures = trace.records.indices.filter {
            if case .input(.picture(let picture)) = trace.records[$0].body { picture.faces.count == 2 } else { false }
        }
        var moved = trace, missing = trace
        guard case .input(.picture(var picture)) = trace.records[pictures[60]].body else { return }
        for face in picture.faces.indices { picture.faces[face].rect.x += 1e-9 }
        moved.records[pictures[60]].body = .input(.picture(picture))
        #expect(try Self.decisions(moved).0.difference != nil)
        missing.records.remove(at: pictures[60])
        #expect(try Self.decisions(missing).0.difference != nil)
        var other = trace
        let command = try #require(
            other.records.firstIndex { if case .command("velocity", _, _) = $0.body { true } else { false } })
        other.records[command].body = .command("velocity", [-0.41, 0.1, 0.5], text: "")
        #expect(try Self.decisions(other).0.difference != nil)
    }

    @Test func `a trace that begins in mid-session agrees from the next handshake on, and says when that is`()
        throws
    {
        var trace = try Self.recorded.get()
        let first = trace.records[0].time
        trace.records.removeAll { $0.time < first + 11 }
        let (report, _) = try Self.decisions(trace)
        #expect(!report.isFromBeginning && report.difference == nil && report.setpoints.all > 0)
        // A trace without a handshake, cut before the cable is pulled: nothing is known, and that is no error.
        var short = trace
        short.records.removeAll { $0.time > first + 12.5 }
        let (nothing, _) = try Self.decisions(short)
        #expect(nothing.difference == nil && nothing.sameSince == nil)
    }

    @Test func `records that a slow disk dropped are reported, and later ones are no difference`() throws {
        let rig = RerunRig(spool: TraceSpool(capacity: 64 << 10))
        let trace = try Self.session(rig)
        #expect(trace.records.count > 500)
        // The ring of 64 KiB was never emptied: it holds the beginning, and then there was no room.
        let (report, _) = try Self.decisions(trace)
        #expect(report.isFromBeginning && report.difference == nil)
        let spool = TraceSpool(capacity: 4096), recorder = FlightRecorder()
        recorder.spool = spool
        for number in 0..<1000 { recorder.note("note \(number)") }
        recorder.handOn()
        let before = TraceRecord.all(in: spool.take()).count
        for number in 0..<10 { recorder.note("late \(number)") }
        recorder.handOn()
        let after = TraceRecord.all(in: spool.take()).map(\.body)
        #expect(after.first == .input(.gap(1000 - before)) && after.count == 11)
    }

    @Test func `a manipulated trace is refused or replayed, and never traps`() throws {
        let rig = RerunRig()
        rig.people = { [PanTilt(pan: 0.2 * $0.sine, tilt: 0)] }
        rig.run(3)
        rig.ask(.motion(.setMode(.manual)))
        rig.ask(.motion(.orient(PanTilt(pan: 0.2, tilt: 0), duration: 0.3, relative: true)))
        rig.run(1)
        _ = rig.core.end()
        let records = TraceRecord.all(in: rig.spool.take())
        let bytes = TraceWriter.session(try #require(rig.spool.about), records, program: "test")
        var random = SeededRandom(seed: 17), refused = 0
        for _ in 0..<150 {
            var broken = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                // Digits become other or more digits: numbers stay numbers, of any size.
                let place = Int.random(in: 0..<broken.count, using: &random)
                guard let digit = broken[place...].firstIndex(where: { (0x30...0x39).contains($0) }) else { continue }
                let put = [Array("9".utf8), Array("9e99".utf8), Array("-0.5".utf8), Array("1e-300".utf8), []]
                broken.replaceSubrange(digit...digit, with: put[Int.random(in: 0..<put.count, using: &random)])
            }
            guard let trace = try? Trace(broken, name: "t"), var run = try? Rerun(trace) else {
                refused += 1
                continue
            }
            _ = run.run()
        }
        #expect(refused > 10 && refused < 150)
    }

    /// Eight seconds with a person who walks back and forth, from start to end.
    private static func record(_ writer: SessionTrace) {
        writer.begin()
        let rig = RerunRig(spool: writer.spool)
        rig.people = { [PanTilt(pan: 0.2 * $0.sine, tilt: 0)] }
        rig.run(8)
        _ = rig.core.end()
        writer.finish()
    }

    @Test func `a session's file ends at its limit, says so, and is replayed up to there`() throws {
        let file = try TemporaryFile("", ".jsonl"), problems = Locked<[DockError]>([])
        let writer = try SessionTrace(path: file.path, program: "test", limit: 150_000) { problem in
            problems.withLock { $0.append(problem) }
        }
        Self.record(writer)
        let text = try #require(TemporaryFile.text(of: file.path))
        #expect((150_000...160_000).contains(text.utf8.count) && problems.withLock(\.count) == 1)
        let trace = try Trace(Array(text.utf8), name: "t")
        #expect(trace.records.last?.body == .input(.gap(nil)) && trace.cause == "session")
        let (report, _) = try Self.decisions(trace)
        #expect(report.isFromBeginning && report.difference == nil && report.tornAt == nil, "\(report)")
        #expect(report.setpoints.same == report.setpoints.all && report.setpoints.all > 30)
    }

    @Test(.timeLimit(.minutes(10))) func `a pipe without a reader delays neither the start nor the end of a session`()
        throws
    {
        let file = try TemporaryFile("", ".pipe"), problems = Locked<[DockError]>([])
        unlink(file.path)
        try #require(mkfifo(file.path, 0o600) == 0)
        #expect(throws: DockError.self) { _ = try SessionTrace(path: file.path, program: "test") { _ in } }
        let reader = open(file.path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let writer = try SessionTrace(path: file.path, program: "test") { problem in
            problems.withLock { $0.append(problem) }
        }
        Self.record(writer)
        #expect(problems.withLock { $0.map(\.message) }.contains { $0.contains("not read fast enough") })
    }

    @Test func `an old trace has no turns, and the error says so`() throws {
        let old = try Trace(
            Array((#"{"t":1,"k":"trace","v":1}"# + "\n" + #"{"t":1,"k":"note","text":"x"}"# + "\n").utf8), name: "t")
        #expect(throws: DockError.self) { _ = try Rerun(old) }
    }

    @Test func `the flight recorder's own copy of a young session is replayed, too`() throws {
        let rig = RerunRig()
        rig.people = { [PanTilt(pan: 0.2 * $0.sine, tilt: 0)] }
        rig.run(12)
        let copy = rig.core.recorder.copy(cause: "asked")
        let about = TraceWriter.About(rig: "r", driver: "dlp", program: "1", unix: 0, monotonic: 0)
        let text = TraceWriter.text(of: copy, copy.records, about: about)
        let (report, _) = try Self.decisions(try Trace(Array(text.utf8), name: "t"))
        #expect(report.isFromBeginning && report.difference == nil && report.setpoints.all > 100, "\(report)")
        #expect(report.setpoints.same == report.setpoints.all)
        _ = rig.core.end()
    }
}

extension Double {
    /// Approximates a sine without Glibc, for a person who walks back and forth.
    fileprivate var sine: Double {
        var x = truncatingRemainder(dividingBy: 2 * .pi)
        if x > .pi { x -= 2 * .pi }
        let y = x * (1.2732395447351628 - 0.4052847345693511 * abs(x))
        return 0.775 * y + 0.225 * y * abs(y)
    }
}
