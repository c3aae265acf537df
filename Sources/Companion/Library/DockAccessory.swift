internal import DockControl
public import DockTypes
public import Geometry

/// One dock (DockKit's accessory). `DockAccessoryManager` creates it. The object stays the same while the same dock is
/// connected.
///
/// Coordinates in the frame are normalised with the origin at the top left; angles are in radians about x (pitch,
/// positive is down) and y (yaw, positive is the dock's right). docs/DOCKKIT.md explains the differences from DockKit.
public final class DockAccessory: Sendable {
    /// The identity of the dock.
    public let identifier: Identifier
    /// The hardware model that the dock reports, or nil if not reported.
    public let hardwareModel: String?
    /// The firmware version that the dock reports, or nil if not reported.
    public let firmwareVersion: String?

    let manager: DockAccessoryManager

    init(manager: DockAccessoryManager, snapshot: AccessorySnapshot) {
        self.manager = manager
        identifier = snapshot.identifier
        (hardwareModel, firmwareVersion) = (snapshot.hardwareModel, snapshot.firmwareVersion)
    }

    // MARK: framing

    /// The position of subjects in the frame.
    public var framingMode: FramingMode { snapshot.framing }

    /// Changes the position of subjects in the frame.
    /// - Throws: `notSupportedByDevice` if the camera does not turn with the dock.
    public func setFramingMode(_ mode: FramingMode) async throws(DockError) {
        _ = try await manager.perform(.motion(.setFraming(mode)))
    }

    /// The part of the frame that is used; (0, 0, 1, 1) is the whole frame.
    public var regionOfInterest: Rect { snapshot.region }

    /// Uses only a part of the frame, inside which subjects are framed.
    /// - Throws: `invalidParameter` if the region is empty or outside the frame.
    public func setRegionOfInterest(_ region: Rect) async throws(DockError) {
        _ = try await manager.perform(.motion(.setRegion(region)))
    }

    // MARK: subjects

    /// Follows the subject at a point of the frame and returns its identifier. Nil selects automatically again.
    /// - Throws: `noSubjectFound`; the selection then remains unchanged.
    @discardableResult
    public func selectSubject(at point: Point?) async throws(DockError) -> Int? {
        guard let point else {
            try await selectSubjects([])
            return nil
        }
        guard case .subject(let id) = try await manager.perform(.tap(point)).value else { return nil }
        return id
    }

    /// Follows these subjects. An empty list selects automatically.
    /// - Throws: `noSubjectFound` if one of them is not in view.
    public func selectSubjects(_ identifiers: [Int]) async throws(DockError) {
        _ = try await manager.perform(.select(identifiers))
    }

    /// Follows the program's own observations. System tracking must be off. Call it 10 to 30 times a second.
    /// - Parameters:
    ///   - observations: the subjects in the frame.
    ///   - cameraInformation: the camera that took the frame. If nil, it is the profile's.
    ///   - exposure: when the frame was taken, CLOCK_MONOTONIC. If nil, it is the present time minus the profile's
    ///     camera latency.
    /// - Throws: `busy` while system tracking is on or a person controls the dock, `frameRateTooHigh` above 60 calls a
    ///   second, `invalidParameter`.
    public func track(
        _ observations: [Observation], cameraInformation: CameraInformation? = nil, exposure: Seconds? = nil
    ) async throws(DockError) {
        let frame = ObservationFrame(observations, camera: cameraInformation, exposure: exposure)
        if let problem = frame.problem {
            throw DockError(
                .invalidParameter, problem, hint: "use normalised rectangles and a different id for each subject")
        }
        _ = try await manager.perform(.track(frame))
    }

    // MARK: motion

    /// Turns at a velocity, in rad/s, for at most 0.5 s. Call it again to continue. System tracking must be off.
    /// - Throws: `busy`, `notConnected`, `faulted`; `notSupportedByDevice` for roll.
    public func setAngularVelocity(_ velocity: Vector3D) async throws(DockError) {
        try Self.checkRoll(velocity)
        _ = try await manager.perform(.motion(.velocity(velocity.panTilt, duration: CommandWords.velocityTime)))
    }

    /// Turns to an orientation, in radians. If `duration` is zero, it turns as fast as the limits permit. Returns when
    /// the motion has begun.
    /// - Throws: `busy`, `notConnected`, `faulted`, `limitReached`; `notSupportedByDevice` for roll.
    public func setOrientation(
        _ orientation: Vector3D, duration: Duration = .zero, relative: Bool = false
    ) async throws(DockError) -> Progress {
        try Self.checkRoll(orientation)
        let seconds = duration / .seconds(1)
        guard (0...60).contains(seconds) else {
            throw DockError(
                .invalidParameter, "a duration must be 0 to 60 s", hint: "zero = as fast as the limits permit")
        }
        return try await begin(.motion(.orient(orientation.panTilt, duration: seconds, relative: relative)))
    }

    /// Plays a predefined motion from the dock's present pose, and then restores the tracking mode. Returns when the
    /// motion has begun.
    /// - Throws: `busy` while another one plays, `notConnected`, `faulted`.
    public func animate(motion: Animation) async throws(DockError) -> Progress {
        try await begin(.animate(motion.rawValue))
    }

    /// Stops now, holds, and switches system tracking off. This call is never rejected.
    public func stop() async throws(DockError) { _ = try await manager.perform(.motion(.stop)) }

    /// Stops now and latches: nothing moves until the manager's `clearFault()`. This call is never rejected.
    public func emergencyStop() async throws(DockError) { _ = try await manager.perform(.motion(.emergencyStop)) }

    /// Gives control back to programs after a person stopped the dock or moved it by hand. Call it only if a person
    /// asked for it, for example with a button in your program. Until then every program, including this one, receives
    /// `busy`.
    public func giveBack() async throws(DockError) { _ = try await manager.perform(.giveBack) }

    // MARK: parts

    private var snapshot: AccessorySnapshot { (try? manager.running())?.snapshot ?? AccessorySnapshot() }

    private func begin(_ command: Command) async throws(DockError) -> Progress {
        let run = try manager.running()
        let outcome = try await run.perform(command)
        guard case .motion(let id, let duration) = outcome.value else {
            throw DockError(.protocolError, "no motion began", hint: "report this")
        }
        return Progress(id: id, duration: duration, run: run)
    }

    static let noRoll = DockError(
        .notSupportedByDevice, "this rig has no roll axis", hint: "leave out roll (z)")

    private static func checkRoll(_ vector: Vector3D) throws(DockError) {
        guard vector.x.isFinite, vector.y.isFinite, vector.z.isFinite else {
            throw DockError(.invalidParameter, "an angle is not a number", hint: "use radians")
        }
        guard vector.z == 0 else { throw noRoll }
    }
}
