internal import DockControl
internal import Geometry
internal import RobotFace

/// Reports of the dock, and their meaning for people.
extension SessionState {
    mutating func take(_ new: LoopSnapshot, now: Seconds) -> [SessionEffect] {
        let before = snapshot
        snapshot = new
        var effects: [SessionEffect] = []
        if new.phase == .detectorStale, before.phase != .detectorStale {
            effects.append(
                .log(.warning, "no frames from the detector: the dock stands still; check the detector stage"))
            effects.append(.face(FaceWish(gaze: .nobody)))
        }
        if let script = new.motion, new.isScript, before.motion != script, let motion = EyeMotion(rawValue: script.name)
        {
            effects.append(
                .face(FaceWish(motion: .play(motion, duration: script.duration, start: script.start))))
        } else if !new.isScript, before.isScript {
            effects.append(.face(FaceWish(motion: .cancel)))
        }
        // The reported poses: a pose extrapolated over a hand's jerk would be a place where the head never was.
        for sample in new.track where teacher.take(sample.pose, now: sample.time) {
            effects += say("one minute is recorded, which is the limit: `motion finish` saves it", now: now)
        }
        if hears(.motion) { effects.append(.publish(.motion)) }
        if options.dryRun, new.command != .zero, now >= nextPreview {
            nextPreview = now + 1
            effects.append(.log(.info, "dry run: would turn " + Self.degrees(new.command, unit: "deg/s")))
        }
        return effects
    }

    mutating func take(_ happened: LoopEvent, now: Seconds) -> [SessionEffect] {
        switch happened {
        case .dock(let state, let identity): return dockChanged(state, identity, now: now)
        case .accessory(let event): return pressed(event, now: now)
        case .battery(let battery): return took(battery, now: now)
        case .motionEnded(let over):
            endings = Array((endings + [over]).suffix(Self.rememberedEndings))
            arbiter.ended(over.id)
            return hears(.motion) ? [.publish(.motion)] : []
        case .leaseEnded(let ending): return [.log(.warning, Self.words(ending))]
        case .letGo:
            arbiter.letGo()
            return hears(.accessory) ? [.publish(.accessory)] : []
        case .inputEnded: return []
        case .note(let text): return [.log(.warning, text)]
        case .lost(let count): return [.log(.warning, "\(count) events of the dock were lost")]
        }
    }

    private mutating func took(_ battery: BatteryState, now: Seconds) -> [SessionEffect] {
        if let index = snapshot.batteries.firstIndex(where: { $0.name == battery.name }) {
            snapshot.batteries[index] = battery
        } else {
            snapshot.batteries.append(battery)
        }
        var effects: [SessionEffect] = []
        let isTired = snapshot.batteries.contains { $0.isLow && $0.charge != .charging }
        if isTired, !mood.isTired {
            effects.append(.log(.warning, "the battery \"\(battery.name)\" is low: half speed until it is charged"))
        }
        if let wish = mood.tire(isTired) { effects += show(wish) }
        if hears(.battery) { effects.append(.publish(.battery)) }
        return effects
    }

    /// A person used a control at the dock.
    private mutating func pressed(_ event: AccessoryEvent, now: Seconds) -> [SessionEffect] {
        var effects: [SessionEffect] = [.log(.info, "the dock's \(Self.words(event))")]
        switch event {
        case .button(let id, let pressed): effects += notice(.button(id: id, pressed: pressed))
        case .cameraShutter: effects += notice(.cameraShutter)
        case .cameraFlip: effects += notice(.cameraFlip)
        case .cameraZoom(let steps): effects += notice(.cameraZoom(factor: Double(steps) * CameraDesk.step))
        case .trackingButton(let pressed):
            guard pressed else { return effects }
            let enabled = snapshot.mode != .system
            effects += notice(.trackingButton(enabled: enabled))
            effects += call(.motion(.setMode(enabled ? .system : .manual)), .keys, now: now)
            // The button is a person at the dock, with the rank of the keys: after tracking was switched off, no program may
            // move the dock at once.
            if !enabled { arbiter.tookOver(.keys, now: now) }
            return effects
        }
        return effects + cameraChanged(desk.take(event, now: now)?.actions ?? [])
    }

    private mutating func dockChanged(
        _ state: DockState, _ identity: DockIdentity?, now: Seconds
    ) -> [SessionEffect] {
        // The snapshot already contains it.
        switch state {
        case .ready:
            let name = identity.map { "\($0.model) \($0.uid), firmware \($0.firmware)" } ?? "dock"
            let unchecked =
                identity.flatMap { start.identified($0.uid) }.map { [SessionEffect.log(.warning, $0)] } ?? []
            return [.log(.info, "dock ready: \(name)")] + unchecked + hurt(false, now: now)
        case .greeting: return []
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
                what =
                    "the port is open and nothing answers: check that it is the right port and that the dock is switched on"
            case .portBusy:
                what =
                    "another program has the dock's port open: `dockface doctor` names it; dockface tries again"
            }
            return [.log(.warning, what)]
        case .faulted(let fault):
            // The event may be late: check that the fault still persists.
            if fault == .emergencyStop, snapshot.dock == .faulted(.emergencyStop) { arbiter.latchedByDock() }
            start.acted()
            return [.log(.error, "stopped and latched (\(fault.rawValue)): \(fault.advice), then type `clear`")]
                + hurt(fault != .emergencyStop, now: now)
        }
    }

    /// A fault makes a sad face; an emergency stop does not, because a person wanted it.
    private mutating func hurt(_ on: Bool, now: Seconds) -> [SessionEffect] {
        mood.hurt(on).map { show($0) } ?? []
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
