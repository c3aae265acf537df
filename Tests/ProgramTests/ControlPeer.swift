import CPosix
import Foundation
import Glibc
import TestSupport

/// A JSON value as parsed by Foundation, which the daemon does not use: an independent check.
struct JSON: CustomStringConvertible {
    let value: Any?

    init(_ value: Any?) { self.value = value }

    /// Parses a line; a fragment is a value, too.
    init(line: some Sequence<UInt8>) {
        value = try? JSONSerialization.jsonObject(with: Data(line), options: [.fragmentsAllowed])
    }

    subscript(name: String) -> JSON { JSON((value as? [String: Any])?[name]) }
    subscript(index: Int) -> JSON { JSON(array.indices.contains(index) ? array[index].value : nil) }
    var array: [JSON] { (value as? [Any])?.map { JSON($0) } ?? [] }
    var names: Set<String> { Set((value as? [String: Any])?.keys.map { $0 } ?? []) }
    var string: String? { value as? String }
    var int: Int? { number.flatMap { Int(exactly: $0) } }
    var exists: Bool { value != nil }
    var isNull: Bool { value is NSNull }
    // A JSON bool is also a number for Foundation.
    private var isBool: Bool {
        guard let number = value as? NSNumber else { return false }
        return String(cString: number.objCType) == "c"
    }
    var bool: Bool? { isBool ? value as? Bool : nil }
    var number: Double? { isBool ? nil : (value as? NSNumber)?.doubleValue }

    /// As one line.
    var description: String {
        guard let value, let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed])
        else { return "nothing" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// A program at the daemon's control socket, in the test process. It reads only when the test waits.
final class ControlPeer {
    /// An answer: the result, or the error.
    struct Answer: CustomStringConvertible {
        let line: JSON
        var result: JSON { line["result"] }
        /// The error's name; nil: no error.
        var refusal: String? { line["error"]["data"]["name"].string }
        var code: Int? { line["error"]["code"].int }
        /// Seconds from the request to the answer.
        var took = 0.0
        var description: String { line.description }
    }

    let descriptor: Int32
    /// The daemon's greeting.
    private(set) var greeting = JSON(nil)
    private(set) var events: [JSON] = []
    /// Answers to lines without a valid id, and batches.
    private(set) var others: [JSON] = []
    /// The daemon has closed the connection.
    private(set) var isEnded = false
    private var answers: [Int: JSON] = [:]
    private var methods: [Int: String] = [:]
    private var rest: [UInt8] = []
    private var lastID = 0
    private var closed = false
    // Keeps the daemon alive while a peer is connected.
    private let daemon: ControlledDaemon

    /// Connects; `greets` false: does not wait for the greeting.
    init(_ daemon: ControlledDaemon, greets: Bool = true) throws {
        self.daemon = daemon
        descriptor = try Self.connect(daemon.socket)
        if greets, !wait(until: { greeting.exists }) {
            throw Silence(description: "no greeting: \(daemon.program.errors)")
        }
    }

    deinit { close() }

    static func connect(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            defer { Glibc.close(descriptor) }
            throw Silence(description: "cannot connect to \(path): \(String(cString: strerror(errno)))")
        }
        _ = cposix_set_nonblocking(descriptor, true)
        return descriptor
    }

    func close() {
        guard !closed else { return }
        closed = true
        Glibc.close(descriptor)
    }

    /// Shuts down writing.
    func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

    // MARK: sending

    /// Sends bytes as they are, and reads meanwhile unless told not to. Returns how many were accepted.
    @discardableResult
    func send(_ bytes: [UInt8], within seconds: Double = 10, reads: Bool = true) -> Int {
        let end = monotonicNow() + seconds
        var sent = 0
        while sent < bytes.count, monotonicNow() < end {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno != EAGAIN {
                break
            } else if reads {
                pump(0.005)
            } else {
                poll(0.005)
            }
        }
        return sent
    }

    @discardableResult
    func send(_ line: String, reads: Bool = true) -> Int { send(Array((line + "\n").utf8), reads: reads) }

    /// Sends a request and returns its id.
    @discardableResult
    func ask(_ method: String, _ params: String = "{}") -> Int {
        lastID += 1
        methods[lastID] = method
        let line = #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#
        requests[lastID] = line
        send(line)
        return lastID
    }
    private var requests: [Int: String] = [:]

    func notify(_ method: String, _ params: String = "{}") {
        send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
    }

    /// Waits for the answer to a request.
    func answer(_ id: Int, within seconds: Double = 5) throws -> Answer {
        let start = monotonicNow()
        guard wait(seconds, until: { answers[id] != nil }), let line = answers.removeValue(forKey: id) else {
            throw Silence(description: "no answer to \(methods[id] ?? "?"): \(daemon.program.errors.suffix(300))")
        }
        return Answer(line: line, took: monotonicNow() - start)
    }

    /// Sends a request and waits for its answer.
    @discardableResult
    func call(_ method: String, _ params: String = "{}", within seconds: Double = 5) throws -> Answer {
        try answer(ask(method, params), within: seconds)
    }

    /// The result of a call that must succeed.
    @discardableResult
    func result(_ method: String, _ params: String = "{}") throws -> JSON {
        let answer = try call(method, params)
        guard answer.result.exists else { throw Silence(description: "\(method) \(params): \(answer)") }
        return answer.result
    }

    // MARK: receiving

    /// Reads until a condition holds, for at most `seconds`.
    @discardableResult
    func wait(_ seconds: Double = 10, until isSo: () throws -> Bool) rethrows -> Bool {
        let end = monotonicNow() + seconds
        while true {
            pump(0)
            if try isSo() { return true }
            if isEnded, rest.isEmpty { return try isSo() }
            if monotonicNow() >= end { return false }
            pump(0.005)
        }
    }

    func poll(_ seconds: Double) {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        Glibc.poll(&room, 1, Int32(seconds * 1000))
    }

    /// Reads what is available, waiting briefly.
    func pump(_ seconds: Double) {
        var ready = pollfd(fd: isEnded ? -1 : descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&ready, 1, Int32(seconds * 1000)) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            if count == 0 || errno != EAGAIN { isEnded = true }
            return
        }
        rest += buffer[..<count]
        while let end = rest.firstIndex(of: 0x0A) {
            receive(Array(rest[..<end]))
            rest.removeSubrange(...end)
        }
    }

    private func receive(_ bytes: [UInt8]) {
        let line = JSON(line: bytes)
        let id = line["id"].int
        Said.line(
            bytes, line, request: id.flatMap { requests.removeValue(forKey: $0) }, method: id.flatMap { methods[$0] })
        if line["method"].string == "event" {
            events.append(line["params"])
        } else if let id, methods[id] != nil {
            answers[id] = line
        } else if line["protocol"].exists {
            greeting = line
        } else {
            others.append(line)
        }
    }

    /// Discards everything received so far.
    func forget() {
        pump(0)
        events = []
        others = []
    }

    /// The events since the last call.
    func takeEvents() -> [JSON] {
        pump(0)
        defer { events = [] }
        return events
    }

    /// Waits for an event of a topic that satisfies a condition.
    @discardableResult
    func event(_ topic: String, within seconds: Double = 5, _ isSo: (JSON) -> Bool = { _ in true }) -> JSON? {
        var found: JSON?
        wait(seconds) {
            found = events.first { $0["topic"].string == topic && isSo($0["data"]) }
            return found != nil
        }
        return found
    }

    /// How a motion ended; nil: it did not.
    func outcome(of motion: Int?, within seconds: Double = 10) -> String? {
        var found: String?
        wait(seconds) {
            found =
                events.lazy.filter { $0["topic"].string == "motion" }.flatMap { $0["data"]["endings"].array }
                .first { $0["id"].int == motion }?["outcome"].string
            return found != nil
        }
        return found
    }
}
