internal import Geometry

/// One look at a face along one axis, radians: its bearing, and where the dock stood.
struct SignLook: Sendable, Equatable {
    var time: Seconds
    var bearing: Double
    /// The pose of this axis.
    var own: Double
    /// The pose of the other axis.
    var other: Double

    /// Where the face is in the room as each `SignStory` has it; what is left over repeats the first one.
    var places: SIMD8<Double> {
        let right = bearing + own
        return SIMD8(right, bearing - own, bearing, bearing + other, bearing - other, right, right, right)
    }
}

/// The same look along both axes.
struct SignLooks: Sendable, Equatable {
    var pan: SignLook
    var tilt: SignLook
}

/// What may be true of one axis of the picture.
enum SignStory: Int, CaseIterable, Sendable {
    /// It moves against the axis, with it, or not at all.
    case right, reversed, fixed
    /// It moves against the other axis, or with it: the picture lies on its side.
    case crossed, counterCrossed

    /// The picture lies on its side.
    var isCrossed: Bool { self == .crossed || self == .counterCrossed }

    /// What the daemon says of a rig of which this is true; nil: all is well.
    var fault: DockFault? {
        switch self {
        case .right: nil
        case .fixed: .pictureDoesNotFollow
        case .reversed, .crossed, .counterCrossed: .signSuspect
        }
    }
}
