import DockSimulator
import DockTypes
import DockWire
import Geometry
import Testing

@testable import DockControl

/// A dock whose motors let go by themselves: this is reported, and torque returns only on request.
@Suite struct LetGoTests {
    private static func ready() -> CoreRig {
        let rig = CoreRig()
        rig.run(1)
        #expect(rig.snapshot.dock == .ready && rig.line.dock.flags.contains(.torque))
        return rig
    }

    /// The dock stays limp for this time, whatever is requested, and status shows the reason.
    private static func staysFree(_ rig: CoreRig, for duration: Seconds) {
        var held = false
        rig.run(duration) { if rig.line.dock.flags.contains(.torque) { held = true } }
        #expect(!held, "torque on was not requested")
        #expect(!rig.snapshot.torque && rig.snapshot.safety.isReleased && rig.snapshot.mode == .manual)
        #expect(rig.notes.count { $0.contains("switched its torque off by itself") } == 1, "\(rig.notes)")
        rig.give(.orient(.degrees(pan: 20, tilt: 0), duration: 1, relative: false))
        rig.run(0.1)
        guard case .failure(let error)? = rig.answers.last?.answer else {
            Issue.record("a motion was answered ok: \(rig.answers)")
            return
        }
        #expect(error.description.contains("switched its torque off by itself"), "\(error)")
    }

    @Test func `a dock that lets go while it stands still is reported, and refuses motion`() {
        let rig = Self.ready()
        rig.line.dock.letGo()
        rig.run(0.4)
        #expect(!rig.snapshot.torque, "ten reports a second, and it takes two")
        Self.staysFree(rig, for: 10)
        rig.give(.torque(true))
        rig.run(0.5)
        #expect(rig.snapshot.torque && rig.line.dock.flags.contains(.torque))
        rig.give(.turn)
        rig.run(0.7)
        #expect(rig.speed > 20)
    }

    @Test func `a dock that lets go while it turns is not blamed on the cable, and is not switched on again`() {
        let rig = CoreRig.moving(.turn)
        #expect(rig.speed > 29)
        rig.line.dock.letGo()
        rig.run(0.2)
        #expect(!rig.snapshot.torque && rig.snapshot.motion == nil)
        Self.staysFree(rig, for: 5)
        #expect(!rig.notes.contains { $0.contains("cable") && $0.contains("hear") }, "\(rig.notes)")
    }

    @Test(arguments: [0.8, 1.5, 4]) func `a dock that lets go during a silence is not switched on by the handshake`(
        silence: Seconds
    ) {
        let rig = Self.ready()
        rig.line.dock.faults.isMute = true
        rig.run(0.1)
        rig.line.dock.letGo()
        rig.run(silence)
        rig.line.dock.faults.isMute = false
        var held = false
        rig.run(2) { if rig.line.dock.flags.contains(.torque) { held = true } }
        #expect(!held && rig.snapshot.dock == .ready)
        Self.staysFree(rig, for: 1)
    }

    @Test func `it stays free through a new handshake and a reboot of the dock`() {
        let rig = Self.ready()
        rig.line.dock.letGo()
        rig.run(0.5)
        rig.line.dock.reboot()
        Self.staysFree(rig, for: 3)
        rig.line.dock.faults.isMute = true
        rig.run(1.5)
        rig.line.dock.faults.isMute = false
        Self.staysFree(rig, for: 2)
    }

    @Test func `a dock that reboots has not let go by itself`() {
        let rig = Self.ready()
        rig.line.dock.reboot()
        rig.run(1)
        #expect(rig.snapshot.torque && rig.line.dock.flags.contains(.torque))
        #expect(!rig.notes.contains { $0.contains("by itself") })
    }

    /// After a short run the new clock is within the tolerance of a slow line, but behind the old one.
    @Test(arguments: [0.5, 5]) func `a dock that counts each boot as its first is held again when it comes back`(
        after run: Seconds
    ) {
        let rig = Self.ready()
        rig.run(run)
        rig.line.dock = SimulatedDock(configuration: rig.line.dock.configuration, time: rig.now)
        _ = rig.line.dock.drainOutput()
        rig.run(3, hungUp: true)
        #expect(rig.snapshot.dock == .ready && rig.snapshot.torque && rig.line.dock.flags.contains(.torque))
        #expect(!rig.notes.contains { $0.contains("by itself") }, "\(rig.notes)")
    }

    @Test func `a dock that lets go while its cable is out is not switched on when it comes back`() {
        let rig = Self.ready()
        rig.run(5)
        rig.line.dock.letGo()
        _ = rig.line.dock.drainOutput()
        var held = false
        rig.run(3, hungUp: true) { if rig.line.dock.flags.contains(.torque) { held = true } }
        #expect(!held && rig.snapshot.dock == .ready)
        Self.staysFree(rig, for: 1)
    }

    @Test func `a dock that lets go again after torque on is reported again`() {
        let rig = Self.ready()
        rig.line.dock.letGo()
        rig.run(0.5)
        rig.give(.torque(true))
        rig.run(0.5)
        rig.line.dock.letGo()
        rig.run(0.5)
        #expect(!rig.snapshot.torque)
        #expect(rig.notes.count { $0.contains("switched its torque off by itself") } == 2, "\(rig.notes)")
    }

    @Test func `torque that a person switches off and on has not let go by itself`() {
        let rig = Self.ready()
        for _ in 0..<5 {
            rig.give(.torque(false))
            rig.run(0.3)
            rig.give(.torque(true))
            rig.run(0.3)
        }
        #expect(rig.snapshot.torque && !rig.notes.contains { $0.contains("by itself") }, "\(rig.notes)")
    }
}
