internal import DockSimulator
internal import DockControl
internal import DockWire
internal import Geometry

/// The bytes on the wire, both ways.
extension Judge {
    static let deadman: Seconds = 0.25

    func received(_ bytes: [UInt8], at time: Seconds) {
        note(bytes, time)
        for byte in bytes {
            guard let frame = try? toHost.push(byte), let message = try? DockMessage(frame) else { continue }
            if case .motion = message { lastMotionReportAt = time }
        }
    }

    func wrote(_ bytes: [UInt8], whole: Bool, to dock: Int, at time: Seconds) {
        note(bytes, time)
        lastWriteWasCut = !whole
        for byte in bytes {
            guard let frame = try? toDock.push(byte), let message = try? HostMessage(frame) else { continue }
            lastFrameWasStop = false
            switch message {
            case .setpoint(let setpoint) where setpoint.mode == .idle:
                if moving != nil { standsBy = time + coasting(rate.magnitude) }
                moving = nil
                lastFrameWasStop = true
            case .setpoint(let setpoint):
                if dock != 0 { fail(.sameDock, time, "a set-point to another dock") }
                motion(setpoint, at: time)
            case .emergencyStop(.stop):
                moving = nil
            case .hello:
                helloAt = time
                gapNeedsHello = false
            case .torque(_, let on):
                if dock != 0, on { fail(.sameDock, time, "torque on, to another dock") }
            case .setLimits, .emergencyStop(.clear), .home, .save, .reboot:
                if dock != 0 { fail(.sameDock, time, "a setting to another dock") }
            case .timeSync, .getLimits, .parameter, .eventAcknowledge, .unknown: break
            }
        }
    }

    private func motion(_ setpoint: Setpoint, at time: Seconds) {
        let velocity = PanTilt.degrees(
            pan: Double(setpoint.panVelocity) / 1000, tilt: Double(setpoint.tiltVelocity) / 1000)
        let owner = loop?.owner ?? .none
        if owner != .stop { retreatsSince = nil }
        if owner == .stop {
            // Backing off from what blocked it: slowly, and not for long.
            let since = retreatsSince ?? time
            retreatsSince = since
            if time - since > 1.2 || velocity.magnitude > .degrees(10.1) {
                fail(.stillAfterStop, time, "backs off by \(words(velocity)) for \(ms(time - since))")
            }
        } else if mustBeStill, !(time < mayGoHomeUntil && owner == .manual) {
            fail(.stillAfterStop, time, "\(owner.rawValue) turns by \(words(velocity)) and nobody asked for it")
        }
        if lastSetpointAt >= 0, time - lastSetpointAt < 1.0 / 60 - 0.001 {
            fail(.pace, time, "set-points \(ms(time - lastSetpointAt)) apart")
        }
        if time - lastMotionReportAt > 0.36 {
            fail(.knownPose, time, "the last report of the pose is \(ms(time - lastMotionReportAt)) old")
        }
        if helloAt == nil || gapNeedsHello { fail(.greetedFirst, time, "motion before the greeting") }
        checkOwner(owner, time)
        checkArming(velocity, time)
        for axis in Axis.allCases { checkEnvelope(axis, velocity[axis], time) }
        moving = velocity
        standsBy = nil
        lastSetpointAt = time
        freshUntil = time + 2 * Self.deadman
    }

    private func checkOwner(_ owner: MotionOwner, _ time: Seconds) {
        switch owner {
        case .tracking:
            if !isTracking { fail(.stillAfterStop, time, "tracks, and nobody lets it") }
            // The slowest detector of the stories, its fading, and a turn.
            let longest = 2.5 / story.frameRate + 0.12 + 0.5 + 0.1
            if time - lastSightAt > longest {
                fail(.staleDetector, time, "tracks, and the last frame is \(ms(time - lastSightAt)) old")
            }
        case .manual, .animation:
            if time > manualUntil, time > mayGoHomeUntil {
                fail(.motionExpires, time, "\(owner.rawValue) turns on after its time")
            }
            if let orphanedAt, time - orphanedAt > 0.35 {
                fail(.deadLease, time, "the program is gone for \(ms(time - orphanedAt))")
            }
        case .gesture, .none, .stop, .emergencyStop: break
        }
    }

    private func checkArming(_ velocity: PanTilt, _ time: Seconds) {
        guard story.isHardware, let helloAt else { return }
        if time - helloAt < 2 { fail(.carefulArming, time, "moves \(ms(time - helloAt)) after the greeting") }
        let first = firstMotionAt ?? time
        firstMotionAt = first
        let share = velocity.magnitude / max(profile.pan.maxSpeed, profile.tilt.maxSpeed)
        if time - first < 2.9, share > 0.26 {
            fail(.carefulArming, time, "\(words(velocity)) so soon after attaching")
        }
    }

    /// From here at this speed the head must still be able to stop before the end of the margin.
    private func checkEnvelope(_ axis: Axis, _ speed: Double, _ time: Seconds) {
        guard lying[axis] == nil else { return }
        let (range, top) = allowed(axis)
        // A lower limit is reached by a ramp.
        let ramp = limitsSetAt + profile[axis].maxSpeed / (0.8 * profile[axis].maxAcceleration) + 0.1
        if abs(speed) > top + .degrees(0.01), abs(speed) > .degrees(10.01), time > ramp {
            fail(.speedLimit, time, "\(axis.rawValue) at \(degrees(speed))/s of \(degrees(top))/s")
        }
        let distance = speed > 0 ? range.upperBound - pose[axis] : pose[axis] - range.lowerBound
        let slack = profile[axis].softMargin + .degrees(0.6) + 4 * model.reportNoise
        let room = distance + slack
        let way =
            abs(speed) * (model.commandLatency + model.lag)
            + speed * speed / (2 * 0.85 * profile[axis].maxAcceleration)
        if way > max(0, room), abs(speed) > .degrees(0.5) {
            fail(
                .brakingEnvelope, time,
                "\(axis.rawValue) at \(degrees(pose[axis])) by \(degrees(speed))/s, \(degrees(distance)) from its end")
        }
    }

    private func words(_ velocity: PanTilt) -> String { "\(degrees(velocity.pan))/s \(degrees(velocity.tilt))/s" }
}
