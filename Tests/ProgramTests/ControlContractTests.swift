import Glibc
import TestSupport
import Testing

/// The running daemon keeps its contract: every method is called, and every line that it sends fits the schema.
@Suite(.inLanes) struct ControlContractTests {
    /// Every method, in a sensible order. Calls that need people or a camera may be refused.
    static let calls: [(method: String, params: String)] = [
        ("subscribe", #"{"topics":["accessory","motion","tracking","battery","events","face","log"]}"#),
        ("status", #"{"why":true}"#), ("acquireControl", "{}"), ("setTrackingMode", #"{"mode":"manual"}"#),
        ("setSystemTrackingEnabled", #"{"enabled":true}"#), ("expect", #"{"pan":0.5,"tilt":0,"for":0.5}"#),
        ("setSystemTrackingEnabled", #"{"enabled":false}"#),
        ("setFramingMode", #"{"mode":"left"}"#), ("setRegionOfInterest", #"{"rect":[0.1,0.1,0.5,0.5]}"#),
        ("setRegionOfInterest", #"{"rect":null}"#), ("selectSubject", #"{"x":0.5,"y":0.5}"#),
        ("selectSubjects", #"{"ids":[]}"#),
        ("setAngularVelocity", #"{"pan":0.2,"tilt":0}"#),
        ("setOrientation", #"{"pan":0.2,"tilt":0.1,"duration":1}"#), ("cancelMotion", #"{"motion":2}"#), ("home", "{}"),
        ("setLimits", #"{"pan":{"min":-1,"max":1,"speed":1}}"#), ("setLimits", "{}"), ("setSpeed", #"{"share":0.5}"#),
        ("setExpression", #"{"name":"happy"}"#), ("setExpression", #"{"next":true}"#),
        ("setExpression", #"{"random":false}"#), ("setGesturesEnabled", #"{"enabled":true}"#),
        ("savePreset", #"{"name":"door"}"#), ("presets", "{}"), ("goToPreset", #"{"name":"door"}"#),
        ("deletePreset", #"{"name":"door"}"#), ("recordMotion", #"{"name":"wave"}"#),
        ("finishRecording", #"{"keep":false}"#), ("motions", "{}"), ("deleteMotion", #"{"name":"wave"}"#),
        ("setTorqueEnabled", #"{"enabled":true}"#), ("animate", #"{"motion":"yes"}"#), ("stop", "{}"),
        ("setZoom", #"{"factor":2}"#), ("flipCamera", "{}"),
        ("openPictures", "{}"), ("closePictures", "{}"),
        ("subscribe", #"{"topics":["tracking","detections","layers","indicators","cues"],"rate":"all"}"#),
        ("setLayer", #"{"name":"a","items":[{"kind":"box","rect":[0.1,0.1,0.2,0.2],"text":"cup"}]}"#),
        ("setLayer", #"{"name":"b","space":"world","items":[{"kind":"point","points":[[0,0,-2]],"mark":"+"}]}"#),
        ("setIndicator", #"{"name":"record","state":"on","text":"to a file"}"#), ("say", #"{"text":"hello"}"#),
        ("setExtension", #"{"name":"log","version":"0.2.0","state":"trying","text":"no disk","ttl":5}"#),
        ("cue", #"{"name":"found"}"#), ("setShutter", "{}"),
        ("setDistances", #"{"distances":[{"id":1,"distance":1.5,"error":0.02}],"nearest":0.9}"#),
        ("setTrackingMode", #"{"mode":"custom"}"#), ("track", #"{"observations":[{"id":1,"rect":[0.4,0.4,0.1,0.2]}]}"#),
        ("command", #"{"line":"mode manual"}"#), ("command", #"{"line":"home"}"#), ("releaseControl", "{}"),
        ("emergencyStop", "{}"), ("home", "{}"), ("clearFault", "{}"), ("status", "{}"), ("trace", "{}"),
        ("latency", "{}"), ("metrics", "{}"),
        ("selectSource", #"{"name":"yunet"}"#),
        ("unsubscribe", #"{"topics":["log"]}"#), ("unsubscribe", "{}"), ("nonsense", "{}"), ("home", #"{"now":1}"#),
    ]

    @Test func `every method is answered, and every line fits the schema`() throws {
        let place = TemporaryFile.freePath("contract"), path = place + "/control.sock"
        defer { _ = system("rm -rf '\(place)'") }
        var setup = Program.Setup()
        setup.environment = ["XDG_DATA_HOME": place, "HOME": place, "XDG_STATE_HOME": place + "/state"]
        let daemon = try Daemon(["--headless", "--detector", "stdin", "--socket", path], setup)
        try daemon.waitForPose()
        let line = try ControlLines(path)
        var entries = [Self.entry("greeting", try line.next())], refused: [String] = []
        for (number, call) in Self.calls.enumerated() {
            try line.send(#"{"jsonrpc":"2.0","id":\#(number),"method":"\#(call.method)","params":\#(call.params)}"#)
            while true {
                let text = try line.next()
                entries.append(Self.entry("", text))
                guard text.hasPrefix(#"{"id":\#(number),"#) else { continue }
                if let result = text.firstRange(of: #""result":"#) {
                    let value = String(text[result.upperBound...].dropLast())
                    entries.append(Self.entry("results/\(call.method)", value))
                } else {
                    refused.append(call.method)
                }
                break
            }
        }
        // No person is in sight, nothing was recorded, there is no camera, and the last ones are wrong. In the first
        // seconds hands may be near the dock.
        let mayBe: Set = [
            "openPictures", "selectSubject", "selectSource", "finishRecording", "deleteMotion", "home", "nonsense",
            "expect",
        ]
        #expect(Set(refused).isSubset(of: mayBe), "\(refused)")
        #expect(refused.contains("nonsense"))
        daemon.program.signal(SIGTERM)
        #expect(daemon.program.end() == .exit(0))
        #expect(access(path, F_OK) != 0)
        try Self.check(entries)
    }

    private static func entry(_ place: String, _ message: String) -> String {
        #"{"schema":"\#(place)","message":\#(message)}"#
    }

    /// The validator is optional: without it only the answers are checked.
    private static func check(_ entries: [String]) throws {
        guard system("python3 -c 'import fastjsonschema' >/dev/null 2>&1") == 0 else { return }
        let file = try TemporaryFile(entries.joined(separator: "\n") + "\n", ".jsonl")
        let said = file.path + ".out"
        defer { unlink(said) }
        let status = system("'\(Place.file("scripts/check-schema"))' '\(file.path)' >'\(said)' 2>&1")
        #expect(status == 0, "\(TemporaryFile.text(of: said) ?? "")")
    }
}

/// A connection to the daemon's socket, line by line.
private final class ControlLines {
    private let descriptor: Int32
    private var bytes: [UInt8] = []

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        try #require(name.count < 108)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
        try #require(isConnected, "no daemon at \(path)")
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws {
        let line = Array((text + "\n").utf8)
        try #require(Glibc.send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count)
    }

    func next() throws -> String {
        let end = monotonicNow() + 15
        while true {
            if let newline = bytes.firstIndex(of: 0x0A) {
                defer { bytes.removeFirst(newline + 1) }
                return String(decoding: bytes[..<newline], as: UTF8.self)
            }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            try #require(monotonicNow() < end, "the daemon is silent")
            guard poll(&wait, 1, 100) > 0 else { continue }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            try #require(count > 0, "the daemon has closed the connection")
            bytes += chunk[..<count]
        }
    }
}
