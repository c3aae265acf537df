internal import Geometry

/// Decides which frames are worth sending and how exact they must be.
///
/// A face at rest breathes by a fraction of a cell, and is redrawn only when something has moved by a third of a cell.
/// Motion that is over within a fifth of a second need not be exact in between. An image at rest is finally shown
/// exactly.
struct FramePace: Sendable {
    /// The decision about a frame.
    enum Plan: Sendable, Equatable {
        /// Keeps the screen, which is close enough.
        case keep
        /// Draws the frame. A colour may be off by this many steps of 255.
        case draw(tolerance: Int)
        /// Shows the last drawn frame exactly, because it has come to rest.
        case settle
    }

    private static let settling: Seconds = 2
    private let tolerance: Int
    /// The last drawn frame, or nil if the screen shows none.
    private(set) var drawn: FaceState?
    private var changed: Seconds = 0
    /// Whether the screen shows the face exactly, not an approximation from a motion.
    private(set) var isExact = true
    /// Whether the last frame was drawn coarsely, for a fast change.
    private var isCoarse = false
    /// Whether the face only blinks and moves its eyes.
    var isCalm = false

    /// Creates a pace. `tolerance` is how many steps of 255 a colour may be off while the face moves.
    init(tolerance: Int) { self.tolerance = tolerance }

    /// Records that the screen no longer shows any part of the face.
    mutating func forget() { drawn = nil }

    /// Decides about a frame. `cell` is the height of a cell in units.
    mutating func plan(_ face: FaceState, tempo: FaceTempo, cell: Float, now: Seconds) -> Plan {
        guard let drawn else { return draw(face, 0, now) }
        let shift = face == drawn ? 0 : face.shift(since: drawn)
        switch tempo {
        case .darting where shift > 0: return draw(face, tolerance * 3, now, isCoarse: true)
        case .moving where isCoarse: return draw(face, tolerance, now)
        // A calm face is shown exactly at once, because nothing follows before its next blink.
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
