import ControlProtocol
import DockClient
import DockTypes
import Synchronization

/// The sign LIVE, which several outputs share: it is on while one of them may send.
final class LiveSign: Sendable {
    private struct Part: Sendable, Equatable {
        var state: IndicatorState
        var text: String
    }

    /// What each output wants, by its name.
    private let parts = Mutex<[String: Part]>([:])

    private static func merged(_ parts: [String: Part]) -> Part {
        for state in [IndicatorState.on, .trying] {
            let texts = parts.values.filter { $0.state == state }.map(\.text)
            guard !texts.isEmpty else { continue }
            return Part(state: state, text: Set(texts).sorted().joined(separator: ", "))
        }
        return Part(state: .off, text: "")
    }

    /// Shows what an output does. Returns whether people can see it.
    func show(
        _ output: String, _ state: IndicatorState, _ text: String, on dock: Dock
    ) async throws(DockError) -> Bool {
        var wanted = parts.withLock { parts in
            parts[output] = Part(state: state, text: text)
            return Self.merged(parts)
        }
        while true {
            let isVisible = try await dock.setIndicator("live", wanted.state, text: wanted.text)
            // Another output may have changed it meanwhile, and the last word counts.
            let now = parts.withLock { Self.merged($0) }
            if now == wanted { return isVisible }
            wanted = now
        }
    }
}

/// Shows on the robot that an output is at work, before it is, and again after each new connection to the daemon.
final class OutputSign: Sendable {
    /// How often it is tried again, in seconds.
    private static let every = 0.5

    private let needsScreen: Bool
    private let show: @Sendable (Dock) async throws(DockError) -> Bool
    private let state = Mutex<(isShown: Bool, problem: String?)>((false, nil))

    /// - Parameter show: shows the sign; returns whether people can see it.
    init(needsScreen: Bool, show: @escaping @Sendable (Dock) async throws(DockError) -> Bool) {
        (self.needsScreen, self.show) = (needsScreen, show)
    }

    /// Whether the output may work.
    var isShown: Bool { state.withLock { $0.isShown } }
    /// Why it may not, or nil.
    var problem: String? { state.withLock { $0.problem } }

    /// It must be shown again.
    func lost() { state.withLock { $0.isShown = false } }

    /// Shows it until the task is cancelled. `note` gets each new reason why it cannot.
    func run(_ dock: Dock, note: @Sendable (String) -> Void) async {
        repeat {
            guard !isShown else { continue }
            let before = problem
            let new = await attempt(dock)
            if let new, new != before { note(new) }
        } while (try? await Task.sleep(for: .seconds(Self.every))) != nil
    }

    private func attempt(_ dock: Dock) async -> String? {
        var problem: String?
        do throws(DockError) {
            if try await !show(dock), needsScreen {
                problem = "this robot has no screen; `sign = \"none\"` in uplink.toml does without one"
            }
        } catch {
            problem = error.message
        }
        state.withLock { $0 = (problem == nil, problem) }
        return problem
    }
}
