public import ControlProtocol
public import DockTypes

/// Questions about the daemon. All of these throw the daemon's error, `notConnected`, or `timeout`.
extension Dock {
    /// Returns the whole state.
    /// - Parameter why: whether it says why each axis moves or does not.
    public func status(why: Bool = false) async throws(DockError) -> StatusReading {
        let answer = try await call("status", why ? ["why": .bool(true)] : [:])
        guard let status = StatusReading(json: answer) else { throw Self.unreadable("the status", answer) }
        return status
    }

    /// Returns how long each stage takes from a frame to its effect, as in docs/CONTROL-API.md.
    public func latency() async throws(DockError) -> JSONValue { try await call("latency") }

    /// Returns the metrics in Prometheus' text format.
    public func metrics() async throws(DockError) -> String {
        try await member("metrics", [:], "text") { $0.string }
    }

    /// Writes the last half minute to a file. Returns its path.
    public func trace() async throws(DockError) -> String { try await member("trace", [:], "path") { $0.string } }

    /// Carries out a line of command words, with their precedence. Returns the answer.
    @discardableResult
    public func command(_ line: String) async throws(DockError) -> String {
        try await member("command", ["line": .string(line)], "answer") { $0.string }
    }
}

extension Dock {
    /// Calls a method and reads one member of its result.
    func member<Value>(
        _ method: String, _ parameters: [String: JSONValue], _ name: String, _ read: (JSONValue) -> Value?
    ) async throws(DockError) -> Value {
        let answer = try await call(method, parameters)
        guard let value = answer[name].flatMap(read) else { throw Self.unreadable("\(method)'s \"\(name)\"", answer) }
        return value
    }

    func word<Value: RawRepresentable<String>>(
        _ method: String, _ parameters: [String: JSONValue], _ name: String
    ) async throws(DockError) -> Value {
        try await member(method, parameters, name) { $0.string.flatMap(Value.init(rawValue:)) }
    }

    func named(_ method: String, _ name: String) async throws(DockError) -> JSONValue {
        try await call(method, ["name": .string(name)])
    }

    func motion(_ method: String, _ parameters: [String: JSONValue] = [:]) async throws(DockError) -> DockMotion {
        try DockMotion(try await call(method, parameters), of: self)
    }

    static func unreadable(_ what: String, _ answer: JSONValue) -> DockError {
        DockError(
            .protocolError,
            "dockface answered without \(what): \(String(decoding: answer.bytes.prefix(80), as: UTF8.self))",
            hint: "update this program, or dockface")
    }
}
