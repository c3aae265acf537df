internal import Geometry

/// Decides which pictures are worth their bytes and how exact they must be.
///
/// A face at rest breathes by a fraction of a cell: it is drawn again only when something has moved by a third of one.
/// What is over within a fifth of a second need not be exact in between; a picture that rests is shown exactly in the end.
struct FramePace: Sendable {
    /// What to do with a picture.
    enum Plan: Sendable, Equatable {
        /// Nothing: what the screen shows is near enough.
        case keep
        /// Draw it; a colour may be off by so many steps of 255.
        case draw(tolerance: Int)
        /// What was drawn last has rested: show it exactly.
        case settle
    }

    private static let settling: Seconds = 2
    private let tolerance: Int
    /// What was drawn last; nil: the screen shows nothing of it.
    private(set) var drawn: FaceState?
    private var changed: Seconds = 0
    /// What the screen shows is not an approximation that was good enough while it moved.
    private(set) var isExact = true
    /// The last picture was drawn coarsely, for something quick.
    private var isCoarse = false
    /// The face only blinks and looks.
    var isCalm = false

    /// `tolerance`: how many steps of 255 a colour may be off while the picture moves.
    init(tolerance: Int) { self.tolerance = tolerance }

    /// The screen shows nothing of it any more.
    mutating func forget() { drawn = nil }

    /// `cell` is the height of a cell in units.
    mutating func plan(_ face: FaceState, tempo: FaceTempo, cell: Float, now: Seconds) -> Plan {
        guard let drawn else { return draw(face, 0, now) }
        let shift = face == drawn ? 0 : face.shift(since: drawn)
        switch tempo {
        case .darting where shift > 0: return draw(face, tolerance * 3, now, isCoarse: true)
        case .moving where isCoarse: return draw(face, tolerance, now)
        // A calm face is shown exactly at once: nothing is left to be said before its next blink.
        case .breathing where isCoarse: return draw(face, isCalm ? 0 : tolerance, now)
        case .moving where shift > 0: return draw(face, tolerance, now)
        case .breathing where shift > cell / 3: return draw(face, tolerance * 5 / 2, now)
        default:
            guard !isExact, now - changed >= Self.settling else { return .keep }
            isExact = true
            return .settle
        }
    }

    private mutating func draw(
        _ face: FaceState, _ tolerance: Int, _ now: Seconds, isCoarse: Bool = false
    ) -> Plan {
        drawn = face
        changed = now
        isExact = tolerance == 0
        self.isCoarse = isCoarse
        return .draw(tolerance: tolerance)
    }
}
