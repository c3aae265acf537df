internal import Geometry

/// Handles the Maestro's answers.
extension MaestroDriver {
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        for byte in bytes {
            guard let answer = talk.receive(byte, now: now) else { continue }
            switch answer.question {
            case .errors: handleErrors(answer.words[0], now: now, into: &reports)
            // The pulses were read at some time between question and answer. The middle is assumed.
            case .pulses: handlePulses(answer.words, at: (answer.askedAt + now) / 2, now: now, into: &reports)
            }
        }
    }

    private mutating func handleErrors(_ bits: UInt16, now: Seconds, into reports: inout [DockReport]) {
        guard let errors = MaestroProtocol.errors(bits) else { return talk.giveUp(now: now) }
        if phase == .greeting {
            // This answer clears the errors from before this session.
            phase = .reading
            schedule.greeted(now: now)
            // The Maestro does not report its identity or its firmware on this line.
            let uid = "maestro-" + servos.map { "\($0.channel.number)" }.joined(separator: "-")
            reports.append(.identified(DockIdentity(model: "Pololu Maestro", firmware: "not reported", uid: uid)))
            return
        }
        guard !errors.isEmpty, notes.admit(now: now) else { return }
        reports.append(
            .refused(
                "commands that it could not read (error: \(errors.joined(separator: ", "))); its channels then follow their setting "
                    + "\"on startup or error\", which should be \"Ignore\""))
    }

    private mutating func handlePulses(
        _ words: [UInt16], at time: Seconds, now: Seconds, into reports: inout [DockReport]
    ) {
        guard words.allSatisfy({ $0 == 0 || MaestroChannel.pulses.contains(Double($0)) }) else {
            return talk.giveUp(now: now)
        }
        var isBelieved = true
        for (index, pulse) in words.enumerated() where !servos[index].gate.admit(Double(pulse), now: time) {
            isBelieved = false
        }
        guard isBelieved else {
            return schedule.hastenPulses(now: now)
        }
        readAt = time
        for (index, pulse) in words.enumerated() {
            servos[index].pulse = pulse
            if pulse > 0 {
                if servos[index].target != nil { servos[index].wasOn = true }
                servos[index].model.update(servos[index].channel.angle(pulse), now: time)
            } else {
                let model = servos[index].model
                servos[index].model.stand(at: model.pose ?? profile[servos[index].channel.axis].home, now: time)
            }
        }
        guard let pan = servos[0].model.pose, let tilt = servos[1].model.pose else { return }
        if phase == .ready, servos.contains(where: { $0.pulse == 0 && $0.wasOn }) {
            // The Maestro restarted, or an error switched the pulses off.
            reports.append(.rebooted)
            reports.append(
                .refused("to continue: it sends no more pulses; it has restarted, or an error has switched them off"))
            return greet(now: now)
        }
        reports.append(
            .motion(
                MotionSample(
                    time: time, pose: PanTilt(pan: pan, tilt: tilt),
                    rate: PanTilt(pan: servos[0].model.rate, tilt: servos[1].model.rate)), deadmanTripped: false))
        if phase == .reading { becomeReady(now: now, into: &reports) }
        if words.allSatisfy({ $0 == 0 }), torque.confirmRelease() { reports.append(.released) }
    }

    private mutating func becomeReady(now: Seconds, into reports: inout [DockReport]) {
        phase = .ready
        // A servo that holds stays in its position until something moves it.
        isSlow = true
        schedule.hastenErrors(now: now)
        let limp = servos.filter { $0.pulse == 0 }.map(\.channel.axis.rawValue)
        if !limp.isEmpty, !torque.isMotionless {
            reports.append(
                .refused(
                    "to report its position, because no pulses reach \(limp.joined(separator: " and ")): the home position is assumed, and a limp "
                        + "servo turns there as fast as it can with its first motion"))
        }
        reports.append(.ready)
    }

    /// Returns whether the pulse differs from the last target by more than a fifth of a second at the slowest limit. A
    /// smaller difference disappears before a reading shows it.
    private func isOffTarget(_ servo: Servo) -> Bool {
        guard let pulse = servo.pulse, let target = servo.target else { return (servo.pulse ?? 0) > 0 }
        return abs(Int(target) - Int(pulse)) > 20
    }

    /// Whether a servo that must be at rest is not at its commanded position.
    var isCreeping: Bool { isSlow && !torque.isMotionless && servos.contains(where: isOffTarget) }

    /// Acts on the last readings: a servo that must be at rest is commanded to stay at its present pulse, and a servo
    /// whose pulses were switched off and that still has them is switched off again.
    mutating func correct(into bytes: inout [UInt8]) {
        guard phase == .ready else { return }
        if torque.isReleased, servos.contains(where: { ($0.pulse ?? 0) > 0 }) { return appendNoPulses(to: &bytes) }
        guard isSlow, !torque.isMotionless else { return }
        for index in servos.indices where isOffTarget(servos[index]) {
            let servo = servos[index]
            guard let pulse = servo.pulse else { continue }
            if pulse == 0, let target = servo.target {
                // The servo was commanded to hold, and may not have received the command.
                send(target, index, into: &bytes)
            } else if abs(servo.model.inputRate * servo.channel.perRadian) <= 200 {
                // The servo is no faster than the slowest limit allows: it has decelerated.
                send(pulse, index, into: &bytes)
                stream.pin(at: place)
            }
        }
    }
}
