internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Geometry

/// The initial state of a loop in a trace's header: the profile as the text of its file, and everything else that a
/// rerun needs.
enum TraceRun {
    static func add(_ run: TraceAbout, to line: inout TraceLineBuilder) {
        let options = run.options, text = ProfileWriter.text(of: options.profile)
        line.add("profile", text)
        // A profile from a file survives writing and reading. A profile that was created by a program may have numbers
        // that change in the conversion to degrees, so they are added exactly.
        if (try? ProfileReader.read(text, file: "")) != options.profile {
            var exact = TraceObject()
            for (name, path) in ExactNumbers.all {
                exact.add(name, TraceLineBuilder.number(options.profile[keyPath: path]))
            }
            line.add("exact", raw: exact.bytes)
        }
        var about = TraceObject()
        about.add("checked", JSONValue.array(options.checkedDocks.sorted().map(JSONValue.string)).bytes)
        about.add("dryRun", JSONValue.bool(options.dryRun).bytes)
        if options.cameraIsElsewhere { about.add("elsewhere", JSONValue.bool(true).bytes) }
        about.add("guard", JSONValue.bool(run.hasGuard).bytes)
        about.add("hardware", (run.isHardware.map(JSONValue.bool) ?? .null).bytes)
        about.add("input", JSONValue.bool(run.hasInput).bytes)
        about.add("latched", JSONValue.string(orNull: options.latched?.rawValue).bytes)
        about.add("mode", JSONValue.string(options.mode.rawValue).bytes)
        let policy = options.policy
        var following = TraceObject()
        following.add("goesHome", JSONValue.bool(policy.goesHome).bytes)
        following.add("greets", JSONValue.bool(policy.greets).bytes)
        following.add("holdTime", TraceLineBuilder.number(policy.holdTime))
        following.add("homeSpeed", TraceLineBuilder.number(policy.homeSpeed))
        following.add("searchSpeed", TraceLineBuilder.number(policy.searchSpeed))
        following.add("searchTime", TraceLineBuilder.number(policy.searchTime))
        following.add("searches", JSONValue.bool(policy.searches).bytes)
        about.add("policy", following.bytes)
        about.add("released", JSONValue.bool(options.released).bytes)
        if run.reportsPortChanges { about.add("ports", JSONValue.bool(true).bytes) }
        line.add("run", raw: about.bytes)
    }

    /// Reads the initial state. The result is nil if the header has no run, or a profile that this program cannot read.
    static func read(_ header: JSONValue) -> TraceAbout? {
        guard let text = header["profile"]?.string, let run = header["run"],
            var profile = try? ProfileReader.read(text, file: "profile"),
            let mode = run["mode"]?.string.flatMap(TrackingMode.init)
        else { return nil }
        if let exact = header["exact"] {
            for (name, path) in ExactNumbers.all {
                // Traces from before the calibrated lens do not have its angles.
                if exact[name] == nil, name.hasPrefix("mount") { continue }
                guard let number = exact[name]?.number, (-1e6...1e6).contains(number) else { return nil }
                profile[keyPath: path] = number
            }
        }
        var options = LoopOptions(profile: profile, mode: mode)
        options.dryRun = run["dryRun"]?.bool ?? false
        options.cameraIsElsewhere = run["elsewhere"]?.bool ?? false
        options.released = run["released"]?.bool ?? false
        options.latched = run["latched"]?.string.flatMap(DockFault.init)
        options.checkedDocks = Set((run["checked"]?.array ?? []).compactMap(\.string))
        // Traces from before the greeting do not mention it.
        options.policy.greets = run["policy"]?["greets"]?.bool ?? false
        if let policy = run["policy"] {
            options.policy.goesHome = policy["goesHome"]?.bool ?? options.policy.goesHome
            options.policy.searches = policy["searches"]?.bool ?? options.policy.searches
            func number(_ name: String, _ usual: Double) -> Double {
                policy[name]?.number.flatMap { (0...1e6).contains($0) ? $0 : nil } ?? usual
            }
            options.policy.holdTime = number("holdTime", options.policy.holdTime)
            options.policy.homeSpeed = number("homeSpeed", options.policy.homeSpeed)
            options.policy.searchSpeed = number("searchSpeed", options.policy.searchSpeed)
            options.policy.searchTime = number("searchTime", options.policy.searchTime)
        }
        return TraceAbout(
            options: options, isHardware: run["hardware"]?.bool, hasGuard: run["guard"]?.bool ?? false,
            hasInput: run["input"]?.bool ?? true,
            reportsPortChanges: run["ports"]?.bool ?? false)
    }
}

/// A JSON object of a trace, with its members in the order in which they are added.
struct TraceObject {
    private var members: [UInt8] = []

    mutating func add(_ name: String, _ value: [UInt8]) {
        if !members.isEmpty { members.append(UInt8(ascii: ",")) }
        members += #""\#(name)":"#.utf8
        members += value
    }

    var bytes: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }
}

/// The numbers of a profile in internal units: radians and seconds.
private enum ExactNumbers {
    typealias Path = any WritableKeyPath<RigProfile, Double> & Sendable

    static let all: [(name: String, path: Path)] =
        [
            ("settle", \.serial.settle), ("commandLatency", \.commandLatency), ("refreshRate", \.refreshRate),
            ("horizontalFieldOfView", \.camera.horizontalFieldOfView), ("cameraLatency", \.camera.latency),
            ("panOffset", \.camera.offset.pan), ("tiltOffset", \.camera.offset.tilt),
            ("mountYaw", \.camera.mountYaw), ("mountPitch", \.camera.mountPitch), ("mountRoll", \.camera.mountRoll),
        ] + pan + tilt

    private static let pan: [(name: String, path: Path)] = [
        ("panLow", \.pan.low), ("panHigh", \.pan.high), ("panMargin", \.pan.softMargin), ("panSpeed", \.pan.maxSpeed),
        ("panAcceleration", \.pan.maxAcceleration), ("panJerk", \.pan.maxJerk), ("panTorque", \.pan.maxTorque),
        ("panLag", \.pan.lag), ("panHome", \.pan.home),
    ]

    private static let tilt: [(name: String, path: Path)] = [
        ("tiltLow", \.tilt.low), ("tiltHigh", \.tilt.high), ("tiltMargin", \.tilt.softMargin),
        ("tiltSpeed", \.tilt.maxSpeed), ("tiltAcceleration", \.tilt.maxAcceleration), ("tiltJerk", \.tilt.maxJerk),
        ("tiltTorque", \.tilt.maxTorque), ("tiltLag", \.tilt.lag), ("tiltHome", \.tilt.home),
    ]
}

extension RigProfile.AxisProfile {
    fileprivate var low: Double {
        get { range.lowerBound }
        set { range = newValue...max(newValue, range.upperBound) }
    }
    fileprivate var high: Double {
        get { range.upperBound }
        set { range = min(newValue, range.lowerBound)...newValue }
    }
}

/// The angles of a calibrated lens' mount, 0 without a lens.
extension RigProfile.Camera {
    fileprivate var mountYaw: Double {
        get { lens?.mount.yaw ?? 0 }
        set { turn { MountAngles(yaw: newValue, pitch: $0.pitch, roll: $0.roll) } }
    }
    fileprivate var mountPitch: Double {
        get { lens?.mount.pitch ?? 0 }
        set { turn { MountAngles(yaw: $0.yaw, pitch: newValue, roll: $0.roll) } }
    }
    fileprivate var mountRoll: Double {
        get { lens?.mount.roll ?? 0 }
        set { turn { MountAngles(yaw: $0.yaw, pitch: $0.pitch, roll: newValue) } }
    }

    private mutating func turn(_ change: (MountAngles) -> MountAngles) {
        guard let mount = lens?.mount else { return }
        lens?.mount = change(mount)
    }
}
