public import ControlProtocol
internal import Geometry
public import SpatialModel

/// A person as topic `detections` and the messages have them: `{"joints":[[x,y,visibility] x 13],"world":[[x,y,z] x 13]}`.
extension SeenPerson {
    /// The greatest distance of a joint from the picture, in picture widths and heights, and from the middle of the
    /// hips, in metres.
    private static let farthest = 10.0

    /// Reads a person. The result is nil if the joints are not 13 triples of finite numbers. Without `world`, the person
    /// has no shape.
    public init?(json value: JSONValue) {
        guard let joints = Self.triples(value["joints"]) else { return nil }
        self.init()
        for (joint, numbers) in zip(Joint.allCases, joints) {
            let confidence = min(max(numbers.z, 0), 1)
            self.joints[joint] = SeenJoint(Point(x: numbers.x, y: numbers.y), confidence: confidence)
        }
        guard let world = value["world"], !world.isNull else { return }
        guard let places = Self.triples(world) else { return nil }
        // A detector has y down and z away from the camera.
        for (joint, place) in zip(Joint.allCases, places) { shape[joint] = .init(place.x, -place.y, -place.z) }
    }

    private static func triples(_ value: JSONValue?) -> [SIMD3<Double>]? {
        guard let rows = value?.array, rows.count == Joint.allCases.count else { return nil }
        var triples: [SIMD3<Double>] = []
        for row in rows {
            let numbers = (row.array ?? []).compactMap(\.number)
            guard numbers.count == 3, row.array?.count == 3, numbers.allSatisfy({ abs($0) <= farthest }) else {
                return nil
            }
            triples.append(SIMD3(numbers[0], numbers[1], numbers[2]))
        }
        return triples
    }

    /// The person as JSON. A joint that is not seen has the visibility 0.
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "joints": .array(
                Joint.allCases.map { joint in
                    let seen = joints[joint]
                    return .array(
                        [seen?.point.x ?? 0, seen?.point.y ?? 0, seen?.confidence ?? 0].map { .number(Self.short($0)) })
                })
        ]
        if !shape.isEmpty {
            members["world"] = .array(
                Joint.allCases.map { joint in
                    let place = shape[joint] ?? .zero
                    return .array([place.x, -place.y, -place.z].map { .number(Self.short($0)) })
                })
        }
        return .object(members)
    }

    /// A tenth of a millimetre, and less than a tenth of a pixel.
    private static func short(_ number: Double) -> Double { (number * 1e4).rounded() / 1e4 }
}
