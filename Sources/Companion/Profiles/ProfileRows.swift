internal import DockControl
internal import Files
internal import Geometry

/// The keys of a profile file.
enum ProfileTable {
    private typealias ProfileRow = FileRow<RigProfile>

    /// All keys except those of `[options]`, which the driver defines.
    static let rows: [FileRow<RigProfile>] =
        general + (0..<RigProfile.mostCameras).flatMap(camera) + stand + late + axis("pan", \.pan)
        + axis("tilt", \.tilt)

    private static let mounts = FileKind.oneOf(["head", "fixed"])
    private static let releases = FileKind.oneOf(["hold", "relax"])

    private static let general: [ProfileRow] = [
        ProfileRow("name", .text, required: true, get: { .text($0.name) }) { $0.name = $1.text },
        ProfileRow("driver", .text, required: true, get: { .text($0.driver) }) { $0.driver = $1.text },
        ProfileRow("source", .text, get: { .text($0.source) }) { $0.source = $1.text },
        ProfileRow("verified", .flag, get: { .flag($0.verified) }) { $0.verified = $1.flag },
        ProfileRow("match.serial", .text, get: { $0.matchSerial.isEmpty ? nil : .text($0.matchSerial) }) {
            $0.matchSerial = $1.text
        },
        ProfileRow("serial.baud", .whole(300...4_000_000), get: { .number(Double($0.serial.baud)) }) {
            $0.serial.baud = Int($1.number)
        },
        ProfileRow("serial.dtr", .flag, get: { .flag($0.serial.dtr) }) { $0.serial.dtr = $1.flag },
        milliseconds("serial.settle_ms", 10_000, within: \.serial, \.settle),
        milliseconds("link.latency_ms", 500, within: \.self, \.commandLatency),
        ProfileRow("link.rate_hz", .number(10...60), get: { .number($0.refreshRate) }) { $0.refreshRate = $1.number },
    ]

    private static let late: [ProfileRow] = [
        ProfileRow("display.mount", mounts, get: { .text($0.display.rawValue) }) {
            $0.display = RigProfile.Mount(rawValue: $1.text) ?? .fixed
        },
        ProfileRow("safety.on_estop", releases, get: { .text($0.safety.onEmergencyStop.rawValue) }) {
            $0.safety.onEmergencyStop = RigProfile.Release(rawValue: $1.text) ?? .hold
        },
        ProfileRow("safety.on_exit", releases, get: { .text($0.safety.onExit.rawValue) }) {
            $0.safety.onExit = RigProfile.Release(rawValue: $1.text) ?? .hold
        },
        ProfileRow(
            "safety.arming", .oneOf(["careful", "now"]), get: { $0.safety.arming.map { .text($0.rawValue) } }
        ) {
            $0.safety.arming = RigProfile.Arming(rawValue: $1.text)
        },
    ]

    /// The rows of one camera: `[camera]`, then `[camera2]` and so on. Those that are not described are not written.
    private static func camera(_ place: Int) -> [ProfileRow] {
        func row(
            _ key: String, _ kind: FileKind, get: @escaping @Sendable (RigProfile.Camera) -> FileValue,
            set: @escaping @Sendable (inout RigProfile.Camera, FileValue) -> Void
        ) -> ProfileRow { cameraRow(place, key, kind, get: { .some(get($0)) }, set: set) }
        func angle(_ key: String, _ range: ClosedRange<Double>, _ path: NumberPath<RigProfile.Camera>) -> ProfileRow {
            row(key, .number(range), get: { .number($0[keyPath: path].inDegrees) }) {
                $0[keyPath: path] = .degrees($1.number)
            }
        }
        return [
            angle("hfov", 10...170, \.horizontalFieldOfView),
            row("mirror", .flag, get: { .flag($0.mirror) }) { $0.mirror = $1.flag },
            row("rotate", .whole(0...270), get: { .number(Double($0.rotate)) }) { $0.rotate = Int($1.number) },
            row("latency_ms", .number(0...500), get: { .number($0.latency * 1000) }) { $0.latency = $1.number / 1000 },
            row("mount", mounts, get: { .text($0.mount.rawValue) }) {
                $0.mount = RigProfile.Mount(rawValue: $1.text) ?? .head
            },
            angle("pan_offset", -180...180, \.offset.pan),
            angle("tilt_offset", -90...90, \.offset.tilt),
        ] + lens(place)
    }

    /// Returns a row of the camera's table. A value of nil is not written.
    static func cameraRow(
        _ place: Int, _ key: String, _ kind: FileKind,
        get: @escaping @Sendable (RigProfile.Camera) -> FileValue?,
        set: @escaping @Sendable (inout RigProfile.Camera, FileValue) -> Void
    ) -> FileRow<RigProfile> {
        FileRow<RigProfile>(
            "\(RigProfile.cameraTable(at: place)).\(key)", kind,
            get: { place == 0 ? get($0.camera) : $0.otherCameras[place].flatMap(get) }
        ) { profile, value in
            if place == 0 {
                set(&profile.camera, value)
            } else {
                set(&profile.otherCameras[place, default: RigProfile.Camera()], value)
            }
        }
    }

    private typealias AxisPath = any WritableKeyPath<RigProfile, RigProfile.AxisProfile> & Sendable
    private typealias NumberPath<Whole> = any WritableKeyPath<Whole, Double> & Sendable

    private static func axis(_ name: String, _ path: AxisPath) -> [ProfileRow] {
        [
            ProfileRow(
                name + ".min", .number(-360...360), required: true,
                get: { .number($0[keyPath: path].range.lowerBound.inDegrees) }
            ) {
                let low = Double.degrees($1.number)
                $0[keyPath: path].range = low...max(low, $0[keyPath: path].range.upperBound)
            },
            ProfileRow(
                name + ".max", .number(-360...360), required: true,
                get: { .number($0[keyPath: path].range.upperBound.inDegrees) }
            ) {
                let high = Double.degrees($1.number)
                $0[keyPath: path].range = min(high, $0[keyPath: path].range.lowerBound)...high
            },
            angle(name + ".soft_margin", 0...45, within: path, \.softMargin),
            angle(name + ".max_speed", 1...1000, within: path, \.maxSpeed, required: true),
            angle(name + ".max_acceleration", 1...20_000, within: path, \.maxAcceleration, required: true),
            angle(name + ".max_jerk", 1...2_000_000, within: path, \.maxJerk),
            ProfileRow(name + ".max_torque", .number(1...100), get: { .number($0[keyPath: path].maxTorque) }) {
                $0[keyPath: path].maxTorque = $1.number
            },
            milliseconds(name + ".lag_ms", 1000, within: path, \.lag),
            ProfileRow(name + ".invert", .flag, get: { .flag($0[keyPath: path].invert) }) {
                $0[keyPath: path].invert = $1.flag
            },
            angle(name + ".home", -360...360, within: path, \.home),
        ]
    }

    /// Returns a row with degrees (or degrees per second and so on) in the file and radians in the profile.
    private static func angle<Part>(
        _ name: String, _ range: ClosedRange<Double>, within part: any WritableKeyPath<RigProfile, Part> & Sendable,
        _ path: NumberPath<Part>, required: Bool = false
    ) -> ProfileRow {
        ProfileRow(
            name, .number(range), required: required, get: { .number($0[keyPath: part][keyPath: path].inDegrees) }
        ) {
            $0[keyPath: part][keyPath: path] = .degrees($1.number)
        }
    }

    /// Returns a row with milliseconds in the file and seconds in the profile.
    private static func milliseconds<Part>(
        _ name: String, _ most: Double, within part: any WritableKeyPath<RigProfile, Part> & Sendable,
        _ path: NumberPath<Part>
    ) -> ProfileRow {
        ProfileRow(name, .number(0...most), get: { .number($0[keyPath: part][keyPath: path] * 1000) }) {
            $0[keyPath: part][keyPath: path] = $1.number / 1000
        }
    }
}
