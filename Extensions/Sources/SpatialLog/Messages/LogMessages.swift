internal import Geometry
public import SpatialModel

/// A lens in pixels.
public struct LoggedLens: Sendable, Equatable {
    /// The focal lengths, and where the lens looks straight ahead.
    public var focal: (x: Double, y: Double), centre: (x: Double, y: Double)
    /// The picture's size.
    public var width: Int, height: Int
    /// k1, k2, p1, p2, k3 of "plumb_bob".
    public var distortion: [Double]

    /// Creates the lens of a picture of this size.
    public init(_ lens: PictureLens, width: Int, height: Int) {
        focal = (lens.focal.x * Double(width), lens.focal.y * Double(height))
        centre = (lens.principal.x * Double(width), lens.principal.y * Double(height))
        (self.width, self.height) = (width, height)
        let bend = lens.distortion
        distortion = [bend.k1, bend.k2, bend.p1, bend.p2, bend.k3]
    }

    /// Whether both are the same.
    public static func == (a: LoggedLens, b: LoggedLens) -> Bool {
        a.focal == b.focal && a.centre == b.centre && a.width == b.width && a.height == b.height
            && a.distortion == b.distortion
    }
}

/// The messages of a file, encoded. Times are in nanoseconds since 1970.
enum LogMessages {
    static func time(_ time: UInt64) -> ProtoBytes {
        var result = ProtoBytes()
        result.put(1, Int(time / 1_000_000_000))
        result.put(2, Int(time % 1_000_000_000))
        return result
    }

    static func vector(_ vector: SIMD3<Double>) -> ProtoBytes {
        var result = ProtoBytes()
        for place in 0..<3 { result.put(place + 1, vector[place]) }
        return result
    }

    static func quaternion(_ rotation: SIMD4<Double>) -> ProtoBytes {
        var result = ProtoBytes()
        for place in 0..<4 { result.put(place + 1, rotation[place]) }
        return result
    }

    static func image(_ jpeg: [UInt8], at time: UInt64) -> [UInt8] {
        var result = ProtoBytes()
        result.put(1, Self.time(time))
        result.put(2, jpeg)
        result.put(3, "jpeg")
        result.put(4, HeadFrame.camera.rawValue)
        return result.bytes
    }

    static func calibration(_ lens: LoggedLens, at time: UInt64) -> [UInt8] {
        let (fx, fy) = lens.focal, (cx, cy) = lens.centre
        var result = ProtoBytes()
        result.put(1, Self.time(time))
        result.put(2, fixed: UInt32(clamping: lens.width))
        result.put(3, fixed: UInt32(clamping: lens.height))
        result.put(4, "plumb_bob")
        result.put(5, numbers: lens.distortion)
        result.put(6, numbers: [fx, 0, cx, 0, fy, cy, 0, 0, 1])
        result.put(7, numbers: [1, 0, 0, 0, 1, 0, 0, 0, 1])
        result.put(8, numbers: [fx, 0, cx, 0, 0, fy, cy, 0, 0, 0, 1, 0])
        result.put(9, HeadFrame.camera.rawValue)
        return result.bytes
    }

    static func transform(_ frame: HeadFrame, in parent: HeadFrame, _ place: FramePlace, at time: UInt64) -> [UInt8] {
        var result = ProtoBytes()
        result.put(1, Self.time(time))
        result.put(2, parent.rawValue)
        result.put(3, frame.rawValue)
        result.put(4, vector(place.shift))
        result.put(5, quaternion(place.rotation))
        return result.bytes
    }
}
