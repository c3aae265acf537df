public import FaceTracker
public import Geometry

/// A room as a detector has seen it all round: what it reported from each pose of a head, as in `Examples/rooms`.
public struct RecordedRoom: Sendable {
    /// A thing or a face in a picture.
    public struct Sighting: Sendable, Equatable {
        /// What the detector calls the thing; nil for a face.
        public var label: String?
        /// Where it is, in fractions of the picture.
        public var rect: Rect
        /// How sure the detector is, 0...1.
        public var score: Double
    }

    /// What was seen from one pose.
    public struct View: Sendable, Equatable {
        /// Things, as in the member `objects` of the detection stream.
        public var objects: [Sighting] = []
        /// Faces, as in its member `faces`.
        public var faces: [Sighting] = []
    }

    /// The poses along one axis from which the room was seen.
    public struct Stops: Sendable, Equatable {
        /// The first and the last pose, in radians.
        public var range: ClosedRange<Double>
        /// How many poses there are, at least 1.
        public var count: Int
        /// The angle between two of them, in radians.
        public var step: Double

        /// The number of the stop that is nearest to an angle. Beyond the range it is the last one.
        func nearest(to angle: Double) -> Int {
            min(Int(((angle.clamped(to: range) - range.lowerBound) / step).rounded()), count - 1)
        }

        /// The angle of a stop.
        func angle(of number: Int) -> Double { range.lowerBound + Double(number) * step }
    }

    /// A stop on each axis.
    struct Place: Hashable, Sendable {
        var pan: Int, tilt: Int
    }

    /// The name of the room.
    public var name: String
    /// The size of the pictures.
    public var size: PictureSize
    /// The horizontal field of view, in radians.
    public var fieldOfView: Double
    /// The lowest score that the detector reported.
    public var lowestScore: Double
    /// The poses from which it was seen.
    public var pan: Stops, tilt: Stops
    /// What was seen from each.
    var views: [Place: View] = [:]

    /// What was seen from the pose that is nearest to this one, and that pose, in radians.
    public func view(nearestTo pose: PanTilt) -> (view: View, pose: PanTilt) {
        let place = Place(pan: pan.nearest(to: pose.pan), tilt: tilt.nearest(to: pose.tilt))
        let angles = PanTilt(pan: pan.angle(of: place.pan), tilt: tilt.angle(of: place.tilt))
        return (views[place] ?? View(), angles)
    }
}
