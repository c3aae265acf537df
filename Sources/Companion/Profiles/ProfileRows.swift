internal import DockControl
internal import Geometry

/// One key of a profile: where it stands, what it may hold, what it sets. The table is the file format.
struct ProfileRow: Sendable {
    enum Kind: Sendable {
        case text
        case oneOf([String])
        case flag
        case number(ClosedRange<Double>)
        case whole(ClosedRange<Double>)
    }

    enum Value: Sendable {
        case text(String)
        case flag(Bool)
        case number(Double)

        var text: String { if case .text(let value) = self { value } else { "" } }
        var flag: Bool { if case .flag(let value) = self { value } else { false } }
        var number: Double { if case .number(let value) = self { value } else { 0 } }
    }

    /// Tables and key: ["pan", "min"].
    let path: [String]
    let kind: Kind
    let required: Bool
    let set: @Sendable (inout RigProfile, Value) -> Void

    init(
        _ path: String, _ kind: Kind, required: Bool = false,
        set: @escaping @Sendable (inout RigProfile, Value) -> Void
    ) {
        self.path = path.split(separator: ".").map(String.init)
        self.kind = kind
        self.required = required
        self.set = set
    }

    var name: String { path.joined(separator: ".") }

    /// Every key but those of `[options]`, which the driver knows.
    static let all: [ProfileRow] = general + axis("pan", \.pan) + axis("tilt", \.tilt)

    private static let mounts = Kind.oneOf(["head", "fixed"])
    private static let releases = Kind.oneOf(["hold", "relax"])

    private static let general: [ProfileRow] = [
        ProfileRow("name", .text, required: true) { $0.name = $1.text },
        ProfileRow("driver", .text, required: true) { $0.driver = $1.text },
        ProfileRow("source", .text) { $0.source = $1.text },
        ProfileRow("verified", .flag) { $0.verified = $1.flag },
        ProfileRow("match.serial", .text) { $0.matchSerial = $1.text },
        ProfileRow("serial.baud", .whole(300...4_000_000)) { $0.serial.baud = Int($1.number) },
        ProfileRow("serial.dtr", .flag) { $0.serial.dtr = $1.flag },
        ProfileRow("serial.settle_ms", .number(0...10_000)) { $0.serial.settle = $1.number / 1000 },
        ProfileRow("link.latency_ms", .number(0...500)) { $0.commandLatency = $1.number / 1000 },
        ProfileRow("link.rate_hz", .number(10...60)) { $0.refreshRate = $1.number },
        ProfileRow("camera.hfov", .number(10...170)) { $0.camera.horizontalFieldOfView = .degrees($1.number) },
        ProfileRow("camera.mirror", .flag) { $0.camera.mirror = $1.flag },
        ProfileRow("camera.rotate", .whole(0...270)) { $0.camera.rotate = Int($1.number) },
        ProfileRow("camera.latency_ms", .number(0...500)) { $0.camera.latency = $1.number / 1000 },
        ProfileRow("camera.mount", mounts) { $0.camera.mount = RigProfile.Mount(rawValue: $1.text) ?? .head },
        ProfileRow("camera.pan_offset", .number(-180...180)) { $0.camera.offset.pan = .degrees($1.number) },
        ProfileRow("camera.tilt_offset", .number(-90...90)) { $0.camera.offset.tilt = .degrees($1.number) },
        ProfileRow("display.mount", mounts) { $0.display = RigProfile.Mount(rawValue: $1.text) ?? .fixed },
        ProfileRow("safety.on_estop", releases) {
            $0.safety.onEmergencyStop = RigProfile.Release(rawValue: $1.text) ?? .hold
        },
        ProfileRow("safety.on_exit", releases) { $0.safety.onExit = RigProfile.Release(rawValue: $1.text) ?? .hold },
        ProfileRow("safety.arming", .oneOf(["careful", "now"])) {
            $0.safety.arming = RigProfile.Arming(rawValue: $1.text)
        },
    ]

    private static func axis(
        _ name: String, _ path: any WritableKeyPath<RigProfile, RigProfile.AxisProfile> & Sendable
    ) -> [ProfileRow] {
        [
            ProfileRow(name + ".min", .number(-360...360), required: true) {
                let low = Double.degrees($1.number)
                $0[keyPath: path].range = low...max(low, $0[keyPath: path].range.upperBound)
            },
            ProfileRow(name + ".max", .number(-360...360), required: true) {
                let high = Double.degrees($1.number)
                $0[keyPath: path].range = min(high, $0[keyPath: path].range.lowerBound)...high
            },
            ProfileRow(name + ".soft_margin", .number(0...45)) { $0[keyPath: path].softMargin = .degrees($1.number) },
            ProfileRow(name + ".max_speed", .number(1...1000), required: true) {
                $0[keyPath: path].maxSpeed = .degrees($1.number)
            },
            ProfileRow(name + ".max_acceleration", .number(1...20_000), required: true) {
                $0[keyPath: path].maxAcceleration = .degrees($1.number)
            },
            ProfileRow(name + ".max_jerk", .number(1...2_000_000)) { $0[keyPath: path].maxJerk = .degrees($1.number) },
            ProfileRow(name + ".max_torque", .number(1...100)) { $0[keyPath: path].maxTorque = $1.number },
            ProfileRow(name + ".lag_ms", .number(0...1000)) { $0[keyPath: path].lag = $1.number / 1000 },
            ProfileRow(name + ".invert", .flag) { $0[keyPath: path].invert = $1.flag },
            ProfileRow(name + ".home", .number(-360...360)) { $0[keyPath: path].home = .degrees($1.number) },
        ]
    }
}
