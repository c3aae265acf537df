public import ControlProtocol
public import DockTypes
public import Geometry

/// A change of an axis' limits.
public enum LimitSetting: Sendable, Equatable {
    /// Leaves them as they are.
    case keep
    /// The rig's own.
    case own
    /// A range in radians, and the greatest speed in rad/s or nil for the rig's own.
    case set(ClosedRange<Double>, speed: Double? = nil)

    fileprivate var json: JSONValue? {
        switch self {
        case .keep: return nil
        case .own: return .null
        case .set(let range, let speed):
            var members: [String: JSONValue] = ["min": .number(range.lowerBound), "max": .number(range.upperBound)]
            members["speed"] = speed.map { .number($0) }
            return .object(members)
        }
    }

    /// The parameters of `setLimits`.
    package static func parameters(pan: LimitSetting, tilt: LimitSetting) -> [String: JSONValue] {
        var parameters: [String: JSONValue] = [:]
        (parameters["pan"], parameters["tilt"]) = (pan.json, tilt.json)
        return parameters
    }
}

/// What moves the head, and what stops it. All of these throw the daemon's error, `notConnected`, or `timeout`.
extension Dock {
    /// Stops at once, holds, and selects `manual`. Every program may do this at any time. Returns the mode.
    @discardableResult
    public func stop() async throws(DockError) -> TrackingMode { try await word("stop", [:], "mode") }

    /// Stops at once, and latches until `clearFault`. Every program may do this at any time.
    public func emergencyStop() async throws(DockError) { _ = try await call("emergencyStop") }

    /// Clears a latched stop or fault. Returns the mode.
    @discardableResult
    public func clearFault() async throws(DockError) -> TrackingMode { try await word("clearFault", [:], "mode") }

    /// Turns with a velocity in rad/s, for some seconds.
    @discardableResult
    public func setAngularVelocity(_ velocity: PanTilt, for seconds: Seconds = 0.5) async throws(DockError)
        -> DockMotion
    {
        try await motion(
            "setAngularVelocity",
            ["pan": .number(velocity.pan), "tilt": .number(velocity.tilt), "for": .number(seconds)])
    }

    /// Goes to a pose, in mode `manual`.
    /// - Parameters:
    ///   - pose: in radians.
    ///   - duration: in seconds; 0 is as fast as allowed.
    ///   - isRelative: whether the pose counts from the present one.
    @discardableResult
    public func setOrientation(
        _ pose: PanTilt, duration: Seconds = 0, isRelative: Bool = false
    ) async throws(DockError) -> DockMotion {
        try await motion(
            "setOrientation",
            [
                "pan": .number(pose.pan), "tilt": .number(pose.tilt), "duration": .number(duration),
                "relative": .bool(isRelative),
            ])
    }

    /// Goes to the home pose, in mode `manual`.
    @discardableResult
    public func home() async throws(DockError) -> DockMotion { try await motion("home") }

    /// Plays a built-in or taught motion: "yes", "no", "wakeup", "kapow", ... The previous mode returns afterwards.
    @discardableResult
    public func animate(_ name: String) async throws(DockError) -> DockMotion {
        try await motion("animate", ["motion": .string(name)])
    }

    /// Ends one motion by its number.
    public func cancelMotion(_ id: Int) async throws(DockError) {
        _ = try await call("cancelMotion", ["motion": .number(id)])
    }

    /// Narrows range and speed until the daemon ends. Returns the limits.
    @discardableResult
    public func setLimits(
        pan: LimitSetting = .keep, tilt: LimitSetting = .keep
    ) async throws(DockError) -> LimitsReading {
        let parameters = LimitSetting.parameters(pan: pan, tilt: tilt)
        // Without parameters the call resets both.
        guard !parameters.isEmpty else {
            guard let limits = try await status().accessory.limits else { throw Self.unreadable("limits", .null) }
            return limits
        }
        return try await member("setLimits", parameters, "limits") { LimitsReading(json: $0) }
    }

    /// Sets the speed of manual motion, 0.01...1. Returns it.
    @discardableResult
    public func setSpeed(_ share: Double) async throws(DockError) -> Double {
        try await member("setSpeed", ["share": .number(share)], "share") { $0.number }
    }

    /// Switches the torque; without torque, the head can be turned by hand. Returns whether it is on.
    @discardableResult
    public func setTorqueEnabled(_ isEnabled: Bool) async throws(DockError) -> Bool {
        try await member("setTorqueEnabled", ["enabled": .bool(isEnabled)], "torque") { $0.bool }
    }

    /// Names the present pose.
    public func savePreset(_ name: String) async throws(DockError) { _ = try await named("savePreset", name) }

    /// Goes to a named pose, in mode `manual`.
    @discardableResult
    public func goToPreset(_ name: String) async throws(DockError) -> DockMotion {
        try await motion("goToPreset", ["name": .string(name)])
    }

    /// Forgets a named pose.
    public func deletePreset(_ name: String) async throws(DockError) { _ = try await named("deletePreset", name) }

    /// Lists the named poses, in radians.
    public func presets() async throws(DockError) -> [String: PanTilt] {
        try await member("presets", [:], "presets") { $0.object?.compactMapValues(\.panTilt) }
    }

    /// Begins to teach a motion: the torque is switched off, and a person moves the head.
    public func recordMotion(_ name: String) async throws(DockError) { _ = try await named("recordMotion", name) }

    /// Ends the teaching, and keeps the motion or not. Returns its duration in seconds.
    @discardableResult
    public func finishRecording(keep: Bool = true) async throws(DockError) -> Double {
        try await member("finishRecording", ["keep": .bool(keep)], "duration") { $0.number }
    }

    /// Lists the taught and built-in motions with their durations in seconds.
    public func motions() async throws(DockError) -> [String: Double] {
        try await member("motions", [:], "motions") { $0.object?.compactMapValues { $0["duration"]?.number } }
    }

    /// Forgets a taught motion.
    public func deleteMotion(_ name: String) async throws(DockError) { _ = try await named("deleteMotion", name) }
}
