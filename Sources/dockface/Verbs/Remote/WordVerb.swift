import ArgumentParser
import Companion
import ControlProtocol
import DockClient
import DockControl
import DockTypes
import FaceTracker

/// `dockface tap 0.4 0.6`: a command word for the running daemon. One type serves all words, whose rows differ.
struct WordVerb<Row: WordRow>: ParsableCommand {
    static var configuration: CommandConfiguration { Row.word.configuration }

    @Argument(
        parsing: .captureForPassthrough, help: "Words; negative numbers need no special notation.",
        completion: Completions.words(Row.word.forms))
    var words: [String] = []

    @OptionGroup var remote: RemoteOptions

    func run() throws {
        let line = try WordLine(words)
        if line.wantsHelp { throw CleanExit.helpRequest(self) }
        let call = WordCall(
            words: Row.word.prefix + line.words, socket: line.socket ?? remote.socket,
            isJSON: line.isJSON || remote.json, waits: line.waits)
        if call.words.isEmpty { throw ValidationError("missing words; for example: \(Row.word.examples[0])") }
        try call.run()
    }
}

/// One line of command words on its way to the daemon and back.
struct WordCall {
    let words: [String]
    let socket: String?
    let isJSON: Bool
    let waits: Bool

    private var report: Report { Report(isJSON: isJSON) }
    private var line: String { words.joined(separator: " ") }

    func run() throws {
        try check()
        do {
            let client = try ControlClient(path: socket)
            if waits, let word = words.first, Words.moving.contains(word) {
                // `orient` needs no argument in the name; other motions are identified by theirs.
                let name = word == "orient" ? word : line
                try MotionWait(client: client, report: report, name: name).run(line)
            } else {
                try tell(client)
            }
        } catch let error as DockError {
            throw report.failure(error)
        }
    }

    /// Reports a typing mistake without asking the daemon. Words that are not in this program's table are left to the
    /// daemon.
    private func check() throws {
        let first = words.first?.lowercased() ?? ""
        let isHere = CommandWords.help.contains { $0.split(separator: " ").first.map(String.init) == first }
        if !isHere, Words.known.contains(first) { return }
        if first == "watch" {
            throw report.misuse("`watch` cannot be sent as a word", hint: "use `dockface watch`")
        }
        do {
            // Only the daemon has the frame size.
            _ = try CommandWords.parse(line, pictureSize: PictureSize(width: 1e6, height: 1e6))
        } catch {
            throw report.misuse(error.message, hint: error.hint)
        }
    }

    private func tell(_ client: ControlClient) throws {
        let quits = words == ["quit"]
        do {
            switch try client.ask("command", ["line": .string(line)]) {
            case .failure(let refusal): throw report.refusal(refusal)
            case .success(let result):
                if quits, !client.waitForEnd(timeout: 10) {
                    throw DockError(
                        .timeout, "the daemon accepted the command but has not ended", hint: "check its log")
                }
                report.success(result, Self.text)
            }
        } catch let error as DockError where quits && error.code == .notConnected {
            // The daemon may have ended before it answered.
            report.success(.object(["answer": .string("ended")])) { _ in "ok ended" }
        }
    }

    /// Returns the answer for people, as on the daemon's standard input.
    static func text(_ result: JSONValue) -> String {
        let answer = Report.inShell(result["answer"]?.string ?? "")
        return answer.isEmpty ? "ok" : answer == "ok" || answer.hasPrefix("ok ") ? answer : "ok " + answer
    }
}
