import Companion
import CPosix
import DockControl
import Geometry
import Synchronization

/// Executes a calibration: it demonstrates, moves and records each axis, and lets a person turn the head to its ends by
/// hand.
final class CalibrationMover: DeskMover {
    /// Asks the questions and moves the axes.
    /// - Returns: the result, the findings, and the dock's identity.
    /// - Throws: `DockError` if the dock does not answer, disconnects or latches.
    func calibrate() throws -> (result: DockCalibration.Result, findings: CalibrationFindings?, dock: String?) {
        var work: DockCalibration?
        do {
            try prepare()
            let abilities = try DriverTable.make(for: profile).abilities
            var calibration = DockCalibration(
                profile: profile, feedback: abilities.feedback, canLetGo: abilities.canLetGo, pose: try steadyPose())
            while true {
                work = calibration
                switch calibration.step {
                case .move(let axis, let angle):
                    // Keys are discarded now and not later, because a key that is typed after the announcement stops
                    // the motion.
                    desk.forgetKeys()
                    desk.say("\(axis.rawValue) turns by \(angle > 0 ? "+" : "-")\(Self.degrees(abs(angle))) degrees")
                    let slow = min(Wiggle.fastest, profile[axis].maxSpeed)
                    let (from, to) = try move(axis, by: angle, within: Self.moveTime + 6 * abs(angle) / slow)
                    calibration.moved(from: from, to: to)
                case .askSense(let axis):
                    desk.ask(
                        axis == .pan
                            ? "did it turn to ITS right (your left, if it looks at you)? [y/n/q, a: again]"
                            : "did it look up? [y/n/q, a: again]")
                    calibration.answered(desk.answer())
                case .wiggle(let axis, let wiggle): calibration.wiggled(try record(axis, wiggle))
                case .askWay(let axis, let commanded): calibration.measured(way: try askWay(axis, commanded))
                case .sweep:
                    guard let swept = try sweep() else {
                        calibration.notSwept()
                        continue
                    }
                    calibration.swept(low: swept.low, high: swept.high)
                case .over(let result):
                    return (result, calibration.findings, identity)
                }
            }
        } catch is Stopped {
            return (.stopped, work?.findings, identity)
        }
    }

    /// Moves an axis back and forth; returns the commanded and the reported motion.
    private func record(_ axis: Axis, _ wiggle: Wiggle) throws -> MotionRecording {
        desk.forgetKeys()
        let seconds = wiggle.strokes.reduce(Wiggle.still) { $0 + Wiggle.leadTime + $1.duration + Wiggle.rest }
        desk.say("\(axis.rawValue) turns back and forth by 5 degrees for \(Int(seconds.rounded(.up))) s")
        let middle = try steadyPose()[axis], range = profile[axis].softRange
        // The loop limits the range, in case the axis is faster than the profile says.
        let fence = LimitChange.set(
            low: max(range.lowerBound, middle - Wiggle.room), high: min(range.upperBound, middle + Wiggle.room),
            speed: Wiggle.fastest)
        _ = try answer(to: .setLimits(pan: axis == .pan ? fence : .keep, tilt: axis == .tilt ? fence : .keep)).get()
        let began = cposix_monotonic_now()
        var cuts: [Seconds] = []
        try pause(Wiggle.still)
        for stroke in wiggle.strokes {
            cuts.append(cposix_monotonic_now())
            var velocity = PanTilt.zero
            velocity[axis] = stroke.lead
            _ = try answer(to: .velocity(velocity, duration: 2 * Wiggle.leadTime)).get()
            try pause(Wiggle.leadTime)
            velocity[axis] = stroke.velocity
            let id = try answer(to: .velocity(velocity, duration: stroke.duration)).get().motion
            try wait(stroke.duration + 2, "the stroke did not end") { heard in heard.ended.contains { $0.id == id } }
            try pause(Wiggle.rest)
        }
        cuts.append(cposix_monotonic_now())
        try slowDown()
        heard.change { $0.trace = nil }
        loop.requestTrace()
        try wait(2, "the loop did not deliver its recording") { $0.trace != nil }
        return MotionRecording(
            heard.value.withLock { $0.trace?.records ?? [] }, axis: axis, from: began, cuts: cuts)
    }

    /// Returns the angle by which the axis turned, as measured by a person, or nil if it was not measured.
    private func askWay(_ axis: Axis, _ commanded: Double) throws -> Double? {
        desk.ask(
            "this rig does not report its position. By how many degrees did \(axis.rawValue) turn (commanded: \(Self.degrees(commanded)))? "
                + "[number, Enter: not measured]")
        while true {
            guard let line = desk.line(), !line.hasPrefix("q") else { throw Stopped() }
            if line.isEmpty { return nil }
            if let number = Double(line), (1...45).contains(abs(number)) { return .degrees(abs(number)) }
            desk.ask("give a number of degrees from 1 to 45, or press Enter:")
        }
    }

    /// Returns the range over which a hand turned the head, or nil if it did not, or if the rig cannot switch its
    /// torque off.
    private func sweep() throws -> (low: PanTilt, high: PanTilt)? {
        desk.ask(
            "limits: switch the torque off, so that you can turn the head to all its ends by hand? Hold it first: it may sink. "
                + "[y, Enter: keep the limits]")
        guard let reply = desk.line(), !reply.hasPrefix("q") else { throw Stopped() }
        guard reply.lowercased().hasPrefix("y") else { return nil }
        // However this program ends, the next one must not switch the torque on while a hand holds the head.
        if let error = latch?.letGo() {
            warn("the next run will not know that the torque is off: \(error.message): \(error.hint)")
        }
        if case .failure(let error) = try answer(to: .torque(false)) {
            desk.say("\(error.message): the limits are unchanged")
            // The rig may still have switched its torque off, and a hand may hold it.
            try holdAgain()
            return nil
        }
        heard.change { $0.swept = nil }
        desk.ask("turn it slowly to both ends of pan and of tilt; then press Enter")
        guard desk.line() != nil else { throw Stopped() }
        try listen(0)
        let swept = heard.value.withLock { $0.swept }
        try holdAgain()
        return swept
    }

    /// Switches the torque on again when a person agrees.
    private func holdAgain() throws {
        desk.ask("take your hands away: switch the torque on again in this position? [y/q]")
        guard desk.answer() == .yes else { throw Stopped() }
        _ = try answer(to: .torque(true)).get()
        if let error = latch?.holdAgain() { warnOfRelease(error) }
    }

    private static func degrees(_ angle: Double) -> String { String(Int(angle.inDegrees.rounded())) }
}
