internal import Geometry

/// One look at a face along one axis, radians: its bearing, and the pose of the dock.
struct SignLook: Sendable, Equatable {
    var time: Seconds
    var bearing: Double
    /// The pose of this axis.
    var own: Double
    /// The pose of the other axis.
    var other: Double

    /// The position of the face in the room under each `SignStory`. Unused lanes repeat the first one.
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

/// A hypothesis about one axis of the image.
enum SignStory: Int, CaseIterable, Sendable {
    /// The image moves against the axis, with it, or not at all.
    case right, reversed, fixed
    /// The image moves against the other axis, or with it: it lies on its side.
    case crossed, counterCrossed

    /// Whether the image lies on its side.
    var isCrossed: Bool { self == .crossed || self == .counterCrossed }

    /// The fault of a rig for which this is true, or nil if there is none.
    var fault: DockFault? {
        switch self {
        case .right: nil
        case .fixed: .pictureDoesNotFollow
        case .reversed, .crossed, .counterCrossed: .signSuspect
        }
    }
}
