public import Geometry

/// Where the camera is mounted, because a turning head moves the faces in the picture.
public enum CameraMount: String, Sendable, CaseIterable {
    /// On the head: it turns with the dock.
    case head
    /// Beside the dock: it does not turn.
    case fixed
}

/// When it is known where the faces of a picture are, and how much around them is covered.
///
/// With these values, the recorded faces of `Examples/faces` are covered at ten looks a second (`CoverageTests`).
public struct FacePolicy: Sendable, Equatable {
    /// The largest time between a picture and the look before it, and between it and the look after it, in seconds.
    public var reach: Seconds = 0.3
    /// Faces of looks within this time before and after a picture are covered in it, too, in seconds.
    public var window: Seconds = 1
    /// A face is covered beyond each of its edges by this share of its size.
    public var growth = 0.25
    /// The lowest score at which a rectangle counts as a face, 0...1.
    public var leastScore = 0.3
    /// If the head turns faster, only a look at the same picture counts; rad/s, for a picture without magnification.
    public var fastTurn = Double.degrees(40)
    /// Where the camera is. With `fixed`, the pose of the head does not matter.
    public var mount = CameraMount.head
    /// The sources that look for faces. Any other source counts once it has reported a face, because the absence of
    /// faces in the answers of a program that looks for things means nothing.
    public var faceDetectors: Set<String> = ["blazeface", "blazeface-short", "yunet"]

    /// Faces in two looks are taken for one face in motion if it moves at most by this many of its sizes a second.
    /// A person who runs past at 3 m/s moves by 19 heads a second, one who walks by 8.
    public var facesPerSecond = 12.0
    /// A face that nearer looks have missed moves at most by this many of its sizes a second: that of a person who walks.
    public var missedPerSecond = 4.0
    /// Between two looks, a face may leave the straight line by this many of its sizes for each second to the nearer one.
    public var drift = 1.0
    /// The narrowest usual picture, in radians from left to right. A turning head moves it at most this fast.
    public var pictureAngle = Double.degrees(50)

    /// Creates the usual values.
    public init() {}

    /// Whether a source is known to look for faces. The daemon adds `-2`, `-3` ... to a name that is used twice.
    func knows(_ source: String) -> Bool {
        guard !faceDetectors.contains(source) else { return true }
        let parts = source.split(separator: "-")
        guard let last = parts.last, parts.count > 1, last.allSatisfy(\.isNumber) else { return false }
        return faceDetectors.contains(parts.dropLast().joined(separator: "-"))
    }
}
