import DockWire
import Foundation
import TestSupport
import Testing

/// One hostile text in the encodings that the ways in need: everything in it that controls a terminal, and a word to
/// find it by.
enum Hostile {
    static let mark = "MARK"
    /// A title, a cleared screen, a line break, the 8-bit form of a sequence, reversed reading direction, an invisible
    /// letter.
    static let text =
        "\(mark)\u{1B}]0;title\u{7}\u{1B}[2J\r\nINJECTED\u{9B}2J\u{85}\u{202E}gpj\u{2028}\u{200F}\u{7F}\u{8}"
    /// Within JSON quotes: C0 must be escaped, and the others are written both ways.
    static let json =
        "\(mark)\\u001b]0;title\\u0007\\u001b[2J\\r\\nINJECTED\u{9B}2J\\u0085\u{202E}gpj\\u2028\\u200f\\u007f\\u0000\\b"
    /// Within the quotes of a TOML text or key.
    static let toml =
        "\(mark)\\u001b]0;title\\u0007\\u001b[2J\\r\\nINJECTED\u{9B}2J\\u0085\u{202E}gpj\\u2028\\u200f\\u007f\\b"
    /// Much of it.
    static let long = mark + String(repeating: text, count: 2000)

    /// What is wrong with bytes that a program wrote for a terminal; nil: nothing.
    static func flaw(in bytes: some Sequence<UInt8>) -> String? {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else { return "not UTF-8" }
        for scalar in text.unicodeScalars where scalar != "\n" {
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                return "U+\(String(scalar.value, radix: 16)) in \(text.debugDescription.prefix(600))"
            default: break
            }
        }
        for line in text.unicodeScalars.split(separator: "\n") {
            if line.starts(with: "INJECTED".unicodeScalars) { return "a line of its own: \(Substring(line))" }
            if line.count > 20_000 { return "a line of \(line.count) letters" }
        }
        return nil
    }
}

/// A way into the program from outside, and the program's output. A new way is a row of `all`.
struct ForeignWay: Sendable, CustomTestStringConvertible {
    let name: String
    /// Sends the text in. Returns the programs that printed something, or bytes of the control socket.
    let send: @Sendable () throws -> [Said]
    /// The text that shows that it came in.
    let mark: String
    var testDescription: String { name }

    init(name: String, mark: String = Hostile.mark, send: @escaping @Sendable () throws -> [Said]) {
        (self.name, self.mark, self.send) = (name, mark, send)
    }

    /// The output.
    struct Said {
        let place: String
        let bytes: [UInt8]
    }

    static let all = files + words + children + docks + daemons

    /// Runs a verb to its end.
    static func run(
        _ arguments: [String], input: String? = nil, environment: [String: String] = [:], seconds: Double = 20
    ) throws -> [Said] {
        var setup = Program.Setup()
        setup.environment = environment
        let program = try Program(arguments, setup)
        if let input { program.write(Array(input.utf8)) }
        program.closeInput()
        guard program.end(within: seconds) != nil else { throw Silence(description: "\(arguments): it does not end") }
        return said(program, arguments.first ?? "")
    }

    static func said(_ program: Program, _ name: String) -> [Said] {
        [
            Said(place: "\(name), standard output", bytes: program.outputBytes),
            Said(place: "\(name), standard error", bytes: Array(program.errors.utf8)),
        ]
    }

    // MARK: files and their names

    private static func file(
        _ name: String, _ text: String, _ ending: String, _ commands: [[String]], mark: String = Hostile.mark
    ) -> ForeignWay {
        ForeignWay(name: name, mark: mark) {
            let file = try TemporaryFile(text, ending)
            return try commands.flatMap { try run($0 + [file.path]) }
        }
    }

    /// The error for a text in a file that is not plain.
    private static let refusal = "expected a string in quotes, without control or invisible characters"

    private static let profile = TemporaryFile.text(of: Place.file("profiles/dlp-dock.toml")) ?? ""

    /// A trace with a header, a note, a command, a motion's end, a port that did not open, and HELLO_ACK and LOG of a
    /// dock.
    private static let trace: String = {
        let words = #""cause":"\#(Hostile.json)","driver":"\#(Hostile.json)","program":"\#(Hostile.json)""#
        let head =
            #"{"t":1,"k":"trace","at":1,\#(words),"dropped":0,"records":1,"rig":"\#(Hostile.json)","v":1,"written":{"utc":"\#(Hostile.json)"}}"#
        let records = [
            #"{"t":1,"k":"note","text":"\#(Hostile.json)"}"#,
            #"{"t":2,"k":"cmd","command":"\#(Hostile.json)","text":"\#(Hostile.json)","values":[]}"#,
            #"{"t":3,"k":"end","motion":1,"name":"\#(Hostile.json)","outcome":"\#(Hostile.json)"}"#,
            #"{"t":4,"k":"shut","problem":"\#(Hostile.json)"}"#,
            #"{"t":5,"k":"state","dock":"\#(Hostile.json)","cause":"\#(Hostile.json)","mode":"\#(Hostile.json)"}"#,
            #"{"t":6,"k":"set","pan":0,"tilt":0,"owner":"\#(Hostile.json)","reason":"\#(Hostile.json)"}"#,
        ]
        return ([head] + records).joined(separator: "\n") + "\n"
    }()

    static let files: [ForeignWay] = [
        file(
            "keys of a profile", profile + "\n[\"\(Hostile.toml)\"]\n\"\(Hostile.toml)\" = 1\n", ".toml",
            [["profiles", "check"], ["run", "--port", "sim", "--headless", "--profile"]]),
        file(
            "a name in a profile", profile.replacing(/name *= "[^"]*"/, with: "name = \"\(Hostile.toml)\""), ".toml",
            [["profiles", "check"], ["profiles", "show"]], mark: refusal),
        file(
            "a profile that is not TOML", "x = MARK\u{1B}]0;title\u{7}\r\u{1B}[2J\n", ".toml", [["profiles", "check"]],
            mark: "not TOML"),
        file(
            "a driver in a profile", profile.replacing(/driver *= "[^"]*"/, with: "driver = \"\(Hostile.toml)\""),
            ".toml", [["profiles", "check"]], mark: refusal),
        file(
            "keys of a face", "name = \"\(Hostile.toml)\"\n\"\(Hostile.toml)\" = 1\n", ".toml", [["face", "--check"]]),
        file(
            "keys of the settings", "\"\(Hostile.toml)\" = 1\nport = \"\(Hostile.toml)\"\n", ".toml",
            [["config", "check"]]),
        file(
            "a port of the settings", "port = \"\(Hostile.toml)\"\n", ".toml", [["run", "--headless", "--config"]],
            mark: refusal),
        file(
            "a trace", trace, ".trace",
            [["replay"], ["replay", "--json"], ["replay", "--decisions"], ["plot", "--output", "/dev/null"]]),
        ForeignWay(name: "a dock's words in a trace", mark: "MARK\\u{1b}") {
            func text(_ bytes: String) -> WireText { bytes.utf8.reduce(into: WireText()) { $0.append($1) } }
            let who = Identity(
                capabilities: [], firmware: FirmwareVersion(major: 1, minor: 0, patch: 0), hardware: 1, uniqueID: 1,
                model: text("MARK\u{1B}[2J\r\n\u{9B}\u{7}"))
            let messages: [DockMessage] = [
                .helloAck(who), .log(LogReport(level: 1, text: text(String(Hostile.text.prefix(40))))),
            ]
            let lines = messages.map { message in
                let hex = EncodedFrame(Frame(type: message.type, sequence: 1, body: message.body)).array.map {
                    String(Int($0) + 256, radix: 16).dropFirst()
                }
                return #"{"t":2,"k":"rx","hex":"\#(hex.joined())"}"#
            }
            let head = #"{"t":1,"k":"trace","cause":"test","driver":"dlp","rig":"test","v":1}"#
            let file = try TemporaryFile(([head] + lines).joined(separator: "\n") + "\n", ".trace")
            return try [["replay"], ["replay", "--json"]].flatMap { try run($0 + [file.path]) }
        },
        ForeignWay(name: "adopted rigs", mark: "control or invisible characters") {
            let folder = TemporaryFile.freePath("foreign-rigs")
            try FileManager.default.createDirectory(atPath: folder + "/dockface", withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            for key in ["name", "port", "profile"] {
                var row = ["name": "desk", "port": "/dev/ttyACM0", "profile": "dlp-dock"]
                row[key] = Hostile.toml
                let text = "[[rig]]\n" + row.map { "\($0.key) = \"\($0.value)\"\n" }.joined()
                try text.write(toFile: folder + "/dockface/rigs.toml", atomically: true, encoding: .utf8)
            }
            return try [["ports"], ["doctor"]].flatMap { try run($0, environment: ["XDG_CONFIG_HOME": folder]) }
        },
        ForeignWay(name: "names of files") {
            let path = TemporaryFile.freePath("") + Hostile.text
            try "{}".write(toFile: path, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let right = path + ".right.toml"
            try profile.write(toFile: right, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: right) }
            return try [
                ["profiles", "check", right], ["replay", path], ["replay", path + "x"], ["plot", path],
                ["profiles", "check", path],
                ["profiles", "show", path + ".toml"], ["face", "--check", path], ["config", "check", path + "x"],
                ["run", "--port", "sim", "--headless", "--profile", path],
                ["run", "--port", "sim", "--headless", "--detector", "file:" + path],
                ["run", "--port", "sim", "--headless", "--camera", "file:" + path + "x", "--detector", "exec:true"],
                ["face", "happy", "--png", path + "/x/y"],
            ].flatMap { try run($0) }
        },
    ]

    // MARK: typed words, variables

    static let words: [ForeignWay] = [
        ForeignWay(name: "words of the command line") {
            try [
                [Hostile.text], ["tap", Hostile.text], ["face", Hostile.text], ["watch", Hostile.text],
                ["run", "--" + Hostile.text], ["run", Hostile.text], ["run", "--headless", "--mode", Hostile.text],
                ["run", "--headless", "--port", Hostile.text], ["run", "--headless", "--port", "tcp:" + Hostile.text],
                ["run", "--headless", "--port", "sim", "--detector", Hostile.text],
                ["run", "--headless", "--port", "sim", "--camera", Hostile.text],
                ["run", "--headless", "--port", "sim", "--profile", Hostile.text],
                ["status", "--socket", "/tmp/" + Hostile.text], ["adopt", "--port", Hostile.text],
                ["status", "--json", "--socket", "/tmp/" + Hostile.text],
            ].flatMap { try run($0) }
        },
        ForeignWay(name: "variables") {
            try ["PORT", "MODE", "DETECTOR", "LOG_LEVEL", "CONFIG", "PROFILE", "SOCKET"].flatMap { name in
                try run(
                    ["run", "--headless", "--seconds", "0.1"],
                    environment: ["DOCKFACE_PORT": "sim"].merging(["DOCKFACE_\(name)": Hostile.text]) { $1 })
            }
        },
        ForeignWay(name: "lines on standard input") {
            let program = try Program(
                ["run", "--port", "sim", "--headless", "--detector", "stdin", "--log-level", "debug"])
            for line in Self.lines { program.tell(line.replacing("\n", with: " ")) }
            program.tell("status")
            guard program.wait(20, until: { program.output.contains("mode system") }) else {
                throw Silence(description: "no answer: \(program.output) \(program.errors)")
            }
            program.signal(15)
            _ = program.end()
            return said(program, "run")
        },
        ForeignWay(name: "requests at the control socket") {
            let daemon = try ControlledDaemon()
            let peer = try ControlPeer.connect(daemon.socket)
            defer { close(peer) }
            var text = ""
            for line in Self.lines.dropFirst(2) { text += line.replacing("\n", with: " ") + "\n" }
            text += #"{"id":"last","method":"status"}"# + "\n"
            guard write(peer, text, text.utf8.count) == text.utf8.count else { throw Silence(description: "no room") }
            var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 65_536)
            guard
                daemon.wait(until: {
                    let count = read(peer, &chunk, chunk.count)
                    bytes += chunk.prefix(max(count, 0))
                    return String(decoding: bytes, as: UTF8.self).contains("\"last\"")
                })
            else { throw Silence(description: "no answer: \(String(decoding: bytes, as: UTF8.self))") }
            return said(daemon.program, "run") + [Said(place: "the socket", bytes: bytes)]
        },
    ]

    /// Lines for a daemon: words, then calls.
    private static let lines: [String] = [
        Hostile.text, "face \(Hostile.text)", "animate \(Hostile.text)", "preset save \(Hostile.text)",
        "source \(Hostile.text)", "watch \(Hostile.text)", "tap \(Hostile.text) 1", "orient 1 \(Hostile.text)",
        String(Hostile.long.prefix(20_000)),
        #"{"id":"\#(Hostile.json)","method":"\#(Hostile.json)"}"#,
        #"{"id":"\#(Hostile.mark)\#u{9B}2J\#u{202E}","method":"status"}"#,
        #"{"id":2,"method":"command","params":{"line":"\#(Hostile.json)"}}"#,
        #"{"id":3,"method":"command","params":{"\#(Hostile.json)":"\#(Hostile.json)"}}"#,
        #"{"id":4,"method":"expression","params":{"name":"\#(Hostile.json)"}}"#,
        #"{"id":5,"method":"subscribe","params":{"topics":["\#(Hostile.json)"]}}"#,
        #"{"id":6,"method":"setMode","params":{"mode":"\#(Hostile.json)"}}"#,
        #"{"\#(Hostile.json)":}"#,
        #"{"type":"hello","v":"\#(Hostile.json)","detector":"\#(Hostile.json)"}"#,
    ]
}
