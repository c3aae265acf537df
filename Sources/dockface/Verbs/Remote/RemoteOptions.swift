import ArgumentParser
import Companion
import ControlProtocol
import DockClient
import DockControl
import DockTypes

/// The options of all verbs that talk to a running daemon.
struct RemoteOptions: ParsableArguments {
    @Flag(help: "Print the result, or the error, as one JSON line.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Path of the daemon's socket. Default: DOCKFACE_SOCKET, else the usual path.", valueName: "path"))
    var socket: String?
}

/// Reports the result of a call to people or programs.
struct Report {
    let isJSON: Bool

    /// Reports success. `text` formats it for people and gets the result with safe texts, because any program may have
    /// answered.
    func success(_ result: JSONValue, _ text: (JSONValue) -> String) {
        print(isJSON ? String(decoding: result.bytes, as: UTF8.self) : text(result.plain))
    }

    /// Reports that the daemon rejected the request: status 1.
    func refusal(_ refusal: ControlRefusal) -> ExitCode { end(refusal.object, refusal.error, status: 1) }

    /// Reports that no daemon runs or answers: the status of the error's kind.
    func failure(_ error: DockError) -> ExitCode { end(error.asObject, error, status: error.exitStatus) }

    /// Reports that no daemon would understand this request: status 64.
    func misuse(_ message: String, hint: String) -> ExitCode {
        let error = DockError(.invalidParameter, message, hint: hint)
        return end(error.asObject, error, status: 64)
    }

    /// The daemon names words for its standard input ("type `dockface clear`"). In a shell each of them is a verb. Other
    /// commands stay as they are.
    static func inShell(_ text: String) -> String {
        text.replacing(/type `([a-z]+)/) { match in
            Words.known.contains(String(match.1)) ? "run `dockface \(match.1)" : String(match.0)
        }
    }

    private func end(_ object: JSONValue, _ error: DockError, status: Int32) -> ExitCode {
        guard isJSON else { return fail(Self.inShell("\(error.message): \(error.hint)"), status: status) }
        print(String(decoding: object.bytes, as: UTF8.self))
        return ExitCode(status)
    }
}
