internal import DockControl
internal import Geometry
internal import RobotFace

/// What happens while a face or a hand is near the head, if that is wanted: the head is slower, and the eyes lean back. It
/// never moves anything.
extension SessionState {
    /// Looks at what was measured last.
    mutating func watchNear(now: Seconds) -> [SessionEffect] {
        guard options.watchesNear else { return [] }
        var effects: [SessionEffect] = []
        switch tracking.near.look(tracking.leastDistance(now: now), now: now) {
        case .began:
            effects = [.log(.info, "something is near the head: it moves slowly")] + slower + notice(.near(true))
        case .renewed: effects = slower
        case .ended: effects = [.log(.info, "nothing is near the head any more")] + notice(.near(false))
        case nil: break
        }
        return effects + lean()
    }

    /// Lets the eyes lean back while something is near a head that moves.
    mutating func lean() -> [SessionEffect] {
        guard options.watchesNear, let leans = tracking.near.moves(snapshot.command != .zero) else { return [] }
        return [.face(FaceChange(leans: leans))]
    }

    private var slower: [SessionEffect] { [.motion(.slow(NearWatch.share, for: NearWatch.life), nil)] }
}
