import Glibc
import Synchronization
import Testing
import TestSupport

extension ProgramTests {
    /// Other programs and the running daemon: whatever it says to them fits the schema.
    @Suite(.fitsSchema) enum Programs {}
}

/// Everything that daemons said at their sockets in these tests, with the requests that they took: each of it must fit
/// docs/control-api.schema.json.
enum Said {
    private static let entries = Mutex<Set<String>>([])

    /// A line of the daemon's, and the request that it answers.
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

    /// The result of a method, as a verb printed it.
    static func result(_ result: JSON, of method: String) {
        entries.withLock { _ = $0.insert(entry("results/\(method)", result.description)) }
    }

    /// What `watch` printed of an event.
    static func event(_ params: JSON) {
        let line = #"{"jsonrpc":"2.0","method":"event","params":\#(params)}"#
        entries.withLock { _ = $0.insert(entry("events/\(params["topic"].string ?? "?")", line)) }
    }

    private static func entry(_ place: String, _ message: String) -> String {
        #"{"schema":"\#(place)","message":\#(message)}"#
    }

    /// Holds what was said since the last check against the schema.
    static func check() throws {
        let lines = entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
        guard !lines.isEmpty else { return }
        let file = try TemporaryFile(lines.sorted().joined(separator: "\n") + "\n", ".jsonl")
        let (status, output) = try run("python3", [Place.file("scripts/check-schema"), file.path])
        // 69: the Python module for it is not installed here.
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

/// After all tests of a suite, and of those in it: what the daemons said in them fits the schema.
struct FitsSchema: SuiteTrait, TestScoping {
    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await function()
        try Said.check()
    }
}

extension Trait where Self == FitsSchema {
    /// Whatever a daemon says in these tests fits docs/control-api.schema.json.
    static var fitsSchema: Self { Self() }
}
