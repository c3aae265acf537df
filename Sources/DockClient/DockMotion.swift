internal import ControlProtocol
public import DockTypes

/// A motion that the dock has begun.
public struct DockMotion: Sendable {
    /// Its number.
    public let id: Int
    /// Its planned duration, in seconds.
    public let duration: Double
    private let dock: Dock

    init(_ answer: JSONValue, of dock: Dock) throws(DockError) {
        guard let id = answer["motion"]?.integer, let duration = answer["duration"]?.number else {
            throw Dock.unreadable("the number of the motion", answer)
        }
        (self.id, self.duration, self.dock) = (id, duration, dock)
    }

    /// Creates a motion that was begun before, whose duration does not matter any more.
    package init(id: Int, of dock: Dock) { (self.id, duration, self.dock) = (id, 0, dock) }

    /// Waits until the motion ends.
    /// - Returns: how: "completed", "cancelled", "takenOver", ... (docs/CONTROL-API.md); "unknown" if eight later
    ///   motions have ended since.
    /// - Throws: `notConnected` if the daemon ends meanwhile, or the dock is closed; `timeout` if the task is
    ///   cancelled.
    public func outcome() async throws(DockError) -> String {
        // A daemon that was restarted knows no earlier motion.
        for await update in try dock.updates(.motion, endsWithConnection: true) {
            if let ending = update.value.endings.last(where: { $0.id == id }) { return ending.outcome }
            if update.value.running?.id != id, update.value.endings.contains(where: { $0.id > id }) { return "unknown" }
        }
        throw Task.isCancelled
            ? DockError(.timeout, "the task was cancelled before the motion ended", hint: "the motion goes on")
            : ClientMachine.disconnected(dock.path)
    }

    /// Ends the motion.
    public func cancel() async throws(DockError) { _ = try await dock.call("cancelMotion", ["motion": .number(id)]) }
}
