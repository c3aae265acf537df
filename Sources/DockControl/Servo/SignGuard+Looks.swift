internal import Geometry

/// Which looks are compared, and whether they show the same face.
extension SignGuard {
    typealias Looks = (first: (time: Seconds, value: Look), last: (time: Seconds, value: Look))

    /// Returns the two earlier looks that are compared with the one at `exposure`. A new subject has none that are far
    /// enough apart. A head that turns the wrong way would lose the subject before there were any, so closer looks must
    /// suffice.
    func compared(_ exposure: Seconds) -> Looks? {
        func pair(_ spacing: Seconds) -> Looks? {
            guard let last = looks.last(notAfter: exposure - spacing) else { return nil }
            return looks.last(notAfter: last.time - spacing).map { ($0, last) }
        }
        return pair(Self.spacing) ?? pair(Self.leastSpacing)
    }

    /// Returns whether the face can have moved here from its last position, under any hypothesis about the rig.
    func continues(_ raw: SignLooks) -> Bool {
        guard let latest else { return false }
        let free = Self.unprovenSpeed * (raw.pan.time - latest.pan.time)
        func isNear(_ a: SignLook, _ b: SignLook, _ deviation: Double) -> Bool {
            let steps = b.places - a.places
            return pointwiseMax(steps, -steps).min() < max(Self.stride, Self.surprise * deviation) + free
        }
        return isNear(latest.pan, raw.pan, pan.proof.tremble.deviation)
            && isNear(latest.tilt, raw.tilt, tilt.proof.tremble.deviation)
    }

    /// Returns whether both axes have far to go and neither is proven. They then turn one after another, because an
    /// image that lies on its side looks upright to a head that turns diagonally.
    func needsBothAxes(_ error: PanTilt) -> Bool {
        !isProven(.pan) && !isProven(.tilt) && min(abs(error.pan), abs(error.tilt)) > Self.aslant
    }
}
