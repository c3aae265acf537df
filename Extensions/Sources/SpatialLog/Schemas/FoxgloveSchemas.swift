/// The schemas of Foxglove that are written, and those that they contain (docs.foxglove.dev, "Schemas"). They are
/// complete, because readers expect every list of a scene, also an empty one.
enum FoxgloveSchemas {
    static let image = "foxglove.CompressedImage", calibration = "foxglove.CameraCalibration"
    static let transform = "foxglove.FrameTransform", scene = "foxglove.SceneUpdate"

    /// Returns the descriptors of a schema.
    static func descriptors(of name: String) -> [UInt8] { ProtoMessage.descriptors(of: name, in: all) }

    static let all = wellKnown + values + cameras + scenes + primitives

    private typealias Field = ProtoMessage.Field

    private static func own(_ name: String) -> ProtoMessage.Kind { .message("foxglove." + name) }

    private static let time = Field(1, "timestamp", .message("google.protobuf.Timestamp"))

    private static let wellKnown = ["Timestamp", "Duration"].map {
        ProtoMessage(
            name: "google.protobuf." + $0, fields: [Field(1, "seconds", .int64), Field(2, "nanos", .int32)])
    }

    private static func numbers(_ name: String, _ fields: [String]) -> ProtoMessage {
        ProtoMessage(
            name: "foxglove." + name, fields: fields.enumerated().map { Field($0.offset + 1, $0.element, .double) })
    }

    private static let values = [
        numbers("Vector3", ["x", "y", "z"]), numbers("Point3", ["x", "y", "z"]),
        numbers("Quaternion", ["x", "y", "z", "w"]), numbers("Color", ["r", "g", "b", "a"]),
        ProtoMessage(
            name: "foxglove.Pose",
            fields: [Field(1, "position", own("Vector3")), Field(2, "orientation", own("Quaternion"))]),
        ProtoMessage(name: "foxglove.KeyValuePair", fields: [Field(1, "key", .text), Field(2, "value", .text)]),
    ]

    private static let cameras = [
        ProtoMessage(
            name: image,
            fields: [time, Field(4, "frame_id", .text), Field(2, "data", .data), Field(3, "format", .text)]),
        ProtoMessage(
            name: calibration,
            fields: [
                time, Field(9, "frame_id", .text), Field(2, "width", .fixed32), Field(3, "height", .fixed32),
                Field(4, "distortion_model", .text), Field(5, "D", .double, isList: true),
                Field(6, "K", .double, isList: true), Field(7, "R", .double, isList: true),
                Field(8, "P", .double, isList: true),
            ]),
        ProtoMessage(
            name: transform,
            fields: [
                time, Field(2, "parent_frame_id", .text), Field(3, "child_frame_id", .text),
                Field(4, "translation", own("Vector3")), Field(5, "rotation", own("Quaternion")),
            ]),
    ]

    private static let scenes = [
        ProtoMessage(
            name: scene,
            fields: [
                Field(1, "deletions", own("SceneEntityDeletion"), isList: true),
                Field(2, "entities", own("SceneEntity"), isList: true),
            ]),
        ProtoMessage(
            name: "foxglove.SceneEntityDeletion", fields: [time, Field(2, "type", .choice), Field(3, "id", .text)],
            choices: ["MATCHING_ID", "ALL"]),
        ProtoMessage(
            name: "foxglove.SceneEntity",
            fields: [
                time, Field(2, "frame_id", .text), Field(3, "id", .text),
                Field(4, "lifetime", .message("google.protobuf.Duration")), Field(5, "frame_locked", .flag),
                Field(6, "metadata", own("KeyValuePair"), isList: true),
                Field(7, "arrows", own("ArrowPrimitive"), isList: true),
                Field(8, "cubes", own("CubePrimitive"), isList: true),
                Field(9, "spheres", own("SpherePrimitive"), isList: true),
                Field(10, "cylinders", own("CylinderPrimitive"), isList: true),
                Field(11, "lines", own("LinePrimitive"), isList: true),
                Field(12, "triangles", own("TriangleListPrimitive"), isList: true),
                Field(13, "texts", own("TextPrimitive"), isList: true),
                Field(14, "models", own("ModelPrimitive"), isList: true),
            ]),
    ]

    private static let pose = Field(1, "pose", own("Pose"))

    private static let primitives = [
        ProtoMessage(
            name: "foxglove.ArrowPrimitive",
            fields: [
                pose, Field(2, "shaft_length", .double), Field(3, "shaft_diameter", .double),
                Field(4, "head_length", .double), Field(5, "head_diameter", .double), Field(6, "color", own("Color")),
            ]),
        ProtoMessage(
            name: "foxglove.CubePrimitive",
            fields: [pose, Field(2, "size", own("Vector3")), Field(3, "color", own("Color"))]),
        ProtoMessage(
            name: "foxglove.SpherePrimitive",
            fields: [pose, Field(2, "size", own("Vector3")), Field(3, "color", own("Color"))]),
        ProtoMessage(
            name: "foxglove.CylinderPrimitive",
            fields: [
                pose, Field(2, "size", own("Vector3")), Field(3, "bottom_scale", .double),
                Field(4, "top_scale", .double), Field(5, "color", own("Color")),
            ]),
        ProtoMessage(
            name: "foxglove.LinePrimitive",
            fields: [
                Field(1, "type", .choice), Field(2, "pose", own("Pose")), Field(3, "thickness", .double),
                Field(4, "scale_invariant", .flag), Field(5, "points", own("Point3"), isList: true),
                Field(6, "color", own("Color")), Field(7, "colors", own("Color"), isList: true),
                Field(8, "indices", .fixed32, isList: true),
            ], choices: ["LINE_STRIP", "LINE_LOOP", "LINE_LIST"]),
        ProtoMessage(
            name: "foxglove.TriangleListPrimitive",
            fields: [
                pose, Field(2, "points", own("Point3"), isList: true), Field(3, "color", own("Color")),
                Field(4, "colors", own("Color"), isList: true), Field(5, "indices", .fixed32, isList: true),
            ]),
        ProtoMessage(
            name: "foxglove.TextPrimitive",
            fields: [
                pose, Field(2, "billboard", .flag), Field(3, "font_size", .double), Field(4, "scale_invariant", .flag),
                Field(5, "color", own("Color")), Field(6, "text", .text),
            ]),
        ProtoMessage(
            name: "foxglove.ModelPrimitive",
            fields: [
                pose, Field(2, "scale", own("Vector3")), Field(3, "color", own("Color")),
                Field(4, "override_color", .flag), Field(5, "url", .text), Field(6, "media_type", .text),
                Field(7, "data", .data),
            ]),
    ]
}
