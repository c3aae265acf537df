import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// What precedes the torque of bus servos, and what keeps it off.
@Suite struct ServoTorqueTests {
    /// The limits precede the torque each time: after an attachment without motion, and after a loss of the supply.
    @Test func `whenever the torque is switched on, each servo first receives its limits`() throws {
        func check<Servos: BusServos>(
            _ make: () throws -> ServoStage<Servos>, limits: [Int], torque: Int
        ) rethrows {
            for moment in stride(from: 0.0, to: 0.6, by: 0.005) {
                var stage = try make()
                stage.run(moment)
                stage.torque(true)
                stage.run(1.5)
                #expect(stage.device.electronics.powered == [.pan, .tilt], "switched on after \(moment) s")
                stage.torque(false)
                stage.run(0.5)
                stage.device.reboot()
                stage.run(0.3)
                stage.torque(true)
                stage.run(1.5)
                #expect(stage.device.electronics.powered == [.pan, .tilt], "switched on after \(moment) s")
                for id: UInt8 in [1, 2] {
                    let switched = stage.writes(to: torque, of: id, value: 1)
                    #expect(switched.count >= 2)
                    for (before, after) in zip([-1] + switched, switched) {
                        for limit in limits {
                            #expect(
                                stage.writes(to: limit, of: id).contains { $0 > before && $0 < after },
                                "servo \(id), address \(limit), switched on after \(moment) s")
                        }
                    }
                }
            }
        }
        try check(
            { try ServoStage<FeetechServos>(DriverRows.feetech.profile, motionless: true) }, limits: [41, 48],
            torque: 40)
        try check(
            { try ServoStage<DynamixelServos>(DriverRows.dynamixel.profile, motionless: true) }, limits: [98, 100],
            torque: 64)
    }

    @Test func `the torque stays off with settings that forbid motion, whenever it is switched on`() throws {
        for moment in stride(from: 0.0, to: 0.6, by: 0.005) {
            var stage = try ServoStage<DynamixelServos>(DriverRows.dynamixel.profile, motionless: true) {
                $0.store([4], at: 10, on: .tilt)
            }
            stage.run(moment)
            stage.torque(true)
            stage.run(0.05)
            stage.torque(true)
            stage.run(1.5)
            #expect(stage.device.electronics.powered.isEmpty, "switched on after \(moment) s")
        }
    }

    @Test func `no goal is sent before the torque that it might switch on`() throws {
        var stage = try ServoStage<FeetechServos>(DriverRows.feetech.profile, motionless: true)
        stage.run(1)
        stage.torque(true)
        let from = stage.frames.count
        for _ in 0..<500 {
            stage.turn(at: PanTilt(pan: 0.2, tilt: 0))
            stage.run(0.001)
        }
        // A synchronous write to the goals.
        let goals = stage.frames.indices.filter {
            stage.frames[$0].count > 6 && stage.frames[$0][4] == 0x83 && stage.frames[$0][5] == 42
        }
        let torque = [1, 2].compactMap { stage.writes(to: 40, of: $0, value: 1).last }
        #expect(torque.count == 2 && !goals.isEmpty)
        #expect(goals.allSatisfy { $0 < from || $0 > torque.max() ?? 0 }, "\(goals) \(torque)")
    }

    @Test func `a head outside a servo's own limits is not held there, and not turned back`() throws {
        let profile = DriverRows.feetech.profile
        // 90 degrees: position 3072.
        var stage = try ServoStage<FeetechServos>(profile, pose: PanTilt(pan: .degrees(90), tilt: 0)) {
            $0.store([0xE8, 3, 0xB8, 0x0B], at: 9, on: .pan)
        }
        stage.run(3)
        #expect(!stage.reports.contains(.ready) && stage.device.electronics.powered.isEmpty)
        #expect(stage.farthest < .degrees(0.5), "\(stage.farthest.inDegrees)")
        #expect(stage.refusals.filter { $0.contains("outside its own limits 1000...3000") }.count == 1)

        // A hand turns the head there while the torque is off.
        stage = try ServoStage<FeetechServos>(profile) { $0.store([0xE8, 3, 0xB8, 0x0B], at: 9, on: .pan) }
        stage.run(1)
        stage.torque(false)
        stage.run(0.5)
        stage.device.push(PanTilt(pan: .degrees(60), tilt: 0), for: 1.5)
        stage.run(2)
        let place = stage.device.pose
        #expect(place.pan > .degrees(85))
        stage.torque(true)
        stage.run(2)
        #expect(stage.device.electronics.powered.isEmpty && (stage.device.pose - place).magnitude < .degrees(0.5))
        #expect(stage.driver.findings.contains { $0.contains("outside its own limits") }, "\(stage.driver.findings)")
        stage.device.push(PanTilt(pan: .degrees(-60), tilt: 0), for: 1)
        stage.run(3)
        #expect(stage.device.electronics.powered == [.pan, .tilt], "\(stage.driver.findings)")
    }

    /// The loop does not notice a silence of a third of a second by itself.
    @Test func `a servo that restarts while it turns is reported before the rig is ready again`() throws {
        func check<Servos: BusServos>(_ make: () throws -> ServoStage<Servos>) rethrows {
            for moment in stride(from: 1.0, to: 1.1, by: 0.004) {
                var stage = try make()
                func turn(_ seconds: Double) {
                    for _ in 0..<Int(seconds / 0.02) {
                        stage.turn(at: PanTilt(pan: 0.3, tilt: 0))
                        stage.run(0.02)
                    }
                }
                stage.run(1)
                turn(moment - 0.9)
                stage.stalled = stage.now...(stage.now + 0.3)
                turn(1.5)
                #expect(!stage.reports.contains(.rebooted), "silent at \(moment) s")
                stage.reports = []
                stage.device.reboot()
                let place = stage.device.pose
                for _ in 0..<150 where !stage.reports.contains(.ready) {
                    stage.turn(at: PanTilt(pan: 0.3, tilt: 0))
                    stage.run(0.01)
                    if !stage.reports.contains(.rebooted) {
                        #expect((stage.device.pose - place).magnitude < .degrees(3), "restarted at \(moment) s")
                    }
                }
                let order = stage.reports.filter { $0 == .rebooted || $0 == .ready }
                #expect(order == [.rebooted, .ready], "restarted at \(moment) s")
            }
        }
        try check { try ServoStage<FeetechServos>(DriverRows.feetech.profile) }
        try check { try ServoStage<DynamixelServos>(DriverRows.dynamixel.profile) }
    }

    @Test func `an overload from before the rig was attached is reported, and cleared`() throws {
        var stage = try ServoStage<DynamixelServos>(DriverRows.dynamixel.profile) { $0.overload(.pan) }
        stage.run(2)
        #expect(stage.reports.filter { $0 == .fault(.stall) }.count == 1 && !stage.reports.contains(.rebooted))
        stage.clear()
        stage.run(2)
        #expect(stage.reports.contains(.faultCleared) && stage.device.electronics.powered == [.pan, .tilt])
    }

    @Test func `one clear is enough if both servos are overloaded`() throws {
        var stage = try ServoStage<DynamixelServos>(DriverRows.dynamixel.profile)
        stage.run(2)
        for axis in Axis.allCases { stage.device.electronics.overload(axis) }
        stage.run(1)
        #expect(stage.reports.contains(.fault(.stall)))
        stage.clear()
        stage.run(2)
        #expect(stage.reports.contains(.faultCleared) && stage.device.electronics.powered == [.pan, .tilt])
    }

    @Test func `an overload is never taken for a restart`() throws {
        for moment in stride(from: 2.0, to: 2.4, by: 0.007) {
            var stage = try ServoStage<DynamixelServos>(DriverRows.dynamixel.profile)
            stage.run(moment)
            stage.device.electronics.overload(.tilt)
            stage.run(1)
            #expect(stage.reports.contains(.fault(.stall)) && !stage.reports.contains(.rebooted), "after \(moment) s")
        }
    }
}
