import Companion
import CPosix
import DockControl
import DockTypes
import Geometry
import Synchronization

extension Adopt {
    /// Returns the identity of the device that answers in the profile's protocol. Nothing moves.
    func greet(_ port: PortName, _ rig: RigProfile, _ desk: CheckDesk) throws -> DockIdentity {
        desk.say("greeting \(port) as \"\(rig.name)\" (\(rig.driver), \(rig.serial.baud) baud); nothing moves ...")
        let link = try DockPort(port, serial: rig.serial).open(waits: true), isHardware = link.isHardware
        var options = LoopOptions(profile: rig, mode: .manual)
        options.dryRun = true
        let loop = try DockLoop(), heard = try DeskMover.HeardBox(), isLost = Lost()
        try loop.start(
            link: link, options: options, driver: try DriverTable.make(for: rig),
            reopen: { () throws(DockError) in
                // The loop reopens only a port that it has lost.
                isLost.value.store(true, ordering: .relaxed)
                cposix_wake_ring(heard.wake)
                throw DockError(.notConnected, "the port is gone", hint: "plug it in, and run `dockface adopt` again")
            }, makeInput: { nil }, onSnapshot: { shot in heard.change { $0.record(shot) } },
            onEvent: { event in
                if case .note(let text) = event, text != DockLoop.noRealTime { heard.change { $0.record(note: text) } }
            })
        defer {
            loop.requestStop()
            loop.join()
        }
        let deadline = cposix_monotonic_now() + rig.serial.settle + Self.patience
        var answeredAt: Seconds?
        while answeredAt != nil || cposix_monotonic_now() < deadline {
            let now = cposix_monotonic_now(), (shot, notes) = heard.value.withLock { ($0.snapshot, $0.notes) }
            if let identity = shot.device.identity {
                // Some devices report their own settings only after their identity.
                let since = answeredAt ?? now
                answeredAt = since
                if shot.dock != .greeting || now - since >= Self.settingsTime {
                    for note in notes { desk.say("the dock reports: \(note)") }
                    if isHardware, let text = rig.slowLine { desk.say("note: \(text)") }
                    return identity
                }
            } else {
                answeredAt = nil
            }
            if isLost.value.load(ordering: .relaxed) {
                throw DockError(
                    .notConnected, "\(port) disappeared while greeting \"\(rig.name)\"",
                    hint: "check the cable and the rig's power, then run `dockface adopt` again")
            }
            if desk.wantsStop(while: heard.wake, seconds: (deadline - now).clamped(to: 0.02...0.2)) {
                throw DeskMover.Stopped()
            }
        }
        if let note = heard.value.withLock({ $0.notes.last }) {
            throw DockError(
                .timeout, "the device at \(port) does not become ready as \"\(rig.name)\": \(note)",
                hint: "fix that, and run `dockface adopt` again")
        }
        throw DockError(
            .timeout, "nothing answers at \(port) as \"\(rig.name)\"",
            hint: "check its power, the port, the speed (\(rig.serial.baud) baud) and the ids in the profile"
                + (ServoFamily(rig) == nil
                    ? "" : "; `dockface servo scan --port \(port)` finds servos with other ids and speeds"))
    }

    private final class Lost: Sendable { let value = Atomic(false) }

    /// The time to wait for the rig's answer, and after it for the rig's settings, in seconds.
    private static let patience: Seconds = 6, settingsTime: Seconds = 1.5
}
