/// A joint of a person. Left is the person's own left.
public enum Joint: String, Sendable, CaseIterable {
    /// The tip of the nose.
    case head
    case leftShoulder, rightShoulder
    case leftElbow, rightElbow
    case leftWrist, rightWrist
    case leftHip, rightHip
    case leftKnee, rightKnee
    case leftAnkle, rightAnkle

    /// Its place in `allCases`.
    public var index: Int { Self.places[self] ?? 0 }

    private static let places = Dictionary(uniqueKeysWithValues: zip(allCases, allCases.indices))
}

/// A line between two joints, as it is drawn.
public struct Limb: Sendable, Hashable {
    /// The joints at its ends.
    public let from: Joint, to: Joint

    /// The limbs of a person. The line from the head to the middle of the shoulders has no joint at its end and is not
    /// among them.
    public static let all = [
        Limb(from: .leftShoulder, to: .leftElbow), Limb(from: .leftElbow, to: .leftWrist),
        Limb(from: .rightShoulder, to: .rightElbow), Limb(from: .rightElbow, to: .rightWrist),
        Limb(from: .leftShoulder, to: .rightShoulder), Limb(from: .leftHip, to: .rightHip),
        Limb(from: .leftShoulder, to: .leftHip), Limb(from: .rightShoulder, to: .rightHip),
        Limb(from: .leftHip, to: .leftKnee), Limb(from: .leftKnee, to: .leftAnkle),
        Limb(from: .rightHip, to: .rightKnee), Limb(from: .rightKnee, to: .rightAnkle),
    ]
}

/// A value for each joint of a person that has one.
public struct Joints<Value: Sendable>: Sendable {
    private var values = [Value?](repeating: nil, count: Joint.allCases.count)

    /// Creates joints without values.
    public init() {}

    /// The value of a joint, or nil if it has none.
    public subscript(joint: Joint) -> Value? {
        get { values[joint.index] }
        set { values[joint.index] = newValue }
    }

    /// The joints that have values, in the order of `Joint.allCases`.
    public var present: [(joint: Joint, value: Value)] {
        Joint.allCases.compactMap { joint in values[joint.index].map { (joint, $0) } }
    }

    /// Whether no joint has a value.
    public var isEmpty: Bool { values.allSatisfy { $0 == nil } }
}

extension Joints: Equatable where Value: Equatable {}
