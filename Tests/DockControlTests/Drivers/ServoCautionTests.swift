import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// A pair of servos on a bad line, or with settings that forbid motion: nothing moves, and nothing that is kept changes.
@Suite struct ServoCautionTests {
    /// A driver and simulated servos, in virtual time.
    private struct Stage<Servos: BusServos> {
        var device: SimulatedRig<Servos>
        var driver: any DockDriver
        var reports: [DockReport] = []
        /// The frames that the servos have received.
        var frames: [[UInt8]] = []
        /// Longer answers than this are lost, in bytes.
        var longest = Int.max
        /// While the line is stalled, answers wait in it.
        var stalled: ClosedRange<Seconds> = -1 ... -1
        private var late: [UInt8] = []
        private(set) var farthest = 0.0
        private var now: Seconds = 0

        init(
            _ profile: RigProfile, options: [String: Double]? = nil, motionless: Bool = false,
            _ change: (inout Servos) -> Void = { _ in }
        ) throws {
            device = SimulatedRig(options: options ?? profile.options, seed: 3, time: 0)
            change(&device.electronics)
            driver = try DriverTable.make(for: profile)
            driver.begin(now: 0, motionless: motionless)
        }

        mutating func run(_ seconds: Seconds) {
            for _ in 0..<Int(seconds * 1000) {
                now += 0.001
                var bytes: [UInt8] = []
                device.advance(to: now)
                farthest = max(farthest, device.pose.magnitude)
                let output = device.drainOutput()
                if output.count <= longest { late += output }
                if !stalled.contains(now) {
                    late.withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
                    late = []
                }
                _ = driver.service(now: now, into: &bytes)
                send(bytes)
            }
        }

        mutating func torque(_ on: Bool) {
            var bytes: [UInt8] = []
            driver.encodeTorque(on, into: &bytes)
            send(bytes)
        }

        private mutating func send(_ bytes: [UInt8]) {
            guard !bytes.isEmpty else { return }
            frames.append(bytes)
            device.receive(bytes, at: now)
        }
    }

    private static var scs: RigProfile {
        var profile = DriverRows.feetech.profile
        profile.options["scs"] = 1
        profile.options["pan_center"] = nil
        profile.options["tilt_center"] = nil
        return profile
    }

    /// The answers to questions about settings are larger than those that follow.
    @Test func `a late answer is not taken for that to another question, whenever the line stalls`() throws {
        for start in stride(from: 0.0, to: 0.4, by: 0.007) {
            for length in [0.1, 0.2, 0.4] {
                func check<Servos: BusServos>(_ stage: Stage<Servos>, _ name: String, kept: Int) {
                    var stage = stage
                    let said = "\(name), stalled for \(length) s from \(start) s on"
                    stage.stalled = start...start + length
                    stage.run(2.5)
                    #expect(stage.reports.contains(.ready), "\(said)")
                    #expect(stage.farthest < .degrees(0.5), "\(said): \(stage.farthest.inDegrees) degrees")
                    let writes = stage.frames.filter { Servos.Servo.isWrite($0, to: kept) }
                    #expect(writes.isEmpty, "\(said): \(writes)")
                }
                check(try Stage<FeetechServos>(DriverRows.feetech.profile), "STS", kept: 33)
                check(try Stage<FeetechServos>(Self.scs), "SCS", kept: 33)
                check(try Stage<DynamixelServos>(DriverRows.dynamixel.profile), "Dynamixel", kept: 11)
            }
        }
    }

    @Test func `servos that must not be moved are not written to, either`() throws {
        // A time-based profile, and speed mode.
        var stage = try Stage<DynamixelServos>(DriverRows.dynamixel.profile) {
            $0.store([4, 1], at: 10, on: .pan)
        }
        stage.run(3)
        let writes = stage.frames.filter { $0.count > 7 && [0x03, 0x83].contains($0[7]) }
        #expect(!stage.reports.contains(.ready) && writes.isEmpty, "\(writes)")
    }

    @Test func `torque that is switched on before the settings are known waits for them`() throws {
        for moment in stride(from: 0.0, to: 0.4, by: 0.003) {
            var stage = try Stage<FeetechServos>(
                DriverRows.feetech.profile, options: ["scs": 1], motionless: true)
            stage.run(moment)
            stage.torque(true)
            stage.run(0.05)
            stage.torque(true)
            stage.run(1)
            #expect(stage.device.electronics.powered.isEmpty, "switched on after \(moment) s")
        }
        for moment in stride(from: 0.0, to: 0.6, by: 0.003) {
            var stage = try Stage<FeetechServos>(DriverRows.feetech.profile, motionless: true)
            stage.run(moment)
            stage.torque(true)
            stage.run(1)
            #expect(stage.device.electronics.powered == [.pan, .tilt] && stage.reports.contains(.ready))
            for id: UInt8 in [1, 2] {
                let limit = stage.frames.firstIndex { FeetechServo.isWrite($0, to: 48, of: id) }
                let torque = stage.frames.firstIndex { FeetechServo.isWrite($0, to: 40, of: id) && $0[6] == 1 }
                #expect(try #require(limit) < #require(torque), "servo \(id), switched on after \(moment) s")
            }
        }
    }

    @Test func `a servo that answers no writes still confirms that its torque is off`() throws {
        var stage = try Stage<FeetechServos>(DriverRows.feetech.profile, motionless: true) {
            $0.store([0], at: 8, on: .pan)
        }
        stage.run(1)
        #expect(stage.reports.contains(.ready) && !stage.reports.contains(.released))
        stage.torque(false)
        stage.run(1)
        #expect(stage.reports.contains(.released))
    }

    @Test func `a servo that does not report its settings is named`() throws {
        var stage = try Stage<FeetechServos>(DriverRows.feetech.profile)
        stage.longest = 30
        stage.run(2.5)
        let advice = stage.reports.filter {
            if case .advice(let text) = $0 { text.contains("does not report its settings") } else { false }
        }
        #expect(stage.reports.contains(.ready) && (1...2).contains(advice.count), "\(stage.reports)")
    }
}

extension BusServo {
    /// Returns whether a frame writes to an address of one servo.
    fileprivate static func isWrite(_ frame: [UInt8], to address: Int, of id: UInt8? = nil) -> Bool {
        if modeAddress == 33 {
            return frame.count > 6 && frame[4] == 3 && frame[5] == UInt8(address) && id ?? frame[2] == frame[2]
        }
        return frame.count > 9 && frame[7] == 3 && frame[8] == UInt8(address) && frame[9] == 0
    }
}
