internal import Glibc
internal import Geometry

/// The landmarks of a stream that are eyes and nose, and the yaw that follows from them.
///
/// It is for detectors that give points and no yaw (YuNet, BlazeFace, SCRFD): framing leaves room in the direction that
/// a person faces.
struct FacePoints: Sendable, Equatable {
    private let rightEye: Int
    private let leftEye: Int
    private let nose: Int

    /// The distance of the tip of the nose in front of the eyes, in distances between the pupils: 30 to 35 mm of about
    /// 63.
    static let protrusion = 0.5
    /// The angle beyond which a face shows only one eye, and the other one is guessed, in radians.
    static let most = Double.degrees(70)

    /// Finds the points by the names in a stream's hello, where left and right are the person's own. The result is nil
    /// if one of the three is missing.
    init?(names: [String]) {
        func index(_ wanted: Set<String>) -> Int? { names.firstIndex { wanted.contains($0.lowercased()) } }
        guard let right = index(["right_eye", "righteye"]), let left = index(["left_eye", "lefteye"]),
            let nose = index(["nose", "nose_tip", "nosetip"])
        else { return nil }
        (rightEye, leftEye, self.nose) = (right, left, nose)
    }

    /// Returns the yaw of a face, in radians, positive to the frame's right, or nil if points are missing or do not
    /// form a face.
    ///
    /// The eyes are a distance d apart, and the nose is in front of them by `protrusion` d. Turned by the yaw, the eyes
    /// appear d cos(yaw) apart, and the nose is offset from their middle by `protrusion` d sin(yaw). The head may be
    /// tilted to its shoulder.
    /// - Parameter aspect: the frame's width over its height.
    func yaw(of points: Landmarks, aspect: Double) -> Double? {
        guard let right = points[rightEye], let left = points[leftEye], let nose = points[nose] else { return nil }
        let across = (x: (left.x - right.x) * aspect, y: left.y - right.y)
        let off = (x: (nose.x - (left.x + right.x) / 2) * aspect, y: nose.y - (left.y + right.y) / 2)
        let square = across.x * across.x + across.y * across.y
        guard square > 1e-8, square.isFinite else { return nil }
        // A nose is never above the eyes.
        guard across.x * off.y - across.y * off.x > 0 else { return nil }
        let yaw = atan((across.x * off.x + across.y * off.y) / square / Self.protrusion)
        return yaw.clamped(to: -Self.most...Self.most)
    }
}
