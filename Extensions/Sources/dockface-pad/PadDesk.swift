internal import ControlProtocol
internal import DockClient
internal import DockTypes
internal import ExtensionKit
internal import Gamepad
internal import Geometry
internal import Synchronization

/// Carries out what the driver wants. All calls begin on the pad's thread, in order, and no call waits for the answer
/// to another one.
final class PadDesk: Sendable {
    private struct State: Sendable {
        var dock: Dock?
        /// Velocities that wait for their answers.
        var velocities = 0
        /// The stops that may still be on their way.
        var stops: [Task<Void, Never>] = []
    }

    private let inbox: PadInbox
    private let log: ExtensionLog
    private let isDry: Bool
    private let state = Mutex(State())
    /// When the next note may be written.
    private let nextNote = Mutex(-Seconds.infinity)

    /// The most velocities that wait for answers. A daemon that hangs must not find a heap of old ones.
    private static let mostVelocities = 2
    /// How long a call may take, in seconds.
    private static let patience: Seconds = 2
    /// How long each attempt to stop may take, in seconds.
    private static let stopPatience: [Seconds] = [0.12, 0.12, patience]
    /// The shortest time between two notes, in seconds.
    private static let notePause: Seconds = 0.3

    /// Creates a desk. `isDry`: it only writes what it would do.
    init(_ inbox: PadInbox, log: ExtensionLog, isDry: Bool) { (self.inbox, self.log, self.isDry) = (inbox, log, isDry) }

    /// Sets the daemon.
    func connect(_ dock: Dock) { state.withLock { $0.dock = dock } }

    /// Carries out intents, in order.
    func perform(_ intents: [PadIntent], now: Seconds) {
        for intent in intents {
            if isDry { describe(intent) } else { perform(intent) }
            if case .note(let note) = intent { say(note, now: now) }
        }
    }

    /// Waits until the stops have arrived, or cannot any more.
    func settle() async {
        let stops = state.withLock { $0.stops }
        for stop in stops { await stop.value }
    }

    private func perform(_ intent: PadIntent) {
        guard let dock = state.withLock({ $0.dock }) else { return }
        switch intent {
        case .note: break
        case .velocity(let velocity): turn(velocity, dock)
        case .word(let line, let movesHead):
            Task.immediate { await word(line, movesHead: movesHead, dock) }
        case .stop(let isPersonal):
            // The method goes before everything that waits. The word after it makes the stop a person's.
            stop("stop", word: isPersonal ? "stop" : nil, dock)
        case .emergencyStop: stop("emergencyStop", word: "estop", dock)
        }
    }

    private func turn(_ velocity: PanTilt, _ dock: Dock) {
        let isAllowed = state.withLock { state in
            guard velocity == .zero || state.velocities < Self.mostVelocities else { return false }
            state.velocities += 1
            return true
        }
        guard isAllowed else { return }
        Task.immediate {
            do throws(DockError) {
                _ = try await dock.call(
                    "command", ["line": .string(PadWords.velocity(velocity))], timeout: Self.patience)
            } catch {
                // The end of the range is no reason to begin again.
                if error.code != .limitReached { inbox.put { $0.refusal = error.message } }
            }
            state.withLock { $0.velocities -= 1 }
        }
    }

    private func word(_ line: String, movesHead: Bool, _ dock: Dock) async {
        do throws(DockError) {
            let answer = try await dock.call("command", ["line": .string(line)], timeout: Self.patience)
            if movesHead { inbox.put { $0.answer = .some(answer["duration"]?.number) } }
        } catch {
            log.warning("\(line): \(error.message)" + (error.hint.isEmpty ? "" : "; \(error.hint)"))
            // Without an answer the motion may still begin.
            if movesHead, error.code != .timeout { inbox.put { $0.answer = .some(nil) } }
        }
    }

    private func stop(_ method: String, word: String?, _ dock: Dock) {
        let calls = [
            Task.immediate { await call(method, [:], dock) },
            word.map { word in Task.immediate { await call("command", ["line": .string(word)], dock) } },
        ].compactMap { $0 }
        // Only the last ones matter: each stop is followed by others, or by the end of the program.
        state.withLock { $0.stops = Array(($0.stops + calls).suffix(8)) }
    }

    /// Makes a call that stops, and makes it again if it is not confirmed soon. A stop too many does no harm.
    private func call(_ method: String, _ parameters: [String: JSONValue], _ dock: Dock) async {
        for patience in Self.stopPatience {
            do throws(DockError) {
                _ = try await dock.call(method, parameters, timeout: patience)
                return
            } catch {
                guard error.code == .timeout, patience < Self.patience else {
                    log.error("the stop was not confirmed: \(error.message); the last velocity ends by itself")
                    return
                }
            }
        }
    }

    private func say(_ note: PadNote, now: Seconds) {
        let isDue = nextNote.withLock { next in
            // The pad's thread must not wait for a terminal that is stopped.
            guard now >= next, TextOutput.hasRoom(2) else { return false }
            next = now + Self.notePause
            return true
        }
        if isDue { log.note(note.text) }
    }

    private func describe(_ intent: PadIntent) {
        switch intent {
        case .velocity(let velocity): TextOutput.put(PadWords.velocity(velocity) + "\n")
        case .stop(let isPersonal): TextOutput.put(isPersonal ? "stop (a person's)\n" : "stop\n")
        case .emergencyStop: TextOutput.put("estop\n")
        case .word(let line, _): TextOutput.put(line + "\n")
        case .note: break
        }
    }
}
