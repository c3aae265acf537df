import ControlProtocol
import DepthStream
import DockTypes
import ExtensionKit
import Networking

/// Receiving as the work of an extension, which reports to the daemon.
struct DepthRun: Sendable {
    private let place: ListenPlace
    private let choice: DepthJudge.Choice
    private let control: String?

    /// Reads the settings. An error ends the program. `control`: the daemon's socket, or nil for the usual one.
    init(_ options: DepthOptions, control: String?) throws {
        (place, choice) = try options.receiver()
        self.control = control
    }

    /// Receives until the task is cancelled, or until `use` returns false. `onWait` gets the lines that say that no
    /// pictures arrive.
    func work(
        _ session: ExtensionSession, onWait: (@Sendable (String) -> Void)? = nil,
        _ use: @escaping @Sendable (DepthFrame) async -> Bool
    ) async throws {
        let desk = DepthDesk(place, choice) { text, isWarning in
            if isWarning { session.log.warning(text) } else { session.log.note(text) }
        }
        let server = try await desk.listen()
        place.announce(port: server.port, session.log)
        let share = DepthShare(control: control)
        defer { share.end() }
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await desk.run(server) { frame in
                    if let problem = share.put(frame) {
                        session.log.warning("other programs cannot read the depth: \(problem)")
                    }
                    return await use(frame)
                }
            }
            group.addTask { await Self.report(desk, port: server.port, session) }
            if let onWait { group.addTask { await Self.sayWaiting(desk, port: server.port, onWait) } }
            // Only for the reports: the pictures do not need a daemon.
            let search = Task { try? await session.connect() }
            defer { search.cancel() }
            try await group.next()
            group.cancelAll()
        }
    }

    /// The daemon gives a camera 3 s without a picture, and after 2 s without a packet none counts as arriving.
    private static func sayWaiting(_ desk: DepthDesk, port: Int, _ say: @Sendable (String) -> Void) async {
        var notes = WaitingNotes()
        repeat {
            if let line = notes.line(desk.words(port: port).waitReason, now: SystemTime.monotonic) { say(line) }
        } while (try? await Task.sleep(for: .milliseconds(250))) != nil
    }

    private static func report(_ desk: DepthDesk, port: Int, _ session: ExtensionSession) async {
        var said = desk.words(port: port).subject
        repeat {
            session.beat()
            let words = desk.words(port: port)
            session.report(words.isLive ? .ready : .trying, words.text)
            if words.subject != said { session.log.note(words.subject) }
            said = words.subject
        } while (try? await Task.sleep(for: .seconds(1))) != nil
    }
}
