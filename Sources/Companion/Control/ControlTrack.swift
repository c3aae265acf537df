internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry

/// Reads the parameters of `track` and `selectSubjects`: lists whose elements have parts.
enum ControlTrack {
    private static let observation: [Field] = {
        guard case .object(let fields) = Shape.named("observation").resolved else { return [] }
        return fields
    }()

    static func frame(_ params: ControlParams) throws(DockError) -> ObservationFrame {
        var observations: [Observation] = []
        var seen: Set<Int> = []
        for (index, value) in (params.list("observations") ?? []).enumerated() {
            guard let members = value.object else {
                throw params.refusal("observation \(index) must be an object", "of " + Field.usage(observation))
            }
            let one = try ControlParams(members, of: "\(params.place): observation \(index)", observation)
            let id = try one.whole("id")
            guard seen.insert(id).inserted else {
                throw one.refusal("\"id\" \(id) appears twice", "each subject appears once in a frame")
            }
            observations.append(
                Observation(
                    identifier: id, kind: one.optionalText("kind").flatMap(SubjectKind.init(rawValue:)) ?? .person,
                    rect: try one.rect("rect"), score: one.optionalNumber("score") ?? 1,
                    attributes: attributes(one)))
        }
        return ObservationFrame(
            observations, camera: try params.object("camera").map(information), exposure: params.optionalNumber("t"))
    }

    private static func attributes(_ observation: ControlParams) -> FaceAttributes {
        var attributes = FaceAttributes()
        for attribute in FaceAttribute.all {
            attributes[attribute] = observation.optionalNumber(attribute.coding.name.description)
        }
        return attributes
    }

    private static func information(_ camera: ControlParams) throws(DockError) -> CameraInformation {
        var new = CameraInformation(
            horizontalFieldOfView: camera.optionalNumber("hfov"), rotate: camera.optionalWhole("rotate") ?? 0,
            mirrored: camera.optionalFlag("mirrored") ?? false)
        guard new.rotate % 90 == 0 else { throw camera.refusal("\"rotate\" must be 0, 90, 180 or 270") }
        let size = ["width", "height"], focus = ["fx", "fy", "cx", "cy"]
        if try all(size, of: camera) {
            new.referenceDimensions = PictureSize(
                width: try camera.number("width"), height: try camera.number("height"))
        }
        if try all(focus, of: camera) {
            guard new.referenceDimensions != nil else {
                throw camera.refusal("\"fx\" is in pixels of an image", "give \"width\" and \"height\" too")
            }
            new.intrinsics = CameraIntrinsics(
                fx: try camera.number("fx"), fy: try camera.number("fy"), cx: try camera.number("cx"),
                cy: try camera.number("cy"))
        }
        return new
    }

    /// Returns whether all of these are present. Throws an error if only some are.
    private static func all(_ names: [String], of camera: ControlParams) throws(DockError) -> Bool {
        let missing = names.filter { !camera.has($0) }
        guard missing.isEmpty || missing.count == names.count else {
            throw camera.refusal("\"\(missing[0])\" is missing", "give all of " + names.joined(separator: ", "))
        }
        return missing.isEmpty
    }

    /// Reads at most 16 distinct IDs.
    static func identifiers(_ params: ControlParams) throws(DockError) -> [Int] {
        var ids: [Int] = []
        for value in params.list("ids") ?? [] {
            guard let id = value.integer, APITypes.exact.contains(id), !ids.contains(id) else {
                throw params.refusal(
                    "\"ids\" must be different whole numbers", "take them from `subjects` of topic `tracking`")
            }
            ids.append(id)
        }
        return ids
    }
}
