public import DockControl
public import Geometry

/// Poses with names and motions that were taught by hand: a value; `MotionStore` keeps it.
public struct MotionLibrary: Sendable, Equatable {
    /// Poses by name, radians.
    public private(set) var presets: [String: PanTilt] = [:]
    /// Motions by name, flowing through their keys.
    public private(set) var taught: [String: MotionScript] = [:]

    /// At most so many of each.
    public static let capacity = 100
    /// A taught motion has at most so many keys ...
    public static let mostKeys = 200
    /// ... and lasts at most so long, seconds.
    public static let longest: Seconds = 60
    /// ... and no key lies further from its start, degrees.
    static let farthest = 360.0
    /// Keys are at least so far apart, seconds.
    static let shortestStep: Seconds = 0.01

    /// Nothing is known.
    public init() {}

    /// Whether a name can be given to a pose: 1 to 32 of a-z 0-9 _ -.
    /// - Throws: `invalidParameter` with a name that would do.
    public static func check(_ name: String) throws(DockError) {
        guard MotionName.isRight(name) else { throw MotionName.refusal(name) }
    }

    /// Whether a name can be given to a taught motion: as `check`, and no built-in motion has it.
    /// - Throws: `invalidParameter`.
    public static func checkTaught(_ name: String) throws(DockError) {
        try check(name)
        guard MotionScript.Name(word: name) == nil else {
            throw DockError(
                .invalidParameter, "\"\(name)\" is a motion that every dock knows",
                hint: "use another name: `my-\(name)`")
        }
    }

    // MARK: presets

    /// The pose of this name, radians.
    /// - Throws: `invalidParameter` with the nearest name.
    public func preset(_ name: String) throws(DockError) -> PanTilt {
        guard let pose = presets[name] else { throw MotionName.missing("preset", name, among: Array(presets.keys)) }
        return pose
    }

    /// Gives a pose (radians) a name; one that has it already is replaced.
    /// - Throws: `invalidParameter` for the name, for a pose that is no number and when there is no room.
    public mutating func savePreset(_ name: String, at pose: PanTilt) throws(DockError) {
        try Self.check(name)
        guard pose.pan.isFinite, pose.tilt.isFinite, pose.magnitude <= .degrees(Self.farthest) else {
            throw DockError(
                .invalidParameter, "a preset is a pose within 360 degrees", hint: "see `status` for the pose")
        }
        guard presets[name] != nil || presets.count < Self.capacity else { throw Self.full("presets") }
        presets[name] = pose
    }

    /// Forgets a pose.
    /// - Throws: `invalidParameter` with the nearest name.
    public mutating func deletePreset(_ name: String) throws(DockError) {
        _ = try preset(name)
        presets[name] = nil
    }

    // MARK: motions

    /// The motion of this name: built in ("no" is "nope") or taught.
    /// - Throws: `invalidParameter` with the nearest name.
    public func script(named name: String) throws(DockError) -> MotionScript {
        if let builtIn = MotionScript.Name(word: name) { return .named(builtIn) }
        guard let script = taught[name] else {
            throw MotionName.missing("motion", name, among: MotionScript.Name.allCases.map(\.rawValue) + taught.keys)
        }
        return script
    }

    /// Keeps a taught motion under its own name; one that has it already is replaced.
    /// - Throws: `invalidParameter` for the name, for keys that make no flowing motion and when there is no room.
    public mutating func save(_ script: MotionScript) throws(DockError) {
        try Self.checkTaught(script.name)
        if let wrong = Self.problem(of: script) {
            throw DockError(.invalidParameter, "\"\(script.name)\" is no motion: \(wrong)", hint: "teach it anew")
        }
        guard taught[script.name] != nil || taught.count < Self.capacity else { throw Self.full("taught motions") }
        taught[script.name] = script
    }

    /// Forgets a taught motion.
    /// - Throws: `invalidParameter` with the nearest name, and for motions that are built in.
    public mutating func deleteTaught(_ name: String) throws(DockError) {
        if MotionScript.Name(word: name) != nil {
            throw DockError(
                .invalidParameter, "\"\(name)\" is built in and stays", hint: "only taught motions can be deleted")
        }
        guard taught[name] != nil else {
            throw MotionName.missing("taught motion", name, among: Array(taught.keys))
        }
        taught[name] = nil
    }

    /// What is wrong with the keys of a motion, if anything is.
    static func problem(of script: MotionScript) -> String? {
        let keys = script.keys
        guard script.path == .flowing, keys.allSatisfy({ $0.level == 0 }) else {
            return "it must flow, and keep off level"
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
                return "key \(index + 1) must be \(shortestStep) s after the one before"
            }
        }
        return nil
    }

    private static func full(_ what: String) -> DockError {
        DockError(.invalidParameter, "there are \(capacity) \(what) already", hint: "delete one first")
    }
}
