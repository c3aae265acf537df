internal import Geometry

/// Holds the head still so that the camera can provide a decision.
extension SignGuard {
    /// The angle after which a dock without proof is held again, in radians.
    static let longestUnasked = Double.degrees(15)
    /// The angle after which it is also held, in radians, however little the last holds revealed, unless they supported
    /// a correct rig.
    static let farUnasked = Double.degrees(45)
    /// The angle, in radians, after which a dock whose proof is not recent is held, if it has turned this far toward a
    /// face that stays on one side of it, at any speed.
    static let farOneSided = Double.degrees(60)

    /// Holds the head still if it turned toward the face without getting closer to it.
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
        // The axis proved its sign a moment ago.
        guard !isFresh else { return }
        if sided >= Self.farOneSided { return hold(axis, period: period, now: now) }
        let isTrusted = self[axis].evidence.isTrusted || self[axis].proof.isSure
        let far = (abs(error) >= .degrees(4) ? Double.degrees(4) : .degrees(8)) * (isTrusted ? 6 : 1)
        if unasked >= Self.longestUnasked { return hold(axis, period: period, now: now) }
        guard abs(error) >= .degrees(1) else { return }
        for back in 2...max(2, looks.count) where back <= looks.count {
            let old = looks[looks.count - back]
            // This applies only if the face was on that side the whole time.
            guard old.value.error[axis] * side > 0 else { return }
            let travel = (newest.value.pose[axis] - old.value.pose[axis]) * side
            guard travel >= far else { continue }
            // The error to a stationary face decreases by as much as the head turns. Half of that shows that the axis
            // is correct, and so does a reduction of the error by 30 %.
            let before = abs(old.value.error[axis])
            guard abs(error) >= max(0.7 * before, before - 0.5 * travel) else { return }
            return hold(axis, period: period, now: now)
        }
    }

    /// Returns how far an axis has turned toward a face that stayed on that side the whole time and revealed nothing,
    /// in radians.
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
