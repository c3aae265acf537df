/// DockKit's name for the error of a dock. DockKit's cases are constants that `catch` matches by their code, whatever
/// the message:
///
/// ```swift
/// do {
///     try await dock.setAngularVelocity(velocity)
/// } catch DockKitError.notConnected {
///     waitForDock()
/// }
/// ```
public typealias DockKitError = DockError

/// DockKit's cases. Each is an error with a general message; errors that calls throw have their own.
extension DockError {
    /// No dock is connected, or it has disappeared.
    public static let notConnected = DockError(.notConnected, "no dock is connected", hint: "connect it")
    /// The rig cannot do this.
    public static let notSupportedByDevice = DockError(
        .notSupportedByDevice, "this rig cannot do this", hint: "leave it out")
    /// This program does not support it.
    public static let notSupported = DockError(.notSupported, "this is not supported", hint: "leave it out")
    /// A value is outside its range.
    public static let invalidParameter = DockError(
        .invalidParameter, "a value is outside its range", hint: "see the documentation of the call")
    /// There is no subject at the point, or the identifier belongs to no subject in view.
    public static let noSubjectFound = DockError(
        .noSubjectFound, "there is no such subject", hint: "choose one that is in view")
    /// Observations arrive faster than 60 a second.
    public static let frameRateTooHigh = DockError(
        .frameRateTooHigh, "more than 60 observations a second", hint: "10 to 30 are enough")
    /// Observations arrive too slowly. No call throws this.
    public static let frameRateTooLow = DockError(
        .frameRateTooLow, "too few observations a second", hint: "send 10 to 30")
    /// In DockKit the app has no permission to use the camera. Here the user has no permission to open the dock's port.
    public static let cameraTCCMissing = DockError(
        .permission, "a permission is missing", hint: "see `dockface doctor`")

    /// Whether an error of any type is a dock's error with the code of the pattern, for `catch` clauses.
    @_disfavoredOverload
    public static func ~= (pattern: DockError, error: any Error) -> Bool { (error as? DockError) == pattern }
}
