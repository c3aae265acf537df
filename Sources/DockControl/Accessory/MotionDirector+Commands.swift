internal import DockTypes
public import Geometry

extension MotionDirector {
    /// Applies a command that concerns motion. The loop itself handles stop, emergency stop, clear and the latch.
    /// - Parameters:
    ///   - command: the command.
    ///   - program: the program that sent it; a motion ends when this program loses its lease. It is nil if there is
    ///     none.
    ///   - now: CLOCK_MONOTONIC.
    ///   - pose: the dock's pose, or nil if unknown.
    ///   - speedShare: the fraction of the speed that arming allows, 0...1; moves are planned with at most that.
    public mutating func apply(
        _ command: MotionCommand, program: ProgramID? = nil, now: Seconds, pose: PanTilt?, speedShare: Double = 1
    ) -> MotionAnswer {
        let answer = carryOut(command, of: program, now: now, pose: pose, speedShare: speedShare)
        if case .success(let receipt) = answer, let motion = receipt.motion { ledger.assign(motion, to: program) }
        return answer
    }

    private mutating func carryOut(
        _ command: MotionCommand, of program: ProgramID?, now: Seconds, pose: PanTilt?, speedShare: Double
    ) -> MotionAnswer {
        switch command {
        case .setMode(let new): return setMode(new)
        case .setFraming, .setRegion: return frame(command)
        case .setSpeed(let share):
            guard (0.01...1).contains(share) else {
                return .failure(.init(.invalidParameter, "the speed must be a percentage", hint: "give 1 to 100"))
            }
            manualSpeed = share
            return .success(.init("speed \(Int((share * 100).rounded())) %"))
        case .setLimits(let pan, let tilt): return setLimits(pan: pan, tilt: tilt)
        case .slow(let share, let duration):
            guard nearLimit.set(share, for: duration, now: now) else {
                return .failure(
                    .init(.invalidParameter, "a lower speed is 10 to 100 %, for at most 2 s", hint: "correct it"))
            }
            return .success(.init("slower"))
        case .chevron(let velocity, let duration):
            if let refusal = savingRefusal { return .failure(refusal) }
            takeOver()
            ledger.beginPulse(
                .turn(velocity * manualSpeed, until: now + duration), now: now, duration: duration)
            return .success(.init("manual"))
        case .velocity, .orient, .home:
            return move(command, now: now, pose: pose, share: speedShare * slowShare(at: now))
        case .animate(let script):
            return animate(script, now: now, pose: pose, share: speedShare * slowShare(at: now))
        case .gesture(let script):
            guard active == nil, gesture == nil, !isSaving, !gesturesHeld, torque, let pose else {
                return .failure(
                    .init(.busy, "something else moves the head", hint: "try again later; a gesture does not wait"))
            }
            gesture = ScriptRun(
                script, from: pose, profile: rig, speedShare: speedShare * slowShare(at: now), start: now)
            return .success(.init("gesture"))
        case .expect(let direction, let duration):
            return expect(direction, duration: duration, of: program, now: now)
        case .cancel(let id, let outcome):
            guard let active, active.id == id else {
                return .failure(.init(.invalidParameter, "motion \(id.value) has already ended", hint: "see `status`"))
            }
            end(outcome)
            return .success(.init("motion \(id.value) \(outcome.rawValue)"))
        case .torque(let on):
            if !on { halt(.stopped, toManual: true) }
            torque = on
            return .success(.init(on ? "torque on" : "torque off"))
        case .stop, .clear:
            halt(.stopped, toManual: true)
            return .success(.init("stopped, mode manual"))
        case .emergencyStop:
            halt(.emergencyStopped, toManual: true)
            return .success(.init("stopped, mode manual"))
        }
    }

    /// The fraction of the speed that a low battery and a person who is near leave.
    private func slowShare(at now: Seconds) -> Double { supplyShare * nearLimit.share(at: now) }

    /// Handles a critical battery: all motion ends, no other motion may begin, and the return home becomes due.
    public mutating func save() {
        guard !isSaving else { return }
        let wasStopped = gesturesHeld
        halt(.stopped, toManual: true)
        saving.begin(wasStopped: wasStopped)
    }

    /// Moves home at half speed because a battery is critical, if the dock can be moved and reports its position.
    public mutating func goHomeToSave(now: Seconds, pose: PanTilt, speedShare: Double) {
        guard mustGoHome, torque, speedShare > 0 else { return }
        saving.returnHomeBegan()
        let duration = MinimumJerk.shortestDuration(
            from: pose, to: rig.home, profile: rig, share: 0.5 * ScriptRun.reserve * slowShare(at: now) * speedShare)
        begin(
            "home", .manual(.move(MinimumJerk(from: pose, to: rig.home, start: now, duration: duration))), now: now,
            duration: duration)
    }

    /// Ends the battery saving when the battery is charged enough. The mode stays manual until a client sets it.
    public mutating func endSaving() { saving.end() }

    // MARK: beginnings and ends

    /// Ends the motion under way, if there is one.
    mutating func end(_ outcome: MotionOutcome) {
        guard let over = ledger.end(outcome) else { return }
        servo.reset()
        if case .script(_, let before) = over.kind, outcome.restoresMode { mode = before }
    }

    @discardableResult
    private mutating func begin(_ name: String, _ kind: MotionLedger.Active.Kind, now: Seconds, duration: Seconds)
        -> MotionID
    {
        end(.superseded)
        gesture = nil
        return ledger.begin(name, kind, now: now, duration: duration)
    }

    private mutating func takeOver() {
        end(.takenOver)
        gesture = nil
        gesturesHeld = true
        if mode != .manual {
            mode = .manual
            pursuit.reset()
            greetingNod.interrupt()
        }
    }

    private mutating func setMode(_ new: TrackingMode) -> MotionAnswer {
        if new != .manual, let refusal = savingRefusal { return .failure(refusal) }
        gesturesHeld = false
        if new != mode || script != nil {
            end(.modeChanged)
            gesture = nil
            mode = new
            pursuit.reset()
            greetingNod.interrupt()
        }
        return .success(.init("mode \(new.rawValue)"))
    }

    // MARK: framing and limits

    private mutating func frame(_ command: MotionCommand) -> MotionAnswer {
        guard case .setRegion(let region) = command else {
            guard case .setFraming(let framing) = command else { return .success(.init("")) }
            guard pursuit.camera.mount == .head else {
                return .failure(
                    .init(
                        .notSupportedByDevice, "framing needs a camera that turns with the dock",
                        hint: session.profile.camera.mount == .fixed
                            ? "this profile says camera.mount = \"fixed\""
                            : "the frames of this run come from a camera that does not sit on the head"))
            }
            pursuit.framing.mode = framing
            return .success(.init("framing \(framing.rawValue)"))
        }
        guard region.width > 0, region.height > 0, region.x >= 0, region.y >= 0, region.maxX <= 1.000_001,
            region.maxY <= 1.000_001
        else {
            return .failure(
                .init(
                    .invalidParameter, "the region must lie inside the frame and must not be empty",
                    hint: "give x y w h between 0 and 1, or `region off`"))
        }
        pursuit.framing.region = region
        return .success(.init(region == .full ? "region off" : "region set"))
    }

    private mutating func setLimits(pan: LimitChange, tilt: LimitChange) -> MotionAnswer {
        var new = limits
        for (axis, change) in [(Axis.pan, pan), (.tilt, tilt)] {
            switch change {
            case .keep: break
            case .own: new[axis] = nil
            case .set(let low, let high, let speed):
                if let refusal = session.profile.refusal(axis, low: low, high: high, speed: speed) {
                    return .failure(refusal)
                }
                new[axis] = AxisLimit(range: low...high, maxSpeed: speed)
            }
        }
        session.limits = new
        return .success(.init("limits \(Self.words(rig))", limits: effectiveLimits))
    }

    // MARK: motions

    /// The error for new motion while a battery is critical.
    private var savingRefusal: DockError? {
        isSaving ? .init(.busy, "a battery is critical: the head stays at home", hint: "charge it") : nil
    }

    private mutating func move(
        _ command: MotionCommand, now: Seconds, pose: PanTilt?, share: Double
    ) -> MotionAnswer {
        if let refusal = savingRefusal { return .failure(refusal) }
        // An animation that began in mode `manual` yields, because manual motion outranks it.
        var steering = mode
        if case .script(_, let before) = active?.kind { steering = before }
        guard steering == .manual else {
            return .failure(.init(.busy, "mode \(steering.rawValue) owns the dock", hint: "type `mode manual` first"))
        }
        if case .velocity(let velocity, let duration) = command {
            let kind = MotionLedger.Active.Kind.manual(.turn(velocity * manualSpeed, until: now + duration))
            return .success(
                .init("turning", motion: begin("velocity", kind, now: now, duration: duration), duration: duration))
        }
        guard let pose else { return .failure(.poseUnknown) }
        var goal = session.profile.home, duration = 0.0, name = "home"
        if case .orient(let target, let requested, let relative) = command {
            goal = relative ? pose + target : target
            duration = requested
            name = "orient"
        }
        for axis in Axis.allCases {
            let range = rig[axis].softRange, inside = goal[axis].clamped(to: range)
            // A dock outside its range may move closer to it, or move the other axis.
            let wasOff = abs(pose[axis] - pose[axis].clamped(to: range)), isOff = abs(goal[axis] - inside)
            guard isOff < Self.rounding || isOff <= wasOff + Self.rounding else {
                return .failure(
                    .init(
                        .limitReached, "\(axis.rawValue) \(Self.degrees(goal[axis])) degrees is outside the limits",
                        hint: "stay within \(Self.degrees(range.lowerBound))...\(Self.degrees(range.upperBound))"))
            }
            if isOff < Self.rounding { goal[axis] = inside }
        }
        let shortest = MinimumJerk.shortestDuration(
            from: pose, to: goal, profile: rig, share: ScriptRun.reserve * manualSpeed * share)
        duration = max(duration, shortest)
        let id = begin(
            name, .manual(.move(MinimumJerk(from: pose, to: goal, start: now, duration: duration))), now: now,
            duration: duration)
        return .success(.init("moving", motion: id, duration: duration))
    }

    private mutating func expect(
        _ direction: PanTilt, duration: Seconds, of program: ProgramID?, now: Seconds
    ) -> MotionAnswer {
        if let refusal = savingRefusal { return .failure(refusal) }
        guard mode == .system else {
            return .failure(
                .init(
                    .busy, "no person is expected in mode \(mode.rawValue)",
                    hint: "the head looks for an expected person only in mode system"))
        }
        let longest = Expectation.longest
        guard duration > 0, duration <= longest else {
            return .failure(
                .init(
                    .invalidParameter, "an expectation lasts more than 0 and at most \(Int(longest)) s",
                    hint: "repeat it while the person is expected"))
        }
        pursuit.expect(Expectation(direction: direction, until: now + duration, program: program))
        return .success(.init("expecting", duration: duration))
    }

    private mutating func animate(
        _ script: MotionScript, now: Seconds, pose: PanTilt?, share: Double
    ) -> MotionAnswer {
        if let refusal = savingRefusal { return .failure(refusal) }
        guard self.script == nil else {
            let name = active.map { " (\($0.name))" } ?? ""
            return .failure(.init(.busy, "an animation is running\(name)", hint: "wait for its end, or type `stop`"))
        }
        guard let pose else { return .failure(.poseUnknown) }
        // A head that a hand has turned is not at its resting place.
        let place = ledger.restingPlace.flatMap { ($0 - pose).magnitude < ManualMotion.coarse ? $0 : nil }
        let run = ScriptRun(script, from: place ?? pose, profile: rig, speedShare: share, start: now)
        let id = begin(script.name, .script(run, before: mode), now: now, duration: run.duration)
        return .success(.init("animate \(script.name)", motion: id, duration: run.duration))
    }

    /// The rounding of reported limits, in radians: a client that sends them back must not be rejected.
    private static let rounding = 1e-6

    private static func degrees(_ radians: Double) -> String { String(Int(radians.inDegrees.rounded())) }

    private static func words(_ rig: RigProfile) -> String {
        Axis.allCases.map { axis in
            let own = rig[axis], range = own.softRange
            return "\(axis.rawValue) \(degrees(range.lowerBound))...\(degrees(range.upperBound)) deg, "
                + "\(degrees(own.maxSpeed)) deg/s"
        }.joined(separator: "; ")
    }
}

extension DockError {
    /// The error for motion from an unknown pose.
    static let poseUnknown = DockError(
        .notConnected, "the dock's position is unknown", hint: "wait until it reports its position, see `status`")
}
