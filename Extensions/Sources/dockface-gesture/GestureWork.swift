internal import DockTypes
internal import ExtensionKit
internal import Geometry

/// The work of the program: it reads the hands that the daemon's detector reports.
struct GestureWork: Sendable {
    let isDry: Bool
    /// How long it is armed at most, in seconds, or nil for no limit.
    let limit: Seconds?

    /// Runs until gestures are disarmed, the daemon ends, or the task is cancelled.
    func run(_ session: ExtensionSession) async throws {
        // A daemon that returns was not armed by a person, so the program ends with the connection.
        let dock = try await session.connect(reconnects: false)
        let feed = GestureFeed(dock, session, isDry: isDry)
        let reason = try await feed.run(for: limit)
        try Task.checkCancellation()
        switch reason {
        case .disarmed: session.log.note("gestures are off; start `dockface gesture` again to use them")
        case .connection:
            throw DockError(
                .notConnected, "the daemon has ended, so gestures are off",
                hint: "start `dockface gesture` again when the daemon runs")
        }
    }
}
