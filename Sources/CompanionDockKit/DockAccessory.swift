public import Companion
public import Foundation

/// One dock, with DockKit's signatures. `DockAccessoryManager` creates it. The object stays the same while the same
/// dock is connected.
///
/// Points and rectangles are normalised to the frame, 0...1, with the origin at the top left. Angles are in radians
/// about x (pitch, positive is down) and y (yaw, positive is the dock's right). Every call throws `DockKitError`.
public final class DockAccessory: Sendable {
    /// The same dock in the library's own values, for what DockKit does not have: `stop()`, `emergencyStop()`, exposure
    /// times of observations.
    public let companion: Companion.DockAccessory
    /// The name and the unique identifier of the dock.
    public let identifier: Identifier

    let subjects: SubjectNumbers

    init(_ companion: Companion.DockAccessory, subjects: SubjectNumbers) {
        self.companion = companion
        self.subjects = subjects
        identifier = Identifier(companion.identifier)
    }

    /// The hardware model that the dock reports, or nil if not reported.
    public var hardwareModel: String? { companion.hardwareModel }
    /// The firmware version that the dock reports, or nil if not reported.
    public var firmwareVersion: String? { companion.firmwareVersion }

    // MARK: framing

    /// The position of subjects in the frame.
    public var framingMode: FramingMode { companion.framingMode }

    /// Changes the position of subjects in the frame.
    /// - Throws: `notSupportedByDevice` if the camera does not turn with the dock.
    public func setFramingMode(_ mode: FramingMode) async throws { try await companion.setFramingMode(mode) }

    /// The part of the frame that is used; (0, 0, 1, 1) is the whole frame.
    public var regionOfInterest: CGRect { CGRect(companion.regionOfInterest) }

    /// Uses only a part of the frame, inside which subjects are framed.
    /// - Throws: `invalidParameter` if the region is empty or outside the frame.
    public func setRegionOfInterest(_ region: CGRect) async throws {
        try await companion.setRegionOfInterest(Rect(region))
    }

    // MARK: subjects

    /// Follows the subject at a point of the frame.
    /// - Throws: `noSubjectFound`; the selection then remains unchanged.
    public func selectSubject(at unitPoint: CGPoint) async throws {
        try await companion.selectSubject(at: Point(unitPoint))
    }

    /// Follows these subjects. An empty list selects automatically.
    /// - Throws: `noSubjectFound` if one of them is not in view, or belongs to another run.
    public func selectSubjects(_ ids: [UUID]) async throws {
        let numbers = ids.compactMap { subjects.number(of: $0) }
        guard numbers.count == ids.count else { throw DockKitError.noSubjectFound }
        try await companion.selectSubjects(numbers)
    }

    /// Follows the app's own observations. System tracking must be off. Call it 10 to 30 times a second.
    /// - Throws: `busy` while system tracking is on or a person controls the dock, `frameRateTooHigh` above 60 calls a
    ///   second, `invalidParameter`.
    public func track(_ observations: [Observation], cameraInformation: CameraInformation) async throws {
        try await companion.track(
            observations.map { $0.companion }, cameraInformation: cameraInformation.companion)
    }

    // MARK: motion

    /// Turns at a velocity, in rad/s, for at most 0.5 s. Call it again to continue. System tracking must be off.
    /// - Throws: `busy`, `notConnected`, `faulted`; `notSupportedByDevice` for roll.
    public func setAngularVelocity(_ angularVelocity: Vector3D) async throws {
        try await companion.setAngularVelocity(angularVelocity)
    }

    /// Turns to an orientation, in radians. If `duration` is zero, it turns as fast as the limits permit; at most 60 s.
    /// Returns when the motion has begun.
    /// - Throws: `busy`, `notConnected`, `faulted`, `limitReached`; `notSupportedByDevice` for roll.
    @discardableResult
    public func setOrientation(
        _ rotation: Vector3D, duration: Duration = .seconds(0), relative: Bool = false
    ) async throws -> Progress {
        try await companion.setOrientation(rotation, duration: duration, relative: relative)
    }

    /// Plays a predefined motion from the dock's present pose. Returns when the motion has begun.
    /// - Throws: `busy` while another one plays, `notConnected`, `faulted`.
    @discardableResult
    public func animate(motion: Animation) async throws -> Progress { try await companion.animate(motion: motion) }

    /// The present limits. Roll is nil because no supported rig has this axis.
    /// - Throws: `notConnected` before they are known, and after the manager was closed.
    public var limits: Limits { get throws { try companion.limits } }

    /// Narrows the rig's limits until they are set again or the run ends. Nil restores the rig's own limit of an axis.
    /// Returns at once; the limits are in force before the next motion begins.
    /// - Throws: `invalidParameter` if all are nil, `notSupportedByDevice` for roll, `limitReached` outside the rig's
    ///   limits, `busy` if a person controls the dock.
    public func setLimits(_ limits: Limits) throws { try companion.requestLimits(limits) }
}

extension DockAccessory: Hashable {
    /// Whether both are the same dock.
    public static func == (a: DockAccessory, b: DockAccessory) -> Bool { a.companion == b.companion }

    /// Hashes the identity of the dock.
    public func hash(into hasher: inout Hasher) { hasher.combine(companion) }
}
