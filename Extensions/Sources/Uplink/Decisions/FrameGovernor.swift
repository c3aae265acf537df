public import Geometry

/// Chooses the shape of pictures so that they arrive in time, as a pure value: quickly fewer bytes when they are late,
/// and slowly more when they are not.
public struct FrameGovernor: Sendable, Equatable {
    /// Pictures that are older than `late` when they arrive mean fewer bytes, and younger ones than `early` mean more.
    static let late: Seconds = 0.08, early: Seconds = 0.05
    /// How much the share of bytes changes with each picture, and how much near a share that was too much before.
    static let down = 0.95, downForRate = 0.98, up = 1.02, upWithCare = 1.001
    /// Shares above this part of one that was too much are near it.
    static let near = 0.85

    private let best: FrameShape
    private var share = 1.0
    /// Larger shares are not possible, because a server does not take such messages.
    private var most = 1.0
    /// The last share that was too much.
    private var tooMuch = Double.infinity

    /// Creates a governor that begins with the best shape.
    public init(best: FrameShape) { self.best = best }

    /// The shape of the next picture.
    public var shape: FrameShape { best.limited(to: share) }

    /// Records how old a picture was when it had arrived.
    public mutating func arrived(age: Seconds) {
        if age > Self.late {
            tooMuch = share
            share = max(FrameShape.leastShare, share * Self.down)
        } else if age < Self.early {
            let isNear = share * Self.up > tooMuch * Self.near
            share = min(most, share * (isNear ? Self.upWithCare : Self.up))
            // What was too much then is not now.
            if share > tooMuch { tooMuch = .infinity }
        }
    }

    /// Records that a picture was left out, because those before it had not been read yet: they may be in time, and still
    /// too large for the rate.
    public mutating func leftOut() {
        tooMuch = min(tooMuch, share)
        share = max(FrameShape.leastShare, share * Self.downForRate)
    }

    /// Records that the server does not take messages of this size.
    public mutating func tooLarge() {
        most = max(FrameShape.leastShare, share / 2)
        share = most
    }
}
