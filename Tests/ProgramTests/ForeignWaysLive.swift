import DockSimulator
import Foundation
import Geometry
import TestSupport

/// Ways in through what runs beside the program: children, docks, another daemon.
extension ForeignWay {
    /// A detector's script in a shell, with hostile text in its messages and on standard error.
    private static let detector: String = {
        let lines = [
            #"{"type":"hello","v":1,"detector":"\#(Hostile.json)","landmarks":["\#(Hostile.json)"],"units":"\#(Hostile.json)"}"#,
            #"{"type":"status","level":"warning","code":"\#(Hostile.json)","text":"\#(Hostile.json)"}"#,
            #"{"type":"status","level":"\#(Hostile.json)","text":"\#(Hostile.json)"}"#,
            #"{"type":"\#(Hostile.json)","\#(Hostile.json)":1}"#, "{\(Hostile.mark)\u{9B}2J\u{202E}}",
            #"{"faces":[{"rect":[0.45,0.40,0.10,0.20],"id":"\#(Hostile.json)"}]}"#,
        ]
        return "#!/bin/sh\ncat >&2 <<'END'\n\(Hostile.text)\nEND\n" + "printf 'MARK\\377\\233\\n' >&2\n"
            + "cat <<'END'\n\(lines.joined(separator: "\n"))\nEND\nexec sleep 30\n"
    }()

    private static func script() throws -> TemporaryFile {
        let file = try TemporaryFile(detector, ".sh")
        chmod(file.path, 0o755)
        return file
    }

    static let children: [ForeignWay] = [
        ForeignWay(name: "a detector's lines and standard error") {
            let script = try Self.script()
            let daemon = try ControlledDaemon(["--detector", "exec:\(script.path)"], mode: "system")
            guard daemon.wait(until: { daemon.program.errors.contains(Hostile.mark) }) else {
                throw Silence(description: "the detector says nothing: \(daemon.program.errors)")
            }
            guard daemon.wait(until: { (try? daemon.verb("status", "--json").output.contains(Hostile.mark)) ?? false })
            else {
                throw Silence(description: "the status does not name it: \(try daemon.verb("status"))")
            }
            return try said(daemon.program, "run") + verbs(of: daemon)
        },
        ForeignWay(name: "what `detect` reads from a detector") {
            let script = try Self.script()
            return try [[], ["--json"], ["--summary"]].flatMap { more in
                try run(["detect", "--detector", "exec:\(script.path)", "--seconds", "2"] + more)
            }
        },
        ForeignWay(name: "a detector that does not start") {
            try run([
                "detect", "--detector", "exec:/nonexistent/\(Hostile.text.replacing(" ", with: "_"))", "--seconds", "1",
            ])
        },
        ForeignWay(name: "a stream for `track`", mark: "an unknown value") {
            let lines = detector.split(separator: "\n").filter { $0.hasPrefix("{") }.joined(separator: "\n")
            return try run(["track"], input: lines + "\n")
        },
    ]

    /// What the verbs of another shell print about a daemon.
    private static func verbs(of daemon: ControlledDaemon) throws -> [Said] {
        try [["status"], ["status", "--json"], ["source"], ["metrics"], ["face", "--remote", "happy"]].flatMap { verb in
            let program = try daemon.start(verb)
            _ = program.end()
            return said(program, verb.joined(separator: " "))
        }
    }

    static let docks: [ForeignWay] = [
        // The firmware leaves room for six letters after "simulated ".
        "\u{1B}[2J\r\n", "\u{9B}\u{202E}\u{7}", "\u{1B}c\u{85}M",
    ].map { name in
        ForeignWay(name: "a dock that calls itself \(name.debugDescription)", mark: "simulated \\u{") {
            var setup = SimulatedDock.Configuration()
            setup.model.name = name
            let link = TemporaryFile.freePath("foreign-dock")
            let dock = try SimulatedDockPort(configuration: setup, link: link)
            defer { dock.close() }
            let daemon = try ControlledDaemon(dock: dock, port: link)
            return try said(daemon.program, "run") + verbs(of: daemon)
        }
    }

    // MARK: a daemon of another kind

    private static let moved = #"{"answer":"\#(Hostile.json)","motion":1,"duration":1}"#
    private static let motion =
        #"{"t":1,"owner":"\#(Hostile.json)","source":"\#(Hostile.json)","motion":{"id":1,"name":"\#(Hostile.json)","fraction":0.5,"duration":1}}"#

    /// A status whose texts are all hostile.
    private static let status: String = {
        let h = Hostile.json
        return
            #"{"version":"\#(h)","uptime":1,"accessory":{"dock":"\#(h)","reason":"\#(h)","identity":{"name":"\#(h)","#
            + #""model":"\#(h)","firmware":"\#(h)","uid":"\#(h)"},"mode":"\#(h)","framing":"\#(h)","control":"\#(h)"},"#
            + #""motion":\#(motion),"tracking":{"phase":"\#(h)","subjects":[{"id":1,"kind":"\#(h)"}]},"#
            + #""battery":{"batteries":[{"name":"\#(h)","charge":"\#(h)"}]},"face":{"expression":"\#(h)"},"#
            + #""camera":{"name":"\#(h)","state":"\#(h)","problem":"\#(h)"},"detector":{"source":"\#(h)"},"#
            + #""eyes":{"name":"\#(h)","state":"\#(h)","problem":"\#(h)"},"#
            + #""sources":[{"name":"\#(h)","state":"\#(h)","problem":"\#(h)"}],"\#(h)":"\#(h)","#
            + #""why":{"pan":{"state":"\#(h)","text":"\#(h)"},"tilt":{"state":"\#(h)","text":"\#(h)"}}}"#
    }()

    private static func answer(_ request: FakeDaemon.Request) -> [FakeDaemon.Step] {
        let h = Hostile.json
        return switch request.method {
        case "status": [.result(status)]
        case "subscribe":
            [.result("{}")]
                + [
                    ("motion", motion), ("log", #"{"level":"\#(h)","text":"\#(h)"}"#),
                    ("face", #"{"expression":"\#(h)"}"#),
                    ("accessory", #"{"dock":"\#(h)","control":"\#(h)"}"#), ("tracking", #"{"phase":"\#(h)"}"#),
                    ("battery", #"{"batteries":[{"name":"\#(h)"}]}"#), (h, "{}"),
                ].map { .event(topic: $0.0, data: $0.1) }
        case "command" where request.words.hasPrefix("orient"):
            [
                .result(moved), .event(topic: "motion", data: motion),
                .event(topic: "motion", data: #"{"ended":{"id":1,"name":"\#(h)","outcome":"\#(h)"}}"#),
            ]
        case "latency":
            [.result(#"{"window":1,"stages":[{"stage":"\#(h)","from":"\#(h)","to":"\#(h)","why":"\#(h)"}]}"#)]
        // Metrics consist of lines.
        case "metrics": [.result(#"{"text":"\#(h.replacing("\\r\\n", with: "\\r"))"}"#)]
        case "trace": [.result(#"{"path":"\#(h)"}"#)]
        default: [.result(#"{"answer":"\#(h)"}"#)]
        }
    }

    private static let verbs: [[String]] = [
        ["status"], ["status", "--why"], ["tap", "0.4", "0.6"], ["orient", "1", "2"], ["latency", "--once"],
        ["metrics"],
        ["trace"], ["help"], ["source"],
    ]

    private static func ask(_ daemon: FakeDaemon) throws -> [Said] {
        defer { daemon.end() }
        return try verbs.flatMap { verb in
            try [verb, verb + ["--json"]].flatMap { try run($0, environment: ["DOCKFACE_SOCKET": daemon.path]) }
        }
    }

    static let daemons: [ForeignWay] = [
        ForeignWay(name: "a daemon's answers") { try ask(FakeDaemon { answer($0) }) },
        ForeignWay(name: "a daemon's refusals") {
            try ask(
                FakeDaemon { _ in [.refusal(name: Hostile.json, message: Hostile.json, hint: Hostile.json)] })
        },
        ForeignWay(name: "a daemon that speaks no JSON") {
            try ask(FakeDaemon { _ in [.line(Hostile.text.replacing("\r\n", with: "\r"))] })
        },
        ForeignWay(name: "a daemon of another protocol") {
            try ask(FakeDaemon(greeting: #"{"name":"dockface","version":"\#(Hostile.json)","protocol":9}"#))
        },
        ForeignWay(name: "a daemon that is full") {
            try ask(
                FakeDaemon(
                    greeting:
                        #"{"error":{"message":"\#(Hostile.json)","data":{"name":"\#(Hostile.json)","hint":"\#(Hostile.json)"}}}"#
                ))
        },
        ForeignWay(name: "a daemon's events") {
            let daemon = try FakeDaemon { answer($0) }
            defer { daemon.end() }
            return try [[], ["--json"]].flatMap { more in
                let program = try Program(["watch", "--socket", daemon.path] + more)
                guard program.wait(until: { program.output.components(of: Hostile.mark) >= 7 }) else {
                    throw Silence(description: "no events: \(program.output.debugDescription) \(program.errors)")
                }
                return said(program, "watch")
            }
        },
    ]
}
