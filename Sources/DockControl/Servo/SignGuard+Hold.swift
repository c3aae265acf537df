internal import Geometry

/// Holding the head still to ask the picture.
extension SignGuard {
    /// A dock that has proven nothing is asked anew after turning so far, radians.
    static let longestUnasked = Double.degrees(15)
    /// ... and after so far, however little the last answers said, unless they spoke for a right rig, radians.
    static let farUnasked = Double.degrees(45)
    /// A dock that has proven its signs, but not lately, is asked when it has turned so far after a face that stays on one side of it,
    /// however slowly, radians.
    static let farOneSided = Double.degrees(60)

    /// Where it turned toward the face and came no nearer: hold still.
    mutating func holdIfSuspicious(_ axis: Axis, period: Seconds, now: Seconds) {
        guard let newest = looks.newest else { return }
        let isFresh = self[axis].proof.isFresh
        let sided = oneSided(axis, newest.value, isFresh: isFresh)
        let anchor = asked?[axis] ?? newest.value.pose[axis]
        let unasked = isProven(axis) ? 0 : abs(newest.value.pose[axis] - anchor)
        guard
            newest.time >= self[axis].evidence.nextHold
                || (unasked >= Self.farUnasked && self[axis].evidence.fixed >= 0)
        else { return }
        let error = newest.value.error[axis], side = error < 0 ? -1.0 : 1
        // It was seen to be right a moment ago.
        guard !isFresh else { return }
        if sided >= Self.farOneSided { return hold(axis, period: period, now: now) }
        let isTrusted = self[axis].evidence.isTrusted || self[axis].proof.isSure
        let far = (abs(error) >= .degrees(4) ? Double.degrees(4) : .degrees(8)) * (isTrusted ? 6 : 1)
        if unasked >= Self.longestUnasked { return hold(axis, period: period, now: now) }
        guard abs(error) >= .degrees(1) else { return }
        for back in 2...max(2, looks.count) where back <= looks.count {
            let old = looks[looks.count - back]
            // Only as long as it was on that side all the time.
            guard old.value.error[axis] * side > 0 else { return }
            let travel = (newest.value.pose[axis] - old.value.pose[axis]) * side
            guard travel >= far else { continue }
            // A face that stands comes nearer by as much as the head turns; half of it says that all is well, and so does a third
            // of the way.
            let before = abs(old.value.error[axis])
            guard abs(error) >= max(0.7 * before, before - 0.5 * travel) else { return }
            return hold(axis, period: period, now: now)
        }
    }

    /// How far an axis has turned toward a face that has stayed on that side of it all the time, and told nothing, radians.
    private mutating func oneSided(_ axis: Axis, _ look: Look, isFresh: Bool) -> Double {
        let error = look.error[axis], pose = look.pose[axis]
        let side = abs(error) < .degrees(1) || isFresh ? 0 : error < 0 ? -1.0 : 1
        return change(axis) {
            if side == 0 || $0.side.side != side { $0.side = AxisSigns.Side(side: side, pose: pose) }
            return (pose - $0.side.pose) * side
        }
    }

    private mutating func hold(_ axis: Axis, period: Seconds, now: Seconds) {
        guard let newest = looks.newest else { return }
        let until = now + 0.3 + 2.5 * period.clamped(to: 0.03...0.25)
        holdUntil[axis] = until
        asked?[axis] = newest.value.pose[axis]
        change(axis) {
            $0.side.side = 0
            $0.evidence.hold(from: newest.time, until: until)
        }
    }
}
