internal import Geometry

/// The same looks also reveal whether the camera's field of view is stated correctly.
extension SignGuard {
    /// Compares the bends of the head and of the picture in the newest look and two earlier ones.
    mutating func measureGain(_ outline: FaceOutline, at exposure: Seconds, since before: Seconds) {
        guard let newest = looks.newest, let last = looks.last(notAfter: exposure - PictureGain.spacing),
            let first = looks.last(notAfter: last.time - PictureGain.spacing)
        else { return }
        let share = ((exposure - before) / (exposure - last.time)).clamped(to: 0...1)
        for axis in Axis.allCases {
            guard let seen = FaceOutline.bearings(first.value.outline, last.value.outline, outline, axis) else {
                continue
            }
            let pose = (first.value.pose[axis], last.value.pose[axis], newest.value.pose[axis])
            let triple = SignEvidence.Triple(
                bearing: seen, pose: pose, times: (first.time, last.time, exposure), noise: 0)
            let bend = PictureGain.Bend(
                head: triple.bend(pose), picture: triple.bend(seen),
                leastTravel: min(
                    travel(axis, from: first.time, to: last.time), travel(axis, from: last.time, to: exposure)))
            change(axis) { $0.gain.add(bend, share: share) }
        }
    }

    /// Returns how far apart the poses of the looks in an interval are, in radians.
    private func travel(_ axis: Axis, from start: Seconds, to end: Seconds) -> Double {
        var least = Double.infinity, most = -Double.infinity
        for index in 0..<looks.count {
            let (time, look) = looks[index]
            guard (start...end).contains(time) else { continue }
            (least, most) = (min(least, look.pose[axis]), max(most, look.pose[axis]))
        }
        return max(0, most - least)
    }

    /// Returns the factor by which the picture moves farther than the camera's field of view says, or nil if that is
    /// uncertain or nearly 1. Only an axis with a proven sign counts, and nothing while an axis is held.
    func pictureGain(now: Seconds) -> Double? {
        guard now >= holdUntil.pan, now >= holdUntil.tilt else { return nil }
        var gain = PictureGain()
        for axis in Axis.allCases where isProven(axis) { gain = gain + self[axis].gain }
        return gain.finding
    }

    /// Discards the measurement of the picture's motion, because another camera or another field of view applies.
    mutating func forgetGain() {
        for axis in Axis.allCases { change(axis) { $0.gain = PictureGain() } }
    }

    /// Starts to compare looks again, because the camera's field of view was corrected. The travel without a proof and
    /// the holds are kept.
    mutating func correctedView() {
        forgetLooks()
        forgetGain()
        for axis in Axis.allCases { change(axis) { $0.beginSubject() } }
    }
}
