import ArgumentParser
import Companion
import CPosix
import ControlProtocol
import DockClient
import DockControl
import DockTypes
import Geometry
import Glibc
import PlainText

/// Sends words that begin a motion, shows its progress, and waits for its end. Ctrl-C cancels the motion.
struct MotionWait {
    let client: ControlClient
    let report: Report
    /// The name of the motion in messages.
    let name: String

    /// The longest time without a report about the motion, beyond its planned duration, before this is an error, in
    /// seconds.
    private static let patience: Seconds = 10

    func run(_ line: String) throws {
        // From here on Ctrl-C sets a flag instead of ending the program: a motion that has begun must be cancelled.
        let bell = cposix_signal_descriptor(false)
        client.interrupt = bell
        // The subscription precedes the command, because a short motion may end before the answer is read.
        try client.subscribe([.motion])
        let result: JSONValue
        switch try client.ask("command", ["line": .string(line)]) {
        case .failure(let refusal): throw report.refusal(refusal)
        case .success(let answer): result = answer
        }
        guard let number = result["motion"]?.integer else { return report.success(result, WordCall.text) }
        let follower = MotionFollower(number: number)
        var progress = ProgressLine()
        defer { progress.clear() }
        var deadline = cposix_monotonic_now() + (result["duration"]?.number ?? 0) + Self.patience
        while true {
            let event = try client.nextEvent(timeout: max(0, deadline - cposix_monotonic_now()))
            if cposix_counter_take(bell) > 0 {
                progress.clear()
                throw try cancel(result, follower)
            }
            let found = event.flatMap { $0.topic == "motion" ? follower.find(in: $0.data) : nil }
            switch found ?? .nothing {
            case .nothing:
                guard cposix_monotonic_now() >= deadline else { continue }
                throw DockError(
                    .timeout, "no end of motion \(number) was reported", hint: "check `dockface status --why`")
            case .running(let name, let fraction, let left):
                deadline = max(deadline, cposix_monotonic_now() + Self.patience)
                progress.show("\(name) \(Int(fraction * 100)) %  \(fixed(left, 1)) s left")
            case .ended(let outcome):
                progress.clear()
                return try end(result, outcome)
            case .missed:
                progress.clear()
                return try end(result, nil)
            }
        }
    }

    private func end(_ result: JSONValue, _ outcome: MotionOutcome?) throws {
        if report.isJSON {
            report.success(result.with("outcome", .string(orNull: outcome?.rawValue))) { _ in "" }
            if outcome != .completed { throw ExitCode(1) }
        } else if outcome == .completed {
            report.success(result) { _ in "ok \(ForeignText.line(name)) completed" }
        } else {
            let (text, hint) =
                outcome?.story ?? ("a newer motion followed, so its outcome is unknown", "check the dock")
            throw fail("\(name) did not arrive: \(text): \(hint)", status: 1)
        }
    }

    /// Cancels the motion by its number. If the daemon rejects that, the verb sends a stop: the user pressed Ctrl-C to
    /// end the motion.
    private func cancel(_ result: JSONValue, _ follower: MotionFollower) throws -> ExitCode {
        let request: [String: JSONValue] = ["motion": .number(follower.number)]
        if case .failure = try client.ask("cancelMotion", request, timeout: 2) {
            _ = try client.call("stop", timeout: 2)
        }
        var outcome: MotionOutcome?
        // The dock must be at rest when the verb has ended.
        let deadline = cposix_monotonic_now() + 1
        while outcome == nil, let event = try client.nextEvent(timeout: max(0, deadline - cposix_monotonic_now())) {
            if event.topic == "motion", case .ended(let found) = follower.find(in: event.data) { outcome = found }
            if cposix_monotonic_now() >= deadline { break }
        }
        if report.isJSON {
            report.success(result.with("outcome", .string(orNull: outcome?.rawValue))) { _ in "" }
            return ExitCode(130)
        }
        return fail("\(name) was cancelled", status: 130)
    }
}

extension JSONValue {
    /// Returns an object with one more member.
    func with(_ name: String, _ value: JSONValue) -> JSONValue {
        var members = object ?? [:]
        members[name] = value
        return .object(members)
    }
}

/// A line on standard error that is redrawn repeatedly. It does nothing if standard error is not a terminal.
struct ProgressLine {
    private let isShown = isTerminal(2)
    private var last = ""

    mutating func show(_ text: String) {
        let text = ForeignText.line(text)
        guard isShown, text != last else { return }
        last = text
        put("\r\(text)\u{1b}[K")
    }

    mutating func clear() {
        guard isShown, !last.isEmpty else { return }
        last = ""
        put("\r\u{1b}[K")
    }

    private func put(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = write(2, bytes.baseAddress, bytes.count) }
    }
}
