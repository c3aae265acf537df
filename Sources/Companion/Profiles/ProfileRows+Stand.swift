internal import DockControl
internal import Files
internal import Geometry

/// The rows of `[stand]`: where the rig is in the room, and the geometry of its head.
extension ProfileTable {
    static let stand: [FileRow<RigProfile>] = [
        length("x", 1000, \.x), length("y", 1000, \.y), length("z", 1000, \.z),
        FileRow("stand.heading", .number(-360...360), get: { $0.stand.map { .number($0.heading.inDegrees) } }) {
            edit(&$0, \.heading, .degrees($1.number))
        },
        length("axis_up", 10, \.axisUp), length("axis_ahead", 10, \.axisAhead), length("lens_right", 10, \.lensRight),
        length("lens_up", 10, \.lensUp), length("lens_ahead", 10, \.lensAhead),
    ]

    private typealias LengthPath = any WritableKeyPath<RigStand, Double> & Sendable

    private static func length(_ key: String, _ most: Double, _ path: LengthPath) -> FileRow<RigProfile> {
        FileRow("stand.\(key)", .number(-most...most), get: { $0.stand.map { .number($0[keyPath: path]) } }) {
            edit(&$0, path, $1.number)
        }
    }

    private static func edit(_ profile: inout RigProfile, _ path: LengthPath, _ value: Double) {
        var stand = profile.stand ?? RigStand()
        stand[keyPath: path] = value
        profile.stand = stand
    }
}
