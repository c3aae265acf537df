internal import DockControl
internal import Geometry
internal import RobotFace

/// The reports of the dock, and their meaning for people.
extension SessionState {
    mutating func receive(_ new: LoopSnapshot, now: Seconds) -> [SessionEffect] {
        let before = snapshot
        dock.record(new)
        var effects: [SessionEffect] = []
        if new.phase == .detectorStale, before.phase != .detectorStale {
            effects.append(
                .log(.warning, "no frames from the detector: the dock stands still; check the detector stage"))
            effects.append(.face(FaceChange(gaze: .noPerson)))
        }
        effects += lean()
        if let eyes = FaceDesk.eyes(from: before, to: new) { effects.append(.face(eyes)) }
        if motions.record(new.device.poses.track) {
            effects += say("one minute is recorded, which is the limit: `motion finish` saves it", now: now)
        }
        // The loop may also refuse an arrow key, and then the mode stays.
        if before.mode != .manual, new.mode == .manual, now - input.turnedAt < 1 {
            effects += say("mode manual: m follows people again", now: now)
        }
        if audience.hears(.motion) { effects.append(.publish(.motion)) }
        // Without frames, nothing else publishes the phase.
        if new.phase != before.phase, audience.hears(.tracking) { effects.append(.publish(.tracking)) }
        if options.dryRun, new.command != .zero, log.previewIsDue(now: now) {
            effects.append(.log(.info, "dry run: would turn " + Self.degrees(new.command, unit: "deg/s")))
        }
        return effects
    }

    mutating func receive(_ happened: LoopEvent, now: Seconds) -> [SessionEffect] {
        switch happened {
        case .dock(let state, let identity): return dockChanged(state, identity, now: now)
        case .accessory(let event): return pressed(event, now: now)
        case .battery(let battery): return receive(battery, now: now)
        case .motionEnded(let over):
            dock.record(over)
            arbiter.ended(over.id)
            return audience.hears(.motion) ? [.publish(.motion)] : []
        case .leaseEnded(let ending): return [.log(.warning, Self.words(ending))]
        case .letGo:
            arbiter.letGo()
            return audience.hears(.accessory) ? [.publish(.accessory)] : []
        case .inputEnded: return []
        case .note(let text): return [.log(.warning, text)]
        case .lost(let count): return [.log(.warning, "\(count) events of the dock were lost")]
        }
    }

    private mutating func receive(_ battery: BatteryState, now: Seconds) -> [SessionEffect] {
        dock.record(battery)
        let isTired = dock.isBatteryLow
        var effects: [SessionEffect] = []
        if isTired, !face.mood.isTired {
            effects.append(.log(.warning, "the battery \"\(battery.name)\" is low: half speed until it is charged"))
        }
        if let change = face.mood.setBatteryLow(isTired) { effects += show(change) }
        if audience.hears(.battery) { effects.append(.publish(.battery)) }
        return effects
    }

    /// Handles a control at the dock that a person used.
    private mutating func pressed(_ event: AccessoryEvent, now: Seconds) -> [SessionEffect] {
        var effects: [SessionEffect] = [.log(.info, "the dock's \(Self.words(event))")]
        switch event {
        case .button(let id, let pressed): effects += notice(.button(id: id, pressed: pressed))
        case .cameraShutter:
            effects += notice(.cameraShutter)
            guard serves(.shutter(nil)) else { return effects + Self.unserved(.shutter(nil)) }
        case .cameraFlip:
            effects += notice(.cameraFlip)
            guard serves(.flip) else { return effects + Self.unserved(.flip) }
        case .cameraZoom(let steps):
            effects += notice(.cameraZoom(factor: Double(steps) * CameraDesk.step))
            guard serves(.zoom(steps: steps)) else { return effects + Self.unserved(.zoom(steps: steps)) }
        case .trackingButton(let pressed):
            guard pressed else { return effects }
            let enabled = dock.pressTrackingButton()
            effects += notice(.trackingButton(enabled: enabled))
            effects += call(.motion(.setMode(enabled ? .system : .manual)), .keys, now: now)
            // The button is used by a person at the dock, with the rank of the keys: after tracking was switched off,
            // no program may move the dock immediately.
            if !enabled { arbiter.tookOver(.keys, now: now) }
            return effects
        }
        return effects + cameraChanged(desk.handle(event, now: now)?.actions ?? [])
    }

    /// What a person who pressed a button of the dock can read in the log, because nothing happens.
    private static func unserved(_ command: CameraCommand) -> [SessionEffect] {
        let error = CameraDesk.unserved(command)
        return [.log(.info, "\(error.message): \(error.hint)")]
    }

    private mutating func dockChanged(
        _ state: DockState, _ identity: DockIdentity?, now: Seconds
    ) -> [SessionEffect] {
        // The snapshot already contains this state.
        switch state {
        case .ready:
            let name = identity.map { "\($0.model) \($0.uid), firmware \($0.firmware)" } ?? "dock"
            let unchecked =
                identity.flatMap { start.identified($0.uid) }.map { [SessionEffect.log(.warning, $0)] } ?? []
            return [.log(.info, "dock ready: \(name)")] + unchecked + showFault(false, now: now)
        case .greeting: return showFault(false, now: now)
        case .detached(let reason):
            let what: String
            switch reason {
            case .notFound: what = "no dock yet: plug it in; dockface waits for it"
            case .unplugged:
                what =
                    "the dock is gone and its motion has ended; plug it in again, dockface waits for it"
            case .otherDevice:
                what = "another dock came back: nothing is sent to it; plug in the right one, or restart dockface"
            case .noAnswer:
                let port = options.rig.port.isEmpty ? "it" : options.rig.port
                // The dock's own words are in the log, and say more.
                guard snapshot.device.findings.isEmpty else { return showFault(false, now: now) }
                what =
                    "the port is open and nothing answers: check that \(port) is the right port, that the dock is switched on,"
                    + " and the profile\(options.rig.name.isEmpty ? "" : " \"\(options.rig.name)\""): for another profile, `dockface quit`, then `dockface adopt`"
            case .portBusy:
                what =
                    "another program has the dock's port open: `dockface doctor` names it; dockface tries again"
            }
            return [.log(.warning, what)] + showFault(false, now: now)
        case .faulted(let fault):
            // The event may be late, so the fault must still persist.
            if fault == .emergencyStop, snapshot.dock == .faulted(.emergencyStop) { arbiter.latchedByDock() }
            start.acted()
            return [
                .log(.error, "stopped and latched (\(fault.rawValue)): \(fault.advice), then type `dockface clear`")
            ]
                + showFault(true, now: now)
        }
    }

    /// Shows a sad face for a fault or an emergency stop, even if a person chose another one, because people look at
    /// the face first.
    private mutating func showFault(_ on: Bool, now: Seconds) -> [SessionEffect] {
        face.mood.setFaulted(on).map { show($0) } ?? []
    }

    static func words(_ event: AccessoryEvent) -> String {
        switch event {
        case .button(let id, let pressed): "button \(id) was \(pressed ? "pressed" : "released")"
        case .cameraShutter: "shutter button was pressed"
        case .cameraFlip: "flip button was pressed"
        case .cameraZoom(let steps): "zoom wheel was turned by \(steps)"
        case .trackingButton(let pressed): "tracking button was \(pressed ? "pressed" : "released")"
        }
    }
}
