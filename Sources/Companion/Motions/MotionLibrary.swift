public import DockControl
public import DockTypes
public import Geometry

/// Named poses and motions taught by hand. This is a value, which `MotionStore` stores.
public struct MotionLibrary: Sendable, Equatable {
    /// The poses by name, in radians.
    public private(set) var presets: [String: PanTilt] = [:]
    /// The motions by name, which flow through their keys.
    public private(set) var taught: [String: MotionScript] = [:]

    /// The maximum number of presets, and of taught motions.
    public static let capacity = 100
    /// The maximum number of keys of a taught motion.
    public static let mostKeys = 200
    /// The maximum duration of a taught motion, in seconds.
    public static let longest: Seconds = 60
    /// The maximum distance of a key from the start, in degrees.
    static let farthest = 360.0
    /// The minimum time between keys, in seconds.
    static let shortestStep: Seconds = 0.01

    /// Creates an empty library.
    public init() {}

    /// Checks a name for a pose: 1 to 32 of a-z 0-9 _ -.
    /// - Throws: `invalidParameter` with a suggested valid name.
    public static func check(_ name: String) throws(DockError) {
        guard MotionName.isRight(name) else { throw MotionName.refusal(name) }
    }

    /// Checks a name for a taught motion. The rules of `check` apply, and it must not be the name of a built-in motion.
    /// - Throws: `invalidParameter`.
    public static func checkTaught(_ name: String) throws(DockError) {
        try check(name)
        guard MotionScript.Name(word: name) == nil else {
            throw DockError(
                .invalidParameter, "\"\(name)\" is a built-in motion",
                hint: "use another name: `my-\(name)`")
        }
    }

    // MARK: presets

    /// Returns the pose with this name, in radians.
    /// - Throws: `invalidParameter` with the nearest name.
    public func preset(_ name: String) throws(DockError) -> PanTilt {
        guard let pose = presets[name] else { throw MotionName.missing("preset", name, among: Array(presets.keys)) }
        return pose
    }

    /// Stores a pose (radians) under a name and replaces an existing one.
    /// - Throws: `invalidParameter` for an invalid name or pose, and if the library is full.
    public mutating func savePreset(_ name: String, at pose: PanTilt) throws(DockError) {
        try Self.check(name)
        guard pose.pan.isFinite, pose.tilt.isFinite, pose.magnitude <= .degrees(Self.farthest) else {
            throw DockError(
                .invalidParameter, "a preset must be a pose within 360 degrees", hint: "`status` shows the pose")
        }
        guard presets[name] != nil || presets.count < Self.capacity else { throw Self.full("presets") }
        presets[name] = pose
    }

    /// Deletes a pose.
    /// - Throws: `invalidParameter` with the nearest name.
    public mutating func deletePreset(_ name: String) throws(DockError) {
        _ = try preset(name)
        presets[name] = nil
    }

    // MARK: motions

    /// Returns the motion with this name, built-in ("no" is "nope") or taught.
    /// - Throws: `invalidParameter` with the nearest name.
    public func script(named name: String) throws(DockError) -> MotionScript {
        if let builtIn = MotionScript.Name(word: name) { return .named(builtIn) }
        guard let script = taught[name] else {
            throw MotionName.missing("motion", name, among: MotionScript.Name.allCases.map(\.rawValue) + taught.keys)
        }
        return script
    }

    /// Stores a taught motion under its own name and replaces an existing one.
    /// - Throws: `invalidParameter` for an invalid name or invalid keys, and if the library is full.
    public mutating func save(_ script: MotionScript) throws(DockError) {
        try Self.checkTaught(script.name)
        if let wrong = Self.problem(of: script) {
            throw DockError(
                .invalidParameter, "\"\(script.name)\" is not a valid motion: \(wrong)", hint: "teach it again")
        }
        guard taught[script.name] != nil || taught.count < Self.capacity else { throw Self.full("taught motions") }
        taught[script.name] = script
    }

    /// Deletes a taught motion.
    /// - Throws: `invalidParameter` with the nearest name, and for built-in motions.
    public mutating func deleteTaught(_ name: String) throws(DockError) {
        if MotionScript.Name(word: name) != nil {
            throw DockError(
                .invalidParameter, "\"\(name)\" is a built-in motion", hint: "only taught motions can be deleted")
        }
        guard taught[name] != nil else {
            throw MotionName.missing("taught motion", name, among: Array(taught.keys))
        }
        taught[name] = nil
    }

    /// Returns the problem with the keys of a motion, or nil if there is none.
    static func problem(of script: MotionScript) -> String? {
        let keys = script.keys
        guard script.path == .flowing, keys.allSatisfy({ $0.level == 0 }) else {
            return "its path must be flowing, and no key may turn the head to level"
        }
        guard (2...mostKeys).contains(keys.count) else { return "it must have 2 to \(mostKeys) keys" }
        guard let first = keys.first, first.time == 0, first.pan == 0, first.tilt == 0 else {
            return "its first key must be at 0 s with no offset"
        }
        for (index, key) in keys.enumerated() {
            guard abs(key.pan) <= farthest, abs(key.tilt) <= farthest, key.time <= longest else {
                return "key \(index + 1) must be within \(Int(farthest)) degrees and \(Int(longest)) s"
            }
            guard index == 0 || key.time - keys[index - 1].time >= shortestStep - 1e-9 else {
                return "key \(index + 1) must be at least \(shortestStep) s after the previous one"
            }
        }
        return nil
    }

    private static func full(_ what: String) -> DockError {
        DockError(.invalidParameter, "there are already \(capacity) \(what)", hint: "delete one first")
    }
}
