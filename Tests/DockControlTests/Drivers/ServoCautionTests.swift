import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// A pair of servos on a bad line, or with settings that forbid motion: nothing moves, and nothing that is kept changes.
@Suite struct ServoCautionTests {
    private static var scs: RigProfile {
        var profile = DriverRows.feetech.profile
        profile.options["scs"] = 1
        profile.options["pan_center"] = nil
        profile.options["tilt_center"] = nil
        return profile
    }

    /// The answers to questions about settings are larger than those that follow.
    @Test(arguments: [0.1, 0.2, 0.4, 0.7, 0.9])
    func `a late answer is not taken for that to another question, whenever the line stalls`(length: Seconds) throws {
        for start in stride(from: 0.0, to: 0.4, by: 0.009) {
            func check<Servos: BusServos>(_ stage: ServoStage<Servos>, _ name: String) {
                var stage = stage
                let said = "\(name), stalled for \(length) s from \(start) s on"
                stage.stalled = start...start + length
                stage.run(length + 2.1)
                #expect(stage.reports.contains(.ready), "\(said)")
                #expect(stage.farthest < .degrees(0.5), "\(said): \(stage.farthest.inDegrees) degrees")
                // The mode is the only setting that a run writes so that it is kept.
                let modes = [1, 2].flatMap { stage.writes(to: Servos.Servo.modeAddress, of: $0) }
                #expect(modes.isEmpty, "\(said)")
                // Each servo has reported its settings in the end.
                #expect(stage.driver.findings.isEmpty, "\(said): \(stage.driver.findings)")
            }
            check(try ServoStage<FeetechServos>(DriverRows.feetech.profile), "STS")
            check(try ServoStage<FeetechServos>(Self.scs), "SCS")
            check(try ServoStage<DynamixelServos>(DriverRows.dynamixel.profile), "Dynamixel")
        }
    }

    @Test func `servos that must not be moved are not written to, either`() throws {
        // A time-based profile, speed mode, and a status level that a run would set.
        var stage = try ServoStage<DynamixelServos>(DriverRows.dynamixel.profile) {
            $0.store([4, 1], at: 10, on: .pan)
            $0.store([1], at: 68, on: .pan)
        }
        stage.run(3)
        let writes = stage.frames.filter { $0.count > 7 && [0x03, 0x83].contains($0[7]) }
        #expect(!stage.reports.contains(.ready) && writes.isEmpty, "\(writes)")
    }

    @Test func `a servo that answers no writes still confirms that its torque is off`() throws {
        var stage = try ServoStage<FeetechServos>(DriverRows.feetech.profile, motionless: true) {
            $0.store([0], at: 8, on: .pan)
        }
        stage.run(1)
        #expect(stage.reports.contains(.ready) && !stage.reports.contains(.released))
        stage.torque(false)
        stage.run(1)
        #expect(stage.reports.contains(.released))
    }

    @Test func `servos that do not report their settings are named`() throws {
        var stage = try ServoStage<FeetechServos>(DriverRows.feetech.profile)
        stage.longest = 30
        stage.run(3)
        let advice = stage.advice.filter { $0.contains("does not report its settings") }
        #expect(stage.reports.contains(.ready) && advice.count == 2 && stage.driver.findings == advice, "\(advice)")
    }

    /// Readings then take as long as the interval between them.
    @Test func `torque off is repeated until it is confirmed on a slow line, too`() throws {
        func check<Servos: BusServos>(_ stage: ServoStage<Servos>) {
            var stage = stage
            stage.delay = 0.025
            stage.run(3)
            #expect(stage.reports.contains(.ready) && stage.device.electronics.powered == [.pan, .tilt])
            stage.moves()
            stage.run(0.1)
            stage.torque(false, isLost: true)
            stage.run(1)
            #expect(stage.reports.contains(.released) && stage.device.electronics.powered.isEmpty)
        }
        check(try ServoStage<FeetechServos>(DriverRows.feetech.profile))
        check(try ServoStage<DynamixelServos>(DriverRows.dynamixel.profile))
    }

    @Test func `what is found is up to date when the plugs are swapped, and when the line is closed`() throws {
        var stage = try ServoStage<FeetechServos>(DriverRows.feetech.profile)
        stage.device.faults.unplugged = [.tilt]
        stage.run(4)
        #expect(stage.driver.findings.count == 1 && stage.driver.findings[0].contains("servo 2 does not"))
        stage.device.faults.unplugged = [.pan]
        stage.run(6)
        #expect(stage.driver.findings.count == 1 && stage.driver.findings[0].contains("servo 1 does not"))
        stage.driver.begin(now: stage.now, motionless: false)
        #expect(stage.driver.findings.isEmpty)
    }
}
