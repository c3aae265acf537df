import Glibc
import Synchronization
import Testing
import TestSupport

extension ProgramTests {
    /// Other programs and the running daemon: every message of the daemon fits the schema.
    @Suite(.fitsSchema) enum Programs {}
}

/// All messages of daemons at their sockets in these tests, with the requests that they accepted: each must fit
/// docs/control-api.schema.json.
enum Said {
    private static let entries = Mutex<Set<String>>([])

    /// Records a line from the daemon, and the request that it answers.
    static func line(_ bytes: [UInt8], _ line: JSON, request: String?, method: String?) {
        let text = String(decoding: bytes, as: UTF8.self)
        var new = [entry("", line.exists ? text : "\"no JSON\"")]
        if let topic = line["params"]["topic"].string {
            new.append(entry("events/\(topic)", text))
        } else if line["result"].exists, let method {
            new.append(entry("results/\(method)", line["result"].description))
            if let request { new.append(entry("requests/\(method)", request)) }
        } else if let name = line["error"]["data"]["name"].string {
            new.append(entry("errors/\(name)", line["error"].description))
        }
        entries.withLock { $0.formUnion(new) }
    }

    /// Records the result of a method, as a verb printed it.
    static func result(_ result: JSON, of method: String) {
        entries.withLock { _ = $0.insert(entry("results/\(method)", result.description)) }
    }

    /// Records an event, as `watch` printed it.
    static func event(_ params: JSON) {
        let line = #"{"jsonrpc":"2.0","method":"event","params":\#(params)}"#
        entries.withLock { _ = $0.insert(entry("events/\(params["topic"].string ?? "?")", line)) }
    }

    private static func entry(_ place: String, _ message: String) -> String {
        #"{"schema":"\#(place)","message":\#(message)}"#
    }

    /// Checks the messages since the last check against the schema.
    static func check() throws {
        let lines = entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
        guard !lines.isEmpty else { return }
        let file = try TemporaryFile(lines.sorted().joined(separator: "\n") + "\n", ".jsonl")
        let (status, output) = try run("python3", [Place.file("scripts/check-schema"), file.path])
        // 69: the Python module for the check is not installed here.
        guard status != 69 else { return }
        #expect(status == 0, "\(output)")
    }

    /// Runs a tool to its end.
    static func run(_ tool: String, _ arguments: [String]) throws -> (Int32, String) {
        var setup = Program.Setup()
        setup.path = "/usr/bin/env"
        setup.hasInput = false
        for name in ["PATH", "PYTHONPATH", "HOME"] {
            setup.environment[name] = getenv(name).map { String(cString: $0) }
        }
        let program = try Program([tool] + arguments, setup)
        guard case .exit(let status) = program.end(within: 60) else {
            throw Silence(description: "\(tool) does not end: \(program.errors.suffix(300))")
        }
        return (status, String((program.output + program.errors).prefix(4000)))
    }
}

/// After all tests of a suite, nested ones included: the daemons' messages fit the schema.
struct FitsSchema: SuiteTrait, TestScoping {
    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await function()
        try Said.check()
    }
}

extension Trait where Self == FitsSchema {
    /// Every message of a daemon in these tests fits docs/control-api.schema.json.
    static var fitsSchema: Self { Self() }
}
