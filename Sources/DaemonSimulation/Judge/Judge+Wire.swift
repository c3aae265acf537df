internal import DockSimulator
internal import DockControl
internal import DockWire
internal import Geometry

/// The bytes on the wire, in both directions.
extension Judge {
    static let deadman: Seconds = 0.25
    /// The longest time between two set-points of any rig here, with a margin, seconds.
    static let longestPace: Seconds = 0.06

    func received(_ bytes: [UInt8], at time: Seconds) {
        note(bytes, time)
        for byte in bytes {
            guard let frame = try? toHost.push(byte), let message = try? DockMessage(frame) else { continue }
            if onWord != nil { onWord?(time, "from the dock: \(message)") }
            switch message {
            case .motion(let report):
                lastMotionReportAt = time
                latch.reported(report)
                if !isSwapUnknown, loop?.state == .ready {
                    release.reported(isOn: report.flags.contains(.torque), at: time)
                }
                people.reported(isStopped: report.flags.contains(.emergencyStop))
            case .helloAck(let identity):
                greeted(identity)
                latch.greeted()
                people.greeted()
            case .power(let report):
                let isLow = report.state == .low || report.state == .critical
                lowSince = isLow ? lowSince ?? time : nil
                // This needs no event of the story: after a long time a battery is empty.
                if report.state == .critical { (mayGoHomeUntil, isSaving) = (.infinity, true) }
            default: break
            }
        }
    }

    func wrote(_ bytes: [UInt8], whole: Bool, to dock: Int, at time: Seconds) {
        note(bytes, time)
        followsCutWrite = lastWriteWasCut
        lastWriteWasCut = !whole
        if !whole {
            cutAt = time
            if onWord != nil { onWord?(time, "write to dock \(dock) cut off after \(bytes.count) bytes") }
        }
        // The byte in front of the current frame.
        var before: UInt8?, last: UInt8?
        for byte in bytes {
            if last == 0 || last == nil { before = last }
            defer { last = byte }
            guard let frame = try? toDock.push(byte), let message = try? HostMessage(frame) else { continue }
            lastFrameWasStop = false
            if onWord != nil { onWord?(time, "to dock \(dock): \(message)") }
            // The daemon cannot know yet that this is another dock.
            if dock != 0, isSwapUnknown { continue }
            switch message {
            case .setpoint(let setpoint) where setpoint.mode == .idle:
                if moving != nil { standsBy = time + coasting(rate.magnitude) }
                stops.stopped(wasMoving: moving != nil, before: before, at: time)
                moving = nil
                lastFrameWasStop = true
                drift.stopped(at: time)
            case .setpoint(let setpoint):
                if dock != 0 { fail(.sameDock, time, "a set-point to another dock") }
                motion(setpoint, at: time)
            case .emergencyStop(.stop):
                moving = nil
                // It is repeated until the dock reports the latch, so no stop has to follow.
                stops.forgive()
            case .hello:
                helloAt = time
                people.greets()
                pole.greeted()
                // Every handshake arms the dock again.
                firstMotionAt = nil
                gapNeedsHello = false
                deaf.forgive()
            case .torque(_, let on):
                if let text = release.wrote(torque: on) { fail(.staysReleased, time, text) }
                // It is answered when the dock confirms it. Motion must end now.
                if !on, torqueIsAsked {
                    torqueIsAsked = false
                    hold()
                }
                if dock != 0, on { fail(.sameDock, time, "torque on, to another dock") }
            case .setLimits, .emergencyStop(.clear), .home, .save, .reboot:
                if dock != 0 { fail(.sameDock, time, "a setting to another dock") }
            case .timeSync, .getLimits, .parameter, .eventAcknowledge, .unknown: break
            }
        }
    }

    /// Whether this is a critical battery's way home, or the ramp at its end.
    private func goesHome(_ owner: MotionOwner, _ velocity: PanTilt, at time: Seconds) -> Bool {
        guard time < mayGoHomeUntil else { return false }
        guard owner == .none else { return owner == .manual }
        return moving.map { velocity.magnitude < $0.magnitude } ?? false
    }

    private func motion(_ setpoint: Setpoint, at time: Seconds) {
        let velocity = PanTilt.degrees(
            pan: Double(setpoint.panVelocity) / 1000, tilt: Double(setpoint.tiltVelocity) / 1000)
        let owner = loop?.owner ?? .none
        if onWord != nil { onWord?(time, "\(owner.rawValue) turns by \(words(velocity)) from \(words(pose))") }
        if owner == .stop {
            if let text = retreats.retreats(
                velocity, pose: pose, coasts: coastingWay(rate), isBlind: hasLied, isDeaf: time < deafUntil, at: time)
            {
                fail(.backsOffOnce, time, text)
            }
        } else if mustBeStill, !(owner == .gesture && mayStir), !goesHome(owner, velocity, at: time) {
            fail(.stillAfterStop, time, "\(owner.rawValue) turns by \(words(velocity)) without a request")
        }
        if owner != .stop { retreats.wants(velocity, at: time) }
        if let text = stops.moves() { fail(.stopsFirst, time, text) }
        if release.isLetGo {
            fail(.staysReleased, time, "\(words(velocity)), and the motors have released on their own")
        }
        if latch.isLatched { fail(.latchedStands, time, "\(words(velocity)), and the dock reports a latch") }
        if !story.hasDeadman, !hasGuard() { fail(.guarded, time, "\(words(velocity)), and no guard is ready") }
        if lastSetpointAt >= 0, !followsCutWrite, time - lastSetpointAt < 1.0 / 60 - 0.001 {
            fail(.pace, time, "set-points \(ms(time - lastSetpointAt)) apart")
        }
        if time - lastMotionReportAt > 0.36 {
            fail(.knownPose, time, "the last report of the pose is \(ms(time - lastMotionReportAt)) old")
        }
        if helloAt == nil || gapNeedsHello { fail(.greetedFirst, time, "motion before the handshake") }
        checkOwner(owner, velocity, time)
        if owner == .tracking { checkTracking(velocity, time) }
        if owner == .tracking, let text = signs.tracks(velocity, at: time) { fail(.wrongCameraStands, time, text) }
        checkArming(velocity, time)
        for axis in Axis.allCases { checkEnvelope(axis, velocity[axis], time) }
        moving = velocity
        deaf.moves(at: time)
        standsBy = nil
        lastSetpointAt = time
        freshUntil = time + 2 * Self.deadman
    }

    private func checkOwner(_ owner: MotionOwner, _ velocity: PanTilt, _ time: Seconds) {
        switch owner {
        case .tracking:
            if !isTracking { fail(.stillAfterStop, time, "tracks although tracking is not allowed") }
            // The slowest detector of the stories, its fading, and a turn.
            let longest = 2.5 / story.frameRate + 0.12 + 0.5 + 0.1
            // A previous owner's motion is slowed down first.
            let slowed = (moving ?? .zero).magnitude - velocity.magnitude
            let isBraking = slowed > 0.4 * model.maximumAcceleration * (time - lastSetpointAt)
            if time - lastSightAt > longest, !isBraking {
                fail(.staleDetector, time, "tracks, and the last frame is \(ms(time - lastSightAt)) old")
            }
        case .manual, .animation:
            if time > manualUntil, time > mayGoHomeUntil {
                fail(.motionExpires, time, "\(owner.rawValue) keeps turning after its time")
            }
            if let orphanedAt, time - orphanedAt > 0.35 {
                fail(.deadLease, time, "the program has been gone for \(ms(time - orphanedAt))")
            }
        case .gesture, .none, .stop, .emergencyStop: break
        }
    }

    private func checkArming(_ velocity: PanTilt, _ time: Seconds) {
        guard story.isHardware, let helloAt else { return }
        if time - helloAt < 2 { fail(.carefulArming, time, "moves \(ms(time - helloAt)) after the handshake") }
        let first = firstMotionAt ?? time
        firstMotionAt = first
        for axis in Axis.allCases {
            let top = story.isChecked ? profile[axis].maxSpeed : min(profile[axis].maxSpeed, .degrees(20))
            if abs(velocity[axis]) > 1.01 * top {
                fail(.uncheckedIsSlow, time, "\(words(velocity))on an unchecked rig")
            }
            if time - first < 2.9, abs(velocity[axis]) > 0.26 * top {
                fail(.carefulArming, time, "\(words(velocity)) too soon after attaching")
            }
        }
    }

    /// From this position and speed the head must still be able to stop before the end of the margin.
    private func checkEnvelope(_ axis: Axis, _ speed: Double, _ time: Seconds) {
        guard lying[axis] == nil else { return }
        let (range, top) = allowed(axis)
        // A lower limit is reached by a ramp.
        let ramp = limitsSetAt + profile[axis].maxSpeed / (0.8 * profile[axis].maxAcceleration) + 0.1
        if abs(speed) > top + .degrees(0.01), abs(speed) > .degrees(10.01), time > ramp {
            fail(.speedLimit, time, "\(axis.rawValue) at \(degrees(speed))/s of \(degrees(top))/s")
        }
        if let lowSince, time > lowSince + 0.5, abs(speed) > 0.51 * top, abs(speed) > .degrees(10.01), time > ramp {
            fail(.lowBatteryIsSlow, time, "\(axis.rawValue) at \(degrees(speed))/s of \(degrees(top))/s")
        }
        let outside = max(pose[axis] - range.upperBound, range.lowerBound - pose[axis])
        if outside > .degrees(2) + abs(rate[axis]) * 0.08, abs(speed) > .degrees(10.1), time > ramp {
            fail(.slowReturn, time, "\(axis.rawValue) at \(degrees(speed))/s, \(degrees(outside)) outside")
        }
        let distance = speed > 0 ? range.upperBound - pose[axis] : pose[axis] - range.lowerBound
        let slack = profile[axis].softMargin + .degrees(0.6) + 4 * model.reportNoise
        let room = distance + slack
        let way =
            abs(speed) * (model.commandLatency + model.lag)
            + speed * speed / (2 * 0.85 * profile[axis].maxAcceleration)
        // The limits were narrowed in flight on a slow line. The dock has not received yet that it must slow down.
        let isUnheard = time <= ramp && troubles > 0
        if way > max(0, room), abs(speed) > .degrees(0.5), !isUnheard {
            fail(
                .brakingEnvelope, time,
                "\(axis.rawValue) at \(degrees(pose[axis])) by \(degrees(speed))/s, \(degrees(distance)) from its end")
        }
    }

    /// The farthest that each axis coasts if it is stopped now, rad, signed.
    private func coastingWay(_ rate: PanTilt) -> PanTilt {
        func way(_ speed: Double) -> Double {
            speed * (model.commandLatency + model.commandJitter + model.lag)
                + speed * abs(speed) / (2 * model.maximumAcceleration)
        }
        return PanTilt(pan: way(rate.pan), tilt: way(rate.tilt))
    }

    private func words(_ velocity: PanTilt) -> String { "\(degrees(velocity.pan))/s \(degrees(velocity.tilt))/s" }
}
