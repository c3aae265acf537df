public import DockControl
public import Geometry

/// One dock (DockKit's accessory). Made by `DockAccessoryManager`; the same object as long as the same dock is there.
///
/// Coordinates of the picture are normalised with the origin at the top left; angles are radians about x (pitch, + = down)
/// and y (yaw, + = the dock's right). docs/DOCKKIT.md tells what differs from DockKit and why.
public final class DockAccessory: Sendable {
    /// Which dock it is.
    public let identifier: Identifier
    /// What the dock says its hardware is; nil: it does not.
    public let hardwareModel: String?
    /// What the dock says its firmware is; nil: it does not.
    public let firmwareVersion: String?

    let manager: DockAccessoryManager

    init(manager: DockAccessoryManager, status: SessionStatus) {
        self.manager = manager
        let identity = status.loop.identity
        identifier = Identifier(name: status.rig, category: .trackingStand, uuid: identity?.uid ?? "")
        hardwareModel = identity?.model
        firmwareVersion = identity?.firmware
    }

    // MARK: framing

    /// Where subjects are placed.
    public var framingMode: FramingMode { status.loop.framing.mode }

    /// Places subjects elsewhere in the picture.
    /// - Throws: `notSupportedByDevice` where the camera does not turn with the dock.
    public func setFramingMode(_ mode: FramingMode) async throws(DockError) {
        _ = try await manager.perform(.motion(.setFraming(mode)))
    }

    /// The part of the picture that counts; (0, 0, 1, 1) = all of it.
    public var regionOfInterest: Rect { status.loop.framing.region }

    /// Lets only a part of the picture count; framing is inside it.
    /// - Throws: `invalidParameter` where it has no size or lies outside the picture.
    public func setRegionOfInterest(_ region: Rect) async throws(DockError) {
        _ = try await manager.perform(.motion(.setRegion(region)))
    }

    // MARK: subjects

    /// Follows the subject at a point of the picture, and tells its identifier. nil: automatic again.
    /// - Throws: `noSubjectFound`; the selection stays then.
    @discardableResult
    public func selectSubject(at point: Point?) async throws(DockError) -> Int? {
        guard let point else {
            try await selectSubjects([])
            return nil
        }
        guard case .subject(let id) = try await manager.perform(.tap(point)).value else { return nil }
        return id
    }

    /// Follows these subjects; none = automatic.
    /// - Throws: `noSubjectFound` where one of them is not in sight.
    public func selectSubjects(_ identifiers: [Int]) async throws(DockError) {
        _ = try await manager.perform(.select(identifiers))
    }

    /// Follows what the program itself has seen. Needs system tracking switched off; 10 to 30 a second.
    /// - Parameters:
    ///   - observations: who is in the picture.
    ///   - cameraInformation: the camera that has taken it; nil: the profile's.
    ///   - exposure: when the picture was taken, CLOCK_MONOTONIC; nil: now, less the profile's camera latency.
    /// - Throws: `busy` while system tracking is on or a person has the dock, `frameRateTooHigh` above 60 a second,
    ///   `invalidParameter`.
    public func track(
        _ observations: [Observation], cameraInformation: CameraInformation? = nil, exposure: Seconds? = nil
    ) async throws(DockError) {
        let frame = ObservationFrame(observations, camera: cameraInformation, exposure: exposure)
        if let problem = frame.problem {
            throw DockError(
                .invalidParameter, problem, hint: "rectangles are normalised, numbers differ from each other")
        }
        _ = try await manager.perform(.track(frame))
    }

    // MARK: motion

    /// Turns at a velocity, rad/s, for 0.5 s at most: call it again to go on. Needs system tracking switched off.
    /// - Throws: `busy`, `notConnected`, `faulted`; `notSupportedByDevice` for roll.
    public func setAngularVelocity(_ velocity: Vector3D) async throws(DockError) {
        try Self.checkRoll(velocity)
        _ = try await manager.perform(.motion(.velocity(velocity.panTilt, duration: CommandWords.velocityTime)))
    }

    /// Turns to an orientation, radians; `duration` zero = as fast as the limits allow. Returns when it has begun.
    /// - Throws: `busy`, `notConnected`, `faulted`, `limitReached`; `notSupportedByDevice` for roll.
    public func setOrientation(
        _ orientation: Vector3D, duration: Duration = .zero, relative: Bool = false
    ) async throws(DockError) -> Progress {
        try Self.checkRoll(orientation)
        let seconds = duration / .seconds(1)
        guard (0...60).contains(seconds) else {
            throw DockError(.invalidParameter, "a duration is 0 to 60 s", hint: "zero = as fast as the limits allow")
        }
        return try await begin(.motion(.orient(orientation.panTilt, duration: seconds, relative: relative)))
    }

    /// Plays a predefined motion from where the dock stands. The tracking mode comes back when it has ended. Returns when it has begun.
    /// - Throws: `busy` while another one plays, `notConnected`, `faulted`.
    public func animate(motion: Animation) async throws(DockError) -> Progress {
        try await begin(.animate(motion.rawValue))
    }

    /// Limits as they hold now; roll is nil because no rig has it.
    /// - Throws: `notConnected` before they are known, and after the manager was closed.
    public var limits: Limits {
        get throws(DockError) {
            let now = try manager.running().status.loop.limits
            guard let pan = now.pan, let tilt = now.tilt else {
                throw DockError(.notConnected, "the limits are not known yet", hint: "wait until the dock is docked")
            }
            let pitch = -tilt.range.upperBound..<(-tilt.range.lowerBound)
            return Limits(
                yaw: try Limit(
                    positionRange: pan.range.lowerBound..<pan.range.upperBound, maximumSpeed: pan.maxSpeed ?? 1),
                pitch: try Limit(positionRange: pitch, maximumSpeed: tilt.maxSpeed ?? 1))
        }
    }

    /// Narrows the rig's limits until they are set again or the run ends; an axis that is nil gets the rig's own back.
    /// - Throws: `invalidParameter` where all are nil, `notSupportedByDevice` for roll, `limitReached` outside the rig's.
    public func setLimits(_ limits: Limits) async throws(DockError) {
        guard limits.roll == nil else { throw Self.noRoll }
        guard limits.yaw != nil || limits.pitch != nil else {
            throw DockError(.invalidParameter, "no limit is given", hint: "resetLimits() gives the rig's own back")
        }
        let pan = limits.yaw.map {
            LimitChange.set(
                low: $0.positionRange.lowerBound, high: $0.positionRange.upperBound, speed: $0.maximumSpeed)
        }
        let tilt = limits.pitch.map {
            LimitChange.set(
                low: -$0.positionRange.upperBound, high: -$0.positionRange.lowerBound, speed: $0.maximumSpeed)
        }
        _ = try await manager.perform(.motion(.setLimits(pan: pan ?? .own, tilt: tilt ?? .own)))
    }

    /// The rig's own limits again.
    public func resetLimits() async throws(DockError) {
        _ = try await manager.perform(.motion(.setLimits(pan: .own, tilt: .own)))
    }

    /// Stops now and holds; system tracking is off then. Never refused.
    public func stop() async throws(DockError) { _ = try await manager.perform(.motion(.stop)) }

    /// Stops now, latched: nothing moves until the manager's `clearFault()`. Never refused.
    public func emergencyStop() async throws(DockError) { _ = try await manager.perform(.motion(.emergencyStop)) }

    /// Gives the dock back to programs after a person's stop or after a person moved it by hand. Call it only where a person
    /// asked for it, for example by a button of your own: until then every program, this one included, gets `busy`.
    public func giveBack() async throws(DockError) { _ = try await manager.perform(.giveBack) }

    // MARK: parts

    var status: SessionStatus { manager.status ?? SessionStatus() }

    private func begin(_ command: Command) async throws(DockError) -> Progress {
        let session = try manager.running()
        let outcome = try await manager.perform(command)
        guard case .motion(let id, let duration) = outcome.value else {
            throw DockError(.protocolError, "no motion began", hint: "report this")
        }
        return Progress(id: id, duration: duration, session: session)
    }

    private static let noRoll = DockError(
        .notSupportedByDevice, "this rig has no roll axis", hint: "leave roll (z) out")

    private static func checkRoll(_ vector: Vector3D) throws(DockError) {
        guard vector.x.isFinite, vector.y.isFinite, vector.z.isFinite else {
            throw DockError(.invalidParameter, "an angle is no number", hint: "give radians")
        }
        guard vector.z == 0 else { throw noRoll }
    }
}
