import DockSimulator
import DockTypes
import DockWire
import Geometry
import Testing

@testable import DockControl

/// The ring buffer of the last half minute.
@Suite struct RecorderTests {
    /// Records numbered bytes, so that each record can be identified.
    private static func put(_ number: Int, size: Int, into recorder: FlightRecorder) {
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
        bytes.withUnsafeBytes { recorder.wire(.toDock, $0) }
    }

    private static func numbers(_ copy: TraceCopy) -> [UInt8] {
        copy.records.compactMap { record in
            if case .toDock(let bytes, _) = record.body, Set(bytes).count == 1 { bytes[0] } else { nil }
        }
    }

    @Test func `the newest are kept in order, whatever their sizes and however often the ring wraps`() {
        var sizes = SeededRandom(seed: 11)
        for capacity in [4096, 5000, 20_000] {
            let recorder = FlightRecorder(capacity: capacity)
            for number in 0..<5000 {
                recorder.now = Double(number) * 0.001
                Self.put(number, size: Int.random(in: 1...900, using: &sizes), into: recorder)
                guard number % 97 == 0 else { continue }
                let copy = recorder.copy(cause: "asked"), kept = Self.numbers(copy)
                #expect(kept.count == recorder.count && copy.dropped + kept.count == number + 1)
                // Consecutive, and up to the very last.
                let expected = (number - kept.count + 1...number).map { UInt8(truncatingIfNeeded: $0) }
                #expect(kept == expected)
                #expect(copy.bytes.count <= capacity && kept.count >= min(number + 1, capacity / 912 - 2))
            }
        }
    }

    @Test func `records older than half a minute are left out`() {
        let recorder = FlightRecorder()
        for second in 0..<100 {
            recorder.now = Double(second)
            recorder.note("second \(second)")
        }
        let times = recorder.copy(cause: "asked").records.map(\.time)
        #expect(times == (69...99).map(Double.init))
    }

    @Test func `half a minute of a busy dock fits`() {
        let recorder = FlightRecorder()
        let sample = MotionSample(time: 0, pose: .zero, rate: .zero), wire = [UInt8](repeating: 7, count: 36)
        for tick in 0..<3000 {
            recorder.now = Double(tick) * 0.02
            for _ in 0..<3 { recorder.turn(LoopCore.Wake(), asleep: nil) }
            recorder.picture(exposure: 1, count: 1) { _ in
                TraceFace(
                    rect: Rect(x: 0.1, y: 0.2, width: 0.1, height: 0.2), score: 0.9,
                    attributes: FaceAttributes(yaw: 0.1))
            }
            wire.withUnsafeBytes {
                recorder.wire(.toDock, $0)
                recorder.wire(.fromDock, $0)
            }
            recorder.pose(sample, deadmanTripped: false)
            recorder.decided(.zero, owner: .tracking, reason: .moving)
            recorder.rectangles(exposure: 0, count: 3) { index in
                .init(id: index, rect: .full, isCoasting: false, isFollowed: false)
            }
        }
        let records = recorder.copy(cause: "asked").records
        #expect((records.last?.time ?? 0) - (records.first?.time ?? 0) > 29.9)
    }

    @Test func `every kind is returned as it was, and long texts and reads are truncated, not lost`() {
        let recorder = FlightRecorder()
        recorder.now = 5
        recorder.pose(
            MotionSample(time: 4.9, pose: PanTilt(pan: 0.5, tilt: -0.25), rate: PanTilt(pan: 2, tilt: 0)),
            deadmanTripped: true)
        recorder.decided(PanTilt(pan: 0.125, tilt: 0), owner: .manual, reason: .limit)
        recorder.state(.faulted(.stall), mode: .manual)
        recorder.state(.detached(.unplugged), mode: .system)
        recorder.ended(EndedMotion(id: MotionID(7), name: "yes", outcome: .takenOver))
        recorder.note(String(repeating: "ü", count: 2000))
        recorder.command(.velocity(PanTilt(pan: 1, tilt: 2), duration: 0.5), program: nil)
        recorder.command(.animate(MotionScript.named(.yes)), program: nil)
        recorder.command(.emergencyStop, program: nil)
        let rectangle = FlightRecorder.Rectangle(
            id: 3, rect: Rect(x: 0.5, y: 0.25, width: 0.125, height: 0.5), isCoasting: true, isFollowed: true)
        recorder.rectangles(exposure: 4.5, count: 1) { _ in rectangle }
        [UInt8](repeating: 9, count: 3000).withUnsafeBytes { recorder.wire(.fromDock, $0) }
        let bodies = recorder.copy(cause: "stall").records.map(\.body)
        let sample = MotionSample(time: 4.9, pose: PanTilt(pan: 0.5, tilt: -0.25), rate: PanTilt(pan: 2, tilt: 0))
        #expect(bodies[0] == .pose(sample, deadmanTripped: true))
        #expect(bodies[1] == .set(PanTilt(pan: 0.125, tilt: 0), owner: "manual", reason: "limit"))
        #expect(bodies[2] == .state("faulted", cause: "stall", mode: "manual"))
        #expect(bodies[3] == .state("detached", cause: "unplugged", mode: "system"))
        #expect(bodies[4] == .end(7, name: "yes", outcome: "takenOver"))
        #expect(bodies[6] == .command("velocity", [1, 2, 0.5], text: ""))
        #expect(bodies[7] == .command("animate", [], text: "yes"))
        #expect(bodies[8] == .command("emergencyStop", [], text: ""))
        #expect(bodies[9] == .rectangles(exposure: 4.5, [rectangle]))
        #expect(bodies.count == 13)
    }

    @Test func `consecutive names are at their codes`() {
        #expect(TraceNames.owners[Int(MotionOwner.gesture.code)] == "gesture")
        #expect(TraceNames.reasons[Int(MotionReason.torqueOff.code)] == "torqueOff")
        for outcome in MotionOutcome.allCases { #expect(MotionOutcome.allCases[Int(outcome.code)] == outcome) }
        for mode in TrackingMode.allCases { #expect(TrackingMode.allCases[Int(mode.code)] == mode) }
        for name in DockFault.names { #expect(DockFault(rawValue: name).map { DockFault.names[Int($0.code)] } == name) }
        for name in DetachReason.names {
            #expect(DetachReason(rawValue: name).map { DetachReason.names[Int($0.code)] } == name)
        }
        #expect(TraceNames.commands[Int(MotionCommand.torque(true).code)] == "torque")
        #expect(TraceNames.commands[Int(MotionCommand.cancel(MotionID(1), .cancelled).code)] == "cancel")
    }

    @Test func `the wire is decoded into messages, in both directions and across records`() {
        var encoder = FrameEncoder(), reader = WireReader(driver: "dlp")
        let setpoint = Setpoint(mode: .velocity, deadman: 25, panVelocity: 30_000, tiltVelocity: -1_500)
        let bytes = encoder.encode(.setpoint(setpoint)).array
        #expect(reader.sent(Array(bytes.prefix(5))).isEmpty)
        let lines = reader.sent(Array(bytes.dropFirst(5)))
        #expect(lines.map(\.text) == ["pan +30.00 tilt -1.50 deg/s, deadman 250 ms"])
        #expect(lines.first?.velocity?.pan == .degrees(30))
        #expect(reader.received(encoder.encode(.log(LogReport(level: 0, text: "hi"))).array).map(\.name) == ["LOG"])
        #expect(reader.received([1, 2, 3, 0]).isEmpty && reader.invalid == 1)
        var other = WireReader(driver: "other")
        #expect(other.sent(bytes).isEmpty)
    }
}
