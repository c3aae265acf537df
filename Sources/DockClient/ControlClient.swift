internal import CPosix
public import ControlProtocol
public import DockTypes
internal import Files
public import Geometry
internal import Glibc
public import PictureShare

/// A connection to a running daemon for programs that work sequentially: a call waits for its answer, up to its
/// timeout. It belongs to one thread.
public final class ControlClient {
    /// The daemon's description of itself.
    public typealias Greeting = ControlGreeting

    /// The daemon's first message.
    public let greeting: Greeting

    private let channel: LineChannel
    private var nextID = 1
    /// Events that arrived while a call waited for its answer. If there are too many, the newest are kept, because each
    /// contains a whole state.
    private var waiting: [DaemonEvent] = []
    private static let bound = 256

    /// Connects, and reads the greeting.
    /// - Parameters:
    ///   - path: the socket. If nil, the default is used, see docs/CONTROL-API.md.
    ///   - timeout: for the greeting, in seconds.
    /// - Throws: `notConnected` if no daemon runs there, `permission`, `timeout`, `protocolError` if it is another
    ///   program or another version of the protocol.
    public init(path: String? = nil, timeout: Seconds = 2) throws(DockError) {
        let (channel, path) = try Self.connect(path, timeout: timeout)
        guard let line = try channel.next(until: cposix_monotonic_now() + timeout) else { throw channel.silence }
        greeting = try ControlGreeting(line, from: path)
        self.channel = channel
    }

    /// The default socket of this user's daemon.
    public static var path: String {
        ControlSocketPath.default(
            environment: ProcessEnvironment.values("DOCKFACE_SOCKET", "XDG_RUNTIME_DIR"), uid: geteuid())
    }

    /// Connects to this user's daemon. If there is none and no socket was named, connects to the service.
    static func connect(
        _ named: String?, timeout: Seconds
    ) throws(DockError) -> (channel: LineChannel, path: String) {
        let own = named ?? path
        guard named == nil, ProcessEnvironment.value("DOCKFACE_SOCKET") == nil else {
            return (try LineChannel(path: own, timeout: timeout), own)
        }
        var isSafe = false
        do throws(DockError) {
            try SocketTrust.checkFolder(of: own)
            isSafe = true
            return (try LineChannel(path: own, timeout: timeout), own)
        } catch {
            // A user with a runtime folder elsewhere, as in tests and containers, does not want another user's dock. In
            // an unsafe folder there cannot be a daemon of this user.
            let runtime = ProcessEnvironment.value("XDG_RUNTIME_DIR"), service = ControlSocketPath.service
            guard runtime?.hasPrefix("/run/user/") ?? true, error.code == .notConnected || !isSafe, own != service
            else { throw error }
            do throws(DockError) {
                return (try LineChannel(path: service, timeout: timeout), service)
            } catch let other {
                // A service that this user may not access is reported, but a missing one is not.
                throw other.code == .permission && isSafe ? other : error
            }
        }
    }

    /// A descriptor that ends the wait when it becomes readable, for example for Ctrl-C; -1 if there is none. The
    /// caller reads it.
    public var interrupt: Int32 {
        get { channel.interrupt }
        set { channel.interrupt = newValue }
    }

    /// A descriptor that ends `nextEvent` when its reader is gone, for example standard output; -1 if there is none.
    public var output: Int32 {
        get { channel.output }
        set { channel.output = newValue }
    }

    /// A descriptor that becomes readable when events arrive, for a program that waits for other things too. Some events
    /// may have been read before: take all with `nextEvent(timeout: 0)`, and wait after that.
    public var descriptor: Int32 { channel.socket }

    /// Calls a method and returns its result.
    /// - Throws: the daemon's error with its name, message and hint; `timeout`; `notConnected` if the daemon ends.
    public func call(
        _ method: String, _ parameters: [String: JSONValue] = [:], timeout: Seconds = 10
    ) throws(DockError) -> JSONValue {
        switch try ask(method, parameters, timeout: timeout) {
        case .success(let result): return result
        case .failure(let refusal): throw refusal.error
        }
    }

    /// Calls a method and returns its result, or the daemon's error unchanged. Once `interrupt` is readable, at most
    /// one second remains for the answer.
    /// - Throws: `timeout`; `notConnected` if the daemon ends; `protocolError` if it does not speak JSON.
    public func ask(
        _ method: String, _ parameters: [String: JSONValue] = [:], timeout: Seconds = 10
    ) throws(DockError) -> Result<JSONValue, ControlRefusal> {
        let id = nextID
        nextID += 1
        var deadline = cposix_monotonic_now() + timeout
        var request: [String: JSONValue] = ["jsonrpc": .string("2.0"), "id": .number(id), "method": .string(method)]
        if !parameters.isEmpty { request["params"] = .object(parameters) }
        try channel.send(JSONValue.object(request).bytes, until: deadline)
        var isLastSecond = false
        while true {
            guard let line = try channel.next(until: deadline, isPatient: isLastSecond) else {
                let now = cposix_monotonic_now()
                guard !isLastSecond, now < deadline else { throw channel.silence }
                isLastSecond = true
                deadline = min(deadline, now + 1)
                continue
            }
            let message = try read(line)
            if let event = DaemonEvent(message) {
                if waiting.count == Self.bound { waiting.removeFirst() }
                waiting.append(event)
            } else if let error = message["error"] {
                // The answer to a request that could not be read has no id.
                guard let number = message["id"]?.integer else { return .failure(ControlRefusal(error)) }
                if number == id { return .failure(ControlRefusal(error)) }
            } else if message["id"]?.integer == id {
                return .success(message["result"] ?? .null)
            } else {
                discard(message)
            }
            // Other lines may arrive indefinitely.
            guard cposix_monotonic_now() < deadline else { throw channel.silence }
        }
    }

    /// Subscribes to topics: `nextEvent` returns a snapshot of each, then changes. With `everyFrame`, topic `tracking`
    /// comes for every frame and not only ten times a second.
    public func subscribe(_ topics: [Topic], everyFrame: Bool = false) throws(DockError) {
        var parameters: [String: JSONValue] = ["topics": .array(topics.map { .string($0.rawValue) })]
        if everyFrame { parameters["rate"] = .string("all") }
        _ = try call("subscribe", parameters)
    }

    /// Returns the next event. The result is nil if `timeout` seconds have passed (there is no limit if it is nil), or
    /// if `interrupt` or `output` ended the wait.
    /// - Throws: `notConnected` if the daemon ends; `protocolError`.
    public func nextEvent(timeout: Seconds? = nil) throws(DockError) -> DaemonEvent? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        let deadline = timeout.map { cposix_monotonic_now() + $0 }
        while let line = try channel.next(until: deadline) {
            let message = try read(line)
            if let event = DaemonEvent(message) { return event }
            discard(message)
            if let deadline, cposix_monotonic_now() >= deadline { break }
        }
        return nil
    }

    /// Opens the camera's pictures; what this connection had open before is closed. They are open as long as the
    /// result exists.
    /// - Parameters:
    ///   - maximumWidth: the largest width, in pixels, or nil for the width that detectors get.
    ///   - format: the format of the pixels, or nil for any.
    /// - Throws: `notSupported` if the daemon has no camera or no such pictures, `notConnected` if its camera delivers
    ///   none, `busy` if there are too many readers, `protocolError`.
    public func openPictures(maximumWidth: Int? = nil, format: PictureFormat? = nil) throws(DockError) -> Pictures {
        var parameters: [String: JSONValue] = [:]
        if let maximumWidth { parameters["maximumWidth"] = .number(maximumWidth) }
        if let format { parameters["format"] = .string(format.rawValue) }
        try greeting.require("pictures", at: channel.path)
        _ = try call("openPictures", parameters, timeout: 12)
        guard let (memory, bell) = channel.takeDescriptors() else {
            throw DockError(
                .protocolError, "\(channel.path) sent no pictures with its answer", hint: "update dockface")
        }
        defer { close(memory) }
        do throws(ShareFailure) {
            return Pictures(try PictureReader(memory), bell: bell, of: self)
        } catch {
            close(bell)
            throw DockError(.protocolError, error.description, hint: "update dockface")
        }
    }

    /// Waits until the daemon closes the connection. Returns false if it does not do so within `timeout` seconds.
    public func waitForEnd(timeout: Seconds) -> Bool {
        let deadline = cposix_monotonic_now() + timeout
        do {
            while let line = try channel.next(until: deadline), cposix_monotonic_now() < deadline {
                discard(try read(line))
            }
            return false
        } catch {
            return true
        }
    }

    /// Closes the descriptors that came with the late answer to a call that timed out.
    private func discard(_ message: JSONValue) {
        guard message["result"]?["slots"] != nil, let (memory, bell) = channel.takeDescriptors() else { return }
        close(memory)
        close(bell)
    }

    private func read(_ line: [UInt8]) throws(DockError) -> JSONValue {
        guard let value = JSONValue(json: line) else { throw ControlGreeting.invalid(line, from: channel.path) }
        return value
    }
}
