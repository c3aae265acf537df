import ArgumentParser
import Companion
import DockControl

/// What all verbs share that talk to a running daemon.
struct RemoteOptions: ParsableArguments {
    @Flag(help: "Print the result, or the error, as one JSON line.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "The daemon's socket; default: DOCKFACE_SOCKET, or where it is by itself.", valueName: "path"))
    var socket: String?
}

/// Tells what came of a call: for people, or for programs.
struct Report {
    let isJSON: Bool

    /// It is done. `text` tells people of it; it gets the result with plain texts, because what answers may be any program.
    func success(_ result: JSONValue, _ text: (JSONValue) -> String) {
        print(isJSON ? String(decoding: result.bytes, as: UTF8.self) : text(result.plain))
    }

    /// The daemon said no: status 1.
    func refusal(_ refusal: ControlRefusal) -> ExitCode { end(refusal.object, refusal.error, status: 1) }

    /// There is no daemon, or it does not answer: the status of the error's kind.
    func failure(_ error: DockError) -> ExitCode { end(error.asObject, error, status: error.exitStatus) }

    /// No daemon would understand this: status 64.
    func misuse(_ message: String, hint: String) -> ExitCode {
        let error = DockError(.invalidParameter, message, hint: hint)
        return end(error.asObject, error, status: 64)
    }

    private func end(_ object: JSONValue, _ error: DockError, status: Int32) -> ExitCode {
        guard isJSON else { return fail("\(error.message): \(error.hint)", status: status) }
        print(String(decoding: object.bytes, as: UTF8.self))
        return ExitCode(status)
    }
}
