internal import DockControl
internal import Files
internal import Geometry

/// The rows of a calibrated lens: `[camera.lens]`, `[camera2.lens]` and so on.
extension ProfileTable {
    /// The keys that a lens cannot do without.
    static let lensNeeds = ["width", "height", "fx", "fy", "cx", "cy"]

    static func lens(_ place: Int) -> [FileRow<RigProfile>] {
        typealias Lens = CalibratedLens
        func row(
            _ key: String, _ kind: FileKind, get: @escaping @Sendable (Lens) -> FileValue?,
            set: @escaping @Sendable (inout Lens, FileValue) -> Void
        ) -> FileRow<RigProfile> {
            cameraRow(place, "lens.\(key)", kind, get: { $0.lens.flatMap(get) }) { camera, value in
                var lens = camera.lens ?? .unknown
                set(&lens, value)
                camera.lens = lens
            }
        }
        func number(
            _ key: String, _ range: ClosedRange<Double>, _ path: any WritableKeyPath<Lens, Double> & Sendable
        ) -> FileRow<RigProfile> {
            row(key, .number(range), get: { .number($0[keyPath: path]) }) { $0[keyPath: path] = $1.number }
        }
        func bend(_ key: String, _ path: any WritableKeyPath<Bend, Double> & Sendable) -> FileRow<RigProfile> {
            row(key, .number(-20...20), get: { .number(Bend($0.distortion)[keyPath: path]) }) {
                var bend = Bend($0.distortion)
                bend[keyPath: path] = $1.number
                $0.distortion = bend.distortion
            }
        }
        func turn(_ key: String, _ path: any WritableKeyPath<Turn, Double> & Sendable) -> FileRow<RigProfile> {
            row(key, .number(-45...45), get: { .number(Turn($0.mount)[keyPath: path].inDegrees) }) {
                var turn = Turn($0.mount)
                turn[keyPath: path] = .degrees($1.number)
                $0.mount = turn.angles
            }
        }
        let pixels = 16.0...16_384.0, lengths = 1.0...200_000.0, places = -20_000.0...40_000.0
        return [
            number("width", pixels, \.width), number("height", pixels, \.height),
            number("fx", lengths, \.focal.x), number("fy", lengths, \.focal.y),
            number("cx", places, \.principal.x), number("cy", places, \.principal.y),
            bend("k1", \.k1), bend("k2", \.k2), bend("p1", \.p1), bend("p2", \.p2), bend("k3", \.k3),
            turn("mount_yaw", \.yaw), turn("mount_pitch", \.pitch), turn("mount_roll", \.roll),
            row("source", .text, get: { $0.source.isEmpty ? nil : .text($0.source) }) { $0.source = $1.text },
        ]
    }

    /// Returns what is wrong with a lens, by its key, although each number alone is possible.
    static func lensProblem(_ lens: CalibratedLens) -> (key: String, text: String)? {
        let (x, y) = (lens.focal.x / lens.width, lens.focal.y / lens.height)
        guard CalibratedLens.focalLengths.contains(x), CalibratedLens.focalLengths.contains(y) else {
            return ("fx", "no lens has this focal length with pictures of this size")
        }
        let (cx, cy) = (lens.principal.x / lens.width, lens.principal.y / lens.height)
        guard CalibratedLens.middles.contains(cx), CalibratedLens.middles.contains(cy) else {
            return ("cx", "the middle of the lens is too far from the picture")
        }
        return nil
    }

    /// The coefficients of a distortion, for key paths.
    private struct Bend {
        var k1, k2, p1, p2, k3: Double

        init(_ distortion: LensDistortion) {
            (k1, k2, k3) = (distortion.k1, distortion.k2, distortion.k3)
            (p1, p2) = (distortion.p1, distortion.p2)
        }

        var distortion: LensDistortion { LensDistortion(k1: k1, k2: k2, p1: p1, p2: p2, k3: k3) }
    }

    /// The angles of a mount, for key paths.
    private struct Turn {
        var yaw, pitch, roll: Double

        init(_ angles: MountAngles) { (yaw, pitch, roll) = (angles.yaw, angles.pitch, angles.roll) }

        var angles: MountAngles { MountAngles(yaw: yaw, pitch: pitch, roll: roll) }
    }
}

extension CalibratedLens {
    /// A lens whose keys have not been read yet.
    fileprivate static let unknown = CalibratedLens(
        width: 1, height: 1, focal: Point(x: 1, y: 1), principal: Point(x: 0.5, y: 0.5))
}
