public import ControlProtocol
public import DockTypes
public import Geometry

/// The face, the camera, and what a program shows. All of these throw the daemon's error, `notConnected`, or `timeout`.
extension Dock {
    /// Shows an expression by its name. Returns the name of the one that is shown.
    @discardableResult
    public func setExpression(_ name: String) async throws(DockError) -> String {
        try await member("setExpression", ["name": .string(name)], "expression") { $0.string }
    }

    /// Shows the next expression. Returns its name.
    @discardableResult
    public func nextExpression() async throws(DockError) -> String {
        try await member("setExpression", ["next": .bool(true)], "expression") { $0.string }
    }

    /// Lets the face change by itself, or not.
    public func setRandomExpressionsEnabled(_ isEnabled: Bool) async throws(DockError) {
        _ = try await call("setExpression", ["random": .bool(isEnabled)])
    }

    /// Lets the head move a little with expressions, or not. Returns whether it does.
    @discardableResult
    public func setGesturesEnabled(_ isEnabled: Bool) async throws(DockError) -> Bool {
        try await member("setGesturesEnabled", ["enabled": .bool(isEnabled)], "gestures") { $0.bool }
    }

    /// Sets the camera's zoom factor, 1...8. Returns it.
    @discardableResult
    public func setZoom(_ factor: Double) async throws(DockError) -> Double {
        try await member("setZoom", ["factor": .number(factor)], "magnification") { $0.number }
    }

    /// Changes the camera's zoom by steps of 0.2; above 0 zooms in. Returns the factor.
    @discardableResult
    public func zoom(steps: Int) async throws(DockError) -> Double {
        try await member("setZoom", ["steps": .number(steps)], "magnification") { $0.number }
    }

    /// Begins or ends the camera's recording; nil toggles it. Returns whether it records.
    @discardableResult
    public func setShutter(isOpen: Bool? = nil) async throws(DockError) -> Bool {
        try await member("setShutter", isOpen.map { ["open": .bool($0)] } ?? [:], "recording") { $0.bool }
    }

    /// Selects the next camera. Returns its number.
    @discardableResult
    public func flipCamera() async throws(DockError) -> Int {
        try await member("flipCamera", [:], "device") { $0.integer }
    }

    /// Draws over the picture for a short time. Set it again before the time is over.
    /// - Parameters:
    ///   - name: 1 to 32 of a-z 0-9 _ -. The same name replaces the layer.
    ///   - items: at most 512; none remove the layer.
    ///   - space: the picture, or the room in metres.
    ///   - time: how long it is drawn, at most 2 seconds.
    public func setLayer(
        _ name: String, _ items: [LayerItem], in space: LayerSpace = .picture, for time: Seconds = 1
    ) async throws(DockError) {
        _ = try await core.call(
            "setLayer",
            [
                "name": .string(name), "items": .array(items.map { $0.json(in: space) }),
                "space": .string(space.rawValue), "ttl": .number(time),
            ], timeout: 10, feature: "layers")
    }

    /// Removes a layer.
    public func removeLayer(_ name: String) async throws(DockError) { try await setLayer(name, []) }

    /// Shows what this program does: "record", "live", "link" or another name. It is shown until it is set to `off` or
    /// the connection is closed, and again after a reconnection.
    /// - Returns: whether the daemon has a screen that shows it. Without one, people near the robot cannot know what the
    ///   program does.
    @discardableResult
    public func setIndicator(
        _ name: String, _ state: IndicatorState, text: String = ""
    ) async throws(DockError) -> Bool {
        let parameters: [String: JSONValue] = [
            "name": .string(name), "state": .string(state.rawValue), "text": .string(text),
        ]
        // Remembered first: if the connection is lost meanwhile, the new one gets what the program wanted last.
        core.remember(indicator: name, parameters, isOff: state == .off)
        do throws(DockError) {
            let answer = try await core.call("setIndicator", parameters, timeout: 10, feature: "indicators")
            return try answer.result.get()["shown"]?.bool ?? false
        } catch {
            if error.code != .notConnected, error.code != .timeout {
                core.remember(indicator: name, [:], isOff: true)
            }
            throw error
        }
    }

    /// Reports the state of this program as an extension of the daemon. Report again before the time is over;
    /// otherwise it counts as silent, and a daemon that has started it ends it.
    /// - Parameters:
    ///   - name: 1 to 32 of a-z 0-9 _ -.
    ///   - state: one of `ExtensionState.reported`.
    ///   - version: the program's version.
    ///   - text: the reason for the state, for people; at most 80 bytes.
    ///   - time: until the next report, at most 60 seconds.
    public func setExtension(
        _ name: String, _ state: ExtensionState, version: String = "", text: String = "", for time: Seconds = 10
    ) async throws(DockError) {
        let parameters: [String: JSONValue] = [
            "name": .string(name), "state": .string(state.rawValue), "version": .string(version),
            "text": .string(text), "ttl": .number(time),
        ]
        _ = try await core.call("setExtension", parameters, timeout: 10, feature: "extensions")
    }

    /// Reports how far subjects are, as a depth camera has measured it. Report again before the time is over; what is not
    /// reported again no longer counts.
    /// - Parameters:
    ///   - distances: by the number of the subject, from topic `tracking`; at most 32. Their source is always `depth`.
    ///   - nearest: how far the nearest thing in front of the camera is, in metres, if that was measured.
    ///   - time: how long the report counts, at most 2 seconds.
    /// - Returns: the number of these subjects that are in view.
    @discardableResult
    public func setDistances(
        _ distances: [Int: SubjectDistance], nearest: Double? = nil, for time: Seconds = 0.5
    ) async throws(DockError) -> Int {
        let items = distances.sorted { $0.key < $1.key }.map { id, distance in
            JSONValue.object([
                "id": .number(id), "distance": .number(distance.metres), "error": .number(orNull: distance.error),
            ])
        }
        let parameters: [String: JSONValue] = [
            "distances": .array(items), "nearest": .number(orNull: nearest), "ttl": .number(time),
        ]
        return try await core.call("setDistances", parameters, timeout: 10, feature: "distances").result.get()["used"]?
            .integer ?? 0
    }

    /// Offers a sentence to programs that speak. Returns whether one listens.
    /// - Parameter direction: where the thing is that the sentence is about, as pan and tilt of the dock in radians.
    @discardableResult
    public func say(
        _ text: String, urgency: CueUrgency = .normal, direction: PanTilt? = nil
    ) async throws(DockError) -> Bool {
        var parameters: [String: JSONValue] = ["text": .string(text), "urgency": .string(urgency.rawValue)]
        parameters["direction"] = direction.map(JSONValue.panTilt)
        return try await core.call("say", parameters, timeout: 10, feature: "cues").result.get()["heard"]?.bool ?? false
    }

    /// Offers a sound, by name, to programs that play sounds. Returns whether one listens.
    /// - Parameter direction: where the thing is that the sound is about, as pan and tilt of the dock in radians.
    @discardableResult
    public func cue(_ name: String, direction: PanTilt? = nil) async throws(DockError) -> Bool {
        var parameters: [String: JSONValue] = ["name": .string(name)]
        parameters["direction"] = direction.map(JSONValue.panTilt)
        return try await core.call("cue", parameters, timeout: 10, feature: "cues").result.get()["heard"]?.bool ?? false
    }
}
