public import Companion
internal import Synchronization

/// Finds the dock and reports when it is connected and disconnected, with DockKit's signatures.
///
/// It passes everything to the manager of the library, `companion`.
public final class DockAccessoryManager: Sendable {
    /// The manager for this user's daemon, if one runs; otherwise for the rig, camera and detectors that the environment
    /// and the settings file name.
    public static let shared = DockAccessoryManager(Companion.DockAccessoryManager.shared)

    /// The library's own manager, for what DockKit does not have: `failure`, `status`, `clearFault()`.
    public let companion: Companion.DockAccessoryManager

    private let subjects = SubjectNumbers()
    private let latest = Mutex<DockAccessory?>(nil)

    /// Creates a manager with DockKit's signatures for one with its own configuration.
    public init(_ companion: Companion.DockAccessoryManager) { self.companion = companion }

    /// Changes of the dock's connection and of its tracking button. A new observer receives the present state first.
    /// The stream ends with `close()`, or if the port is unusable. `companion.failure` then has the reason.
    /// - Throws: `DockKitError` if no port is named, the run has failed, or the manager was closed.
    public var accessoryStateChanges: DockAccessory.StateChanges {
        get throws {
            try companion.accessoryStateChanges.map { change in
                DockAccessory.StateChange(
                    accessory: change.accessory.map { self.accessory($0) }, state: change.state,
                    trackingButtonEnabled: change.trackingButtonEnabled)
            }
        }
    }

    /// Whether the detector steers.
    public var isSystemTrackingEnabled: Bool { companion.isSystemTrackingEnabled }

    /// Lets the detector steer, or reserves the dock for commands and observations of the app.
    /// - Throws: `DockKitError`, with the code `busy` if a person controls the dock.
    public func setSystemTrackingEnabled(_ isEnabled: Bool) async throws {
        try await companion.setSystemTrackingEnabled(isEnabled)
    }

    /// Stops the dock, closes its port and ends every stream. DockKit does not have this call: a program must await it
    /// on every exit path. Returns whether the stop was the last message to the dock, or true if nothing was started.
    /// After a run that has failed it is false, because nothing is known. Beside a daemon, what this app moves ends, and
    /// the daemon goes on; it returns whether that was confirmed.
    @discardableResult
    public func close() async -> Bool {
        switch await companion.end() {
        case .notStarted: true
        case .failed: false
        case .ended(let summary): summary.loop.stoppedLast
        case .left(let hasStopped): hasStopped
        }
    }

    /// Returns the object for a dock, which stays the same while the same dock is connected.
    private func accessory(_ dock: Companion.DockAccessory) -> DockAccessory {
        latest.withLock { latest in
            if let latest, latest.companion === dock { return latest }
            let new = DockAccessory(dock, subjects: subjects)
            latest = new
            return new
        }
    }
}
