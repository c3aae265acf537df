internal import Geometry

/// What is known of the axes' signs through each camera of the rig, because each may be mounted otherwise.
///
/// Evidence is kept while another camera is in use, so that a detector cannot discard it by naming cameras in turn. How
/// far tracking has turned an axis without proof concerns the head, and continues from one camera to the next.
struct SignPlaces: Sendable, Equatable {
    private struct Kept: Sendable, Equatable {
        var signs: SignGuard
        var nod: GreetingNod
    }

    /// The camera of the detector's newest frame.
    var seen = 0
    /// The camera whose evidence is in use.
    private var used = 0
    /// The evidence of the others. There are at most four cameras.
    private var kept: [Int: Kept] = [:]

    /// Exchanges the evidence if the newest frame is from another camera. A verdict stays until it has been acted on.
    mutating func settle(_ signs: inout SignGuard, _ nod: inout GreetingNod) {
        guard seen != used, signs.verdict == nil else { return }
        nod.interrupt()
        let old = signs
        kept[used] = Kept(signs: old, nod: nod)
        let known = kept.removeValue(forKey: seen)
        (signs, nod) = (known?.signs ?? old.withoutEvidence, known?.nod ?? GreetingNod())
        signs.resume(after: old)
        used = seen
    }

    /// Forgets the evidence of all other cameras.
    mutating func forget() { (kept, used) = ([:], seen) }
}

extension SignGuard {
    /// A guard of the same rig that knows nothing.
    fileprivate var withoutEvidence: SignGuard {
        var new = self
        new.reset()
        return new
    }

    /// Continues after another camera was in use, whose guard this was.
    fileprivate mutating func resume(after other: SignGuard) {
        follow(other)
        for axis in Axis.allCases {
            let before = other[axis].reach
            // An axis that was proven through the other camera had no range. Its own one goes where the head is now.
            change(axis) { $0.reach = other.isProven(axis) ? $0.reach.moved(to: before.pose) : before }
        }
    }
}
