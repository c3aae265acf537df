internal import DockSimulator
internal import DockControl
internal import DockWire
internal import Geometry

/// The bytes on the wire, in both directions.
extension SafetyOracle {
    static let deadman: Seconds = 0.25
    /// The longest time between two set-points of any rig here, with a margin, seconds.
    static let longestPace: Seconds = 0.06

    func received(_ bytes: [UInt8], at time: Seconds) {
        note(bytes, time)
        for byte in bytes {
            guard let frame = try? wire.toHost.push(byte), let message = try? DockMessage(frame) else { continue }
            if onWord != nil { onWord?(time, "from the dock: \(message)") }
            switch message {
            case .motion(let report):
                wire.lastMotionReportAt = time
                onWire.latch.reported(report)
                if !health.isSwapUnknown, loop?.state == .ready {
                    onWire.release.reported(isOn: report.flags.contains(.torque), at: time)
                }
                onSession.people.reported(isStopped: report.flags.contains(.emergencyStop))
            case .helloAck(let identity):
                greeted(identity)
                onWire.latch.greeted()
                onSession.people.greeted()
            case .power(let report):
                let isLow = report.state == .low || report.state == .critical
                bounds.lowSince = isLow ? bounds.lowSince ?? time : nil
                // This needs no event of the story: after a long time a battery is empty. The daemon knows only what
                // the line has not lost.
                bounds.isSaving = report.state == .critical
                if bounds.isSaving { bounds.mayGoHomeUntil = .infinity }
            case .acknowledge(let answer) where answer.code == .ok:
                onWire.release.acknowledged(sequence: answer.ofSequence)
            default: break
            }
        }
    }

    func wrote(_ bytes: [UInt8], whole: Bool, to dock: Int, at time: Seconds) {
        note(bytes, time)
        wire.followsCutWrite = wire.lastWriteWasCut
        wire.lastWriteWasCut = !whole
        if !whole {
            wire.cutAt = time
            if onWord != nil { onWord?(time, "write to dock \(dock) cut off after \(bytes.count) bytes") }
        }
        // The byte in front of the current frame.
        var before: UInt8?, last: UInt8?
        for (index, byte) in bytes.enumerated() {
            if last == 0 || last == nil { before = last }
            defer { last = byte }
            guard let frame = try? wire.toDock.push(byte), let message = try? HostMessage(frame) else { continue }
            wire.lastFrameWasStop = false
            if onWord != nil { onWord?(time, "to dock \(dock): \(message)") }
            // The daemon cannot know yet that this is another dock, or did not when it wrote this frame: all but the
            // end of it was in the write that was cut off.
            let isOld = wire.followsCutWrite && index == 0
            if dock != 0, health.isSwapUnknown || isOld { continue }
            switch message {
            case .setpoint(let setpoint) where setpoint.mode == .idle:
                if wire.moving != nil { axes.standsBy = time + coasting(axes.rate.magnitude) }
                onWire.stops.stopped(wasMoving: wire.moving != nil, before: before, at: time)
                wire.moving = nil
                wire.lastFrameWasStop = true
                onWire.drift.stopped(at: time)
            case .setpoint(let setpoint):
                if dock != 0 { fail(.sameDock, time, "a set-point to another dock") }
                motion(setpoint, at: time)
            case .emergencyStop(.stop):
                wire.moving = nil
                // It is repeated until the dock reports the latch, so no stop has to follow.
                onWire.stops.forgive()
            case .hello:
                wire.helloAt = time
                onWire.release.greets()
                onSession.people.greets()
                onAxes.pole.greeted()
                // Every handshake arms the dock again.
                wire.firstMotionAt = nil
                health.gapNeedsHello = false
                onWire.deaf.forgive()
            case .torque(_, let on):
                if let text = onWire.release.wrote(torque: on, sequence: frame.sequence) {
                    fail(.staysReleased, time, text)
                }
                // It is answered when the dock confirms it. Motion must end now.
                if !on, requests.torqueIsAsked {
                    requests.torqueIsAsked = false
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
        guard time < bounds.mayGoHomeUntil else { return false }
        guard owner == .none else { return owner == .manual }
        return wire.moving.map { velocity.magnitude < $0.magnitude } ?? false
    }

    private func motion(_ setpoint: Setpoint, at time: Seconds) {
        let velocity = PanTilt.degrees(
            pan: Double(setpoint.panVelocity) / 1000, tilt: Double(setpoint.tiltVelocity) / 1000)
        let owner = loop?.owner ?? .none
        if onWord != nil {
            let phase = loop.map { " (\($0.phase))" } ?? ""
            onWord?(time, "\(owner.rawValue)\(phase) turns by \(words(velocity)) from \(words(axes.pose))")
        }
        if owner == .stop {
            // An axis that backs off from an obstacle takes the place of a stop that was cut off. It ends with a stop.
            requests.stopIsDue = false
            if let text = onAxes.retreats.retreats(
                velocity, pose: axes.pose, coasts: coastingWay(axes.rate), isBlind: axes.hasLied,
                isDeaf: time < wire.deafUntil, at: time)
            {
                fail(.backsOffOnce, time, text)
            }
        } else if requests.mustBeStill, !(owner == .gesture && requests.mayStir), !goesHome(owner, velocity, at: time) {
            fail(.stillAfterStop, time, "\(owner.rawValue) turns by \(words(velocity)) without a request")
        }
        if owner != .stop { onAxes.retreats.wants(velocity, at: time) }
        if let text = onWire.stops.moves() { fail(.stopPrecedesMotion, time, text) }
        if onWire.release.isLetGo {
            fail(.staysReleased, time, "\(words(velocity)), and the motors have released on their own")
        }
        if onWire.latch.isLatched {
            fail(.latchedDockStaysStill, time, "\(words(velocity)), and the dock reports a latch")
        }
        if !scenario.hasDeadman, !health.hasGuard() {
            fail(.guarded, time, "\(words(velocity)), and no guard is ready")
        }
        if let text = wire.pace.moves(at: time, followsCutWrite: wire.followsCutWrite) { fail(.pace, time, text) }
        if time - wire.lastMotionReportAt > 0.36 {
            fail(.knownPose, time, "the last report of the pose is \(ms(time - wire.lastMotionReportAt)) old")
        }
        if wire.helloAt == nil || health.gapNeedsHello { fail(.greetedFirst, time, "motion before the handshake") }
        checkOwner(owner, velocity, time)
        if owner == .tracking { checkTracking(velocity, time) }
        if owner == .tracking, let text = onAxes.signs.tracks(velocity, at: time) {
            fail(.wrongCameraIsDetected, time, text)
        }
        checkArming(velocity, time)
        for axis in Axis.allCases { checkEnvelope(axis, velocity[axis], time) }
        wire.moving = velocity
        onWire.deaf.moves(at: time)
        axes.standsBy = nil
        wire.lastSetpointAt = time
        axes.freshUntil = time + 2 * Self.deadman
    }

    private func checkOwner(_ owner: MotionOwner, _ velocity: PanTilt, _ time: Seconds) {
        switch owner {
        case .tracking:
            if !requests.isTracking { fail(.stillAfterStop, time, "tracks although tracking is not allowed") }
            // The slowest detector of the stories, its fading, and a turn.
            let longest = 2.5 / scenario.frameRate + 0.12 + 0.5 + 0.1
            // A previous owner's motion is slowed down first.
            let slowed = (wire.moving ?? .zero).magnitude - velocity.magnitude
            let isBraking = slowed > 0.4 * rig.model.maximumAcceleration * (time - wire.lastSetpointAt)
            if time - requests.lastSightAt > longest, !isBraking {
                fail(.staleDetector, time, "tracks, and the last frame is \(ms(time - requests.lastSightAt)) old")
            }
        case .manual, .animation:
            if time > requests.manualUntil, time > bounds.mayGoHomeUntil {
                fail(.motionExpires, time, "\(owner.rawValue) keeps turning after its time")
            }
            if let orphanedAt = owners.orphanedAt, time - orphanedAt > 0.35 {
                fail(.deadLease, time, "the program has been gone for \(ms(time - orphanedAt))")
            }
        case .gesture, .none, .stop, .emergencyStop: break
        }
    }

    private func checkArming(_ velocity: PanTilt, _ time: Seconds) {
        guard scenario.isHardware, let helloAt = wire.helloAt else { return }
        if time - helloAt < 2 { fail(.carefulArming, time, "moves \(ms(time - helloAt)) after the handshake") }
        let first = wire.firstMotionAt ?? time
        wire.firstMotionAt = first
        for axis in Axis.allCases {
            let top = scenario.isChecked ? rig.profile[axis].maxSpeed : min(rig.profile[axis].maxSpeed, .degrees(20))
            if abs(velocity[axis]) > 1.01 * top {
                fail(.uncheckedIsSlow, time, "\(words(velocity)) on an unchecked rig")
            }
            if time - first < 2.9, abs(velocity[axis]) > 0.26 * top {
                fail(.carefulArming, time, "\(words(velocity)) too soon after attaching")
            }
        }
    }

    /// From this position and speed the head must still be able to stop before the end of the margin.
    private func checkEnvelope(_ axis: Axis, _ speed: Double, _ time: Seconds) {
        guard axes.lying[axis] == nil else { return }
        let (range, top) = allowed(axis)
        // A lower limit is reached by a ramp.
        let ramp = bounds.limitsSetAt + rig.profile[axis].maxSpeed / (0.8 * rig.profile[axis].maxAcceleration) + 0.1
        if abs(speed) > top + .degrees(0.01), abs(speed) > .degrees(10.01), time > ramp {
            fail(.speedLimit, time, "\(axis.rawValue) at \(degrees(speed))/s of \(degrees(top))/s")
        }
        if let lowSince = bounds.lowSince, time > lowSince + 0.5, abs(speed) > 0.51 * top, abs(speed) > .degrees(10.01),
            time > ramp
        {
            fail(.lowBatteryIsSlow, time, "\(axis.rawValue) at \(degrees(speed))/s of \(degrees(top))/s")
        }
        let near = bounds.near.allowed(at: time)
        if near < 1, abs(speed) > 1.02 * near * top, abs(speed) > .degrees(10.01), time > ramp {
            fail(.nearIsSlow, time, "\(axis.rawValue) at \(degrees(speed))/s of \(degrees(near * top))/s")
        }
        let outside = max(axes.pose[axis] - range.upperBound, range.lowerBound - axes.pose[axis])
        if outside > .degrees(2) + abs(axes.rate[axis]) * 0.08, abs(speed) > .degrees(10.1), time > ramp {
            fail(.slowReturn, time, "\(axis.rawValue) at \(degrees(speed))/s, \(degrees(outside)) outside")
        }
        let distance = speed > 0 ? range.upperBound - axes.pose[axis] : axes.pose[axis] - range.lowerBound
        let slack = rig.profile[axis].softMargin + .degrees(0.6) + 4 * rig.model.reportNoise
        let room = distance + slack
        let way =
            abs(speed) * (rig.model.commandLatency + rig.model.lag)
            + speed * speed / (2 * 0.85 * rig.profile[axis].maxAcceleration)
        // The limits were narrowed in flight on a slow line. The dock has not received yet that it must slow down.
        let isUnheard = time <= ramp && health.troubles > 0
        if way > max(0, room), abs(speed) > .degrees(0.5), !isUnheard {
            fail(
                .brakingEnvelope, time,
                "\(axis.rawValue) at \(degrees(axes.pose[axis])) by \(degrees(speed))/s, \(degrees(distance)) from its end"
            )
        }
    }

    /// The farthest that each axis coasts if it is stopped now, rad, signed.
    private func coastingWay(_ rate: PanTilt) -> PanTilt {
        func way(_ speed: Double) -> Double {
            speed * (rig.model.commandLatency + rig.model.commandJitter + rig.model.lag)
                + speed * abs(speed) / (2 * rig.model.maximumAcceleration)
        }
        return PanTilt(pan: way(rate.pan), tilt: way(rate.tilt))
    }

    private func words(_ velocity: PanTilt) -> String { "\(degrees(velocity.pan))/s \(degrees(velocity.tilt))/s" }
}
