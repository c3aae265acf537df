import DockControl
import DockSimulator
import DockTypes
import DockWire
import Geometry
import Testing

/// The loop's core on a line that loses, delays and truncates bytes, in virtual time.
@Suite struct BadLineTests {
    @Test(arguments: [1, 2]) func `a rig without a deadman obeys a stop whose first bytes are lost`(lost: Int) {
        let rig = CoreRig.moving(.turn, hasDeadman: false)
        #expect(rig.speed > 29)
        rig.line.lost = lost
        rig.give(.stop)
        rig.run(0.6)
        #expect(rig.speed == 0)
        let place = rig.line.dock.pose
        rig.run(5)
        #expect(rig.line.dock.pose == place)
    }

    @Test func `after a stop the dock is again asked to report slowly`() {
        let rig = CoreRig.moving(.turn)
        rig.give(.stop)
        rig.run(1)
        let before = rig.line.dock.setpoints
        var reports = 0
        rig.run(2) { if rig.line.dock.nextWake > rig.now + 0.05 { reports += 1 } }
        #expect(rig.line.dock.setpoints == before, "at rest nothing is sent")
        #expect(reports > 1000, "10 times a second, mostly when no frame is near")
    }

    @Test
    func `a dock that falls silent during a planned move is not driven faster, and stops within its deadman time`() {
        let rig = CoreRig.moving(.orient(.degrees(pan: 60, tilt: 0), duration: 1.4, relative: false))
        let speed = rig.speed, struck = rig.now
        #expect(speed > 60)
        rig.line.dock.faults.isMute = true
        var fastest = 0.0, stood: Seconds?
        rig.run(1.5) {
            fastest = max(fastest, rig.speed)
            if rig.speed < 0.5, stood == nil { stood = rig.now - struck }
        }
        #expect(fastest < speed * 1.02, "\(fastest) deg/s after \(speed)")
        // Deadman time, 100 ms, braking from 80 deg/s at 600 deg/s², the motor's lag.
        #expect((stood ?? 9) < 0.25 + 0.1 + speed / 600 + 0.155)
        rig.line.dock.faults.isMute = false
        rig.run(1.5)
        #expect(rig.states.last == .ready && rig.speed == 0)
    }

    @Test(arguments: [(0.4, true), (0.7, false)])
    func `a motion that a silence interrupted for half a second has ended and does not resume by itself`(
        silence: Seconds, goesOn: Bool
    ) {
        let rig = CoreRig.moving(.velocity(.degrees(pan: 40, tilt: 0), duration: 10))
        rig.line.dock.faults.isMute = true
        rig.run(silence)
        rig.line.dock.faults.isMute = false
        rig.run(0.5)
        #expect((rig.speed > 20) == goesOn, "\(rig.speed)")
        #expect(rig.notes.contains { $0.contains("has sent nothing for half a second") } != goesOn, "\(rig.notes)")
        #expect(rig.states.last == .ready && (rig.snapshot.motion != nil) == goesOn)
    }

    @Test func `a dock that reports but hears nothing is greeted, reported as deaf, and recovers when it hears again`()
    {
        let rig = CoreRig.moving(.turn)
        rig.line.dock.faults.isDeaf = true
        rig.run(5)
        #expect(rig.speed == 0 && rig.notes.contains { $0.contains("does not receive") })
        #expect(rig.states.suffix(2) == [.greeting, .detached(.noAnswer)])
        rig.line.dock.faults.isDeaf = false
        rig.run(1)
        #expect(rig.states.last == .ready && rig.speed == 0)
    }

    @Test func `a dock whose deadman had tripped before it was moved is not taken for deaf`() {
        let rig = CoreRig.moving(.turn)
        // The previous daemon died: its dock reports the tripped deadman until it is moved again.
        rig.line.dock.faults.isDeaf = true
        rig.run(0.4)
        rig.line.dock.faults.isDeaf = false
        rig.run(1)
        #expect(rig.speed > 29 && rig.states.last == .ready && rig.notes.isEmpty)
    }

    @Test func `a port that another program holds is named once and opened when it is free`() {
        let rig = CoreRig.moving(.turn)
        rig.refusal = DockError(.portBusy, "in use", hint: "wait")
        rig.run(6, hungUp: true)
        #expect(rig.states.suffix(2) == [.detached(.unplugged), .detached(.portBusy)])
        rig.refusal = nil
        rig.run(6)
        #expect(rig.states.last == .ready && rig.speed == 0)
    }

    private func hasTorque(_ rig: CoreRig) -> Bool { rig.line.dock.flags.contains(.torque) }

    @Test func `torque off that the dock did not hear is reported, repeated, and obeyed as soon as the dock hears`() {
        let rig = CoreRig()
        rig.run(1)
        rig.line.dock.faults.isDeaf = true
        rig.give(.torque(false))
        rig.run(0.9)
        #expect(rig.notes.isEmpty)
        rig.run(2)
        #expect(hasTorque(rig) && rig.states.last == .ready)
        #expect(rig.notes.count == 1 && rig.notes.first?.hasPrefix("the dock keeps its torque") == true)
        rig.line.dock.faults.isDeaf = false
        rig.run(0.3)
        #expect(!hasTorque(rig))
    }

    @Test(arguments: [0, 0.2]) func `torque off is answered when the dock has let go, not before`(deaf: Seconds) throws
    {
        let rig = CoreRig()
        rig.run(1)
        rig.line.dock.faults.isDeaf = deaf > 0
        rig.give(.torque(false))
        let asked = rig.now
        var letGo: Seconds?
        rig.run(0.5) {
            if rig.now > asked + deaf { rig.line.dock.faults.isDeaf = false }
            if letGo == nil, !hasTorque(rig) { letGo = rig.now }
            if rig.answers.isEmpty { #expect(hasTorque(rig) == (letGo == nil)) }
        }
        let answer = try #require(rig.answers.first)
        #expect(rig.answers.count == 1 && (try? answer.answer.get()) != nil)
        #expect(try answer.at > #require(letGo) && answer.at < asked + deaf + 0.3)
        #expect(!rig.snapshot.torque)
    }

    @Test func `torque off that the dock never confirms is an error that names a remedy, and is still repeated`() {
        let rig = CoreRig()
        rig.run(1)
        rig.line.dock.faults.isDeaf = true
        rig.give(.torque(false))
        let asked = rig.now
        rig.run(0.95)
        #expect(rig.answers.isEmpty && rig.snapshot.torque, "status does not say that it is off")
        rig.run(0.2)
        guard rig.answers.count == 1, case .failure(let error) = rig.answers[0].answer else {
            Issue.record("\(rig.answers)")
            return
        }
        #expect(error.code == .timeout && error.hint.contains("by hand") && error.hint.contains("supply"))
        #expect(rig.answers[0].at - asked < 1.05)
        rig.run(5)
        rig.line.dock.faults.isDeaf = false
        rig.run(0.3)
        #expect(!hasTorque(rig) && !rig.snapshot.torque && rig.answers.count == 1)
    }

    @Test func `a pending torque off delays no stop, and ends when the cable is pulled`() {
        let rig = CoreRig()
        rig.run(1)
        rig.line.dock.faults.isDeaf = true
        rig.give(.torque(false))
        rig.run(0.1)
        for command in [MotionCommand.stop, .emergencyStop] {
            rig.give(command)
            rig.run(0.005)
            #expect(rig.answers.last?.command == command)
        }
        #expect(rig.answers.count == 2)
        rig.refusal = DockError(.notConnected, "no port", hint: "none")
        rig.run(0.01, hungUp: true)
        #expect(rig.answers.count == 3 && rig.answers.last?.command == .torque(false))
        #expect(rig.answers.last?.answer == .failure(DockError(.timeout, "", hint: "")))
        rig.run(2)
        #expect(rig.answers.count == 3)
    }

    @Test(arguments: [true, false]) func `torque whose frame is lost is switched a moment later`(on: Bool) {
        let rig = CoreRig()
        rig.run(1)
        if on {
            rig.give(.torque(false))
            rig.run(0.5)
        }
        #expect(hasTorque(rig) != on)
        rig.line.dock.faults.isDeaf = true
        rig.give(.torque(on))
        rig.run(0.03)
        #expect(hasTorque(rig) != on)
        rig.line.dock.faults.isDeaf = false
        rig.run(0.15)
        #expect(hasTorque(rig) == on && rig.notes.isEmpty)
    }

    @Test func `torque off survives a silence, a reboot and another handshake, until torque is switched on`() {
        let rig = CoreRig()
        rig.run(1)
        rig.line.dock.faults.isDeaf = true
        rig.give(.torque(false))
        rig.run(0.2)
        // The cable is out for a while; the dock has not received the command yet.
        rig.line.dock.faults.isMute = true
        rig.run(3)
        #expect(hasTorque(rig))
        rig.line.dock.faults.isMute = false
        rig.line.dock.faults.isDeaf = false
        rig.run(1)
        #expect(!hasTorque(rig) && rig.states.last == .ready)
        rig.line.dock.reboot()
        var everHad = false
        rig.run(3) { everHad = everHad || hasTorque(rig) }
        #expect(!everHad && rig.states.last == .ready)
        rig.give(.torque(true))
        rig.run(0.2)
        #expect(hasTorque(rig))
    }
}
