import CPosix
import Foundation
import Glibc
import Synchronization
import TestSupport

/// The control socket of a daemon that sends what a test wants: a thread with a socket, and nothing behind it.
final class FakeDaemon: Sendable {
    /// The reactions to a request, in order. The texts are JSON.
    enum Step: Sendable {
        /// Answers.
        case result(String)
        /// Refuses.
        case refusal(name: String, message: String, hint: String)
        /// Sends an event.
        case event(topic: String, data: String, kind: String = "change")
        /// Sends a line as it is.
        case line(String)
        /// Ends the connection.
        case hangUp
    }

    /// A request as it arrived.
    struct Request: Sendable {
        /// The whole line.
        let line: String
        let method: String
        /// The words of `command`; otherwise empty.
        let words: String
        let id: Int
    }

    private struct State {
        var requests: [Request] = []
        var clients: [Int32] = []
        var sequence = 0
        var isOver = false
    }

    static let greeting = #"{"name":"dockface","version":"0.1.0","protocol":1}"#

    /// The path of the socket.
    let path: String
    private let listener: Int32
    private let wake = cposix_wake_create()
    private let state = Mutex(State())
    private let greeting: String?
    private let answers: @Sendable (Request) -> [Step]

    /// Listens. `greeting` nil: sends no greeting.
    init(
        _ name: String = "control", greeting: String? = FakeDaemon.greeting,
        _ answers: @escaping @Sendable (Request) -> [Step] = { _ in [.result("{}")] }
    ) throws {
        path = TemporaryFile.freePath(name + ".sock")
        (self.greeting, self.answers) = (greeting, answers)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        unlink(path)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, listen(listener, 8) == 0 else { throw Silence(description: "no socket at \(path)") }
        Thread.detachNewThread { [self] in serve() }
    }

    /// All requests so far.
    var requests: [Request] { state.withLock { $0.requests } }
    /// The lines of command words so far.
    var words: [String] { requests.filter { $0.method == "command" }.map(\.words) }
    /// The methods so far.
    var methods: [String] { requests.map(\.method) }

    /// Sends to all connected clients.
    func tell(_ step: Step) {
        state.withLock { state in for client in state.clients { perform(step, client: client, id: 0, &state) } }
    }

    /// Ends connections, socket and thread.
    func end() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        guard !wasOver else { return }
        unlink(path)
        cposix_wake_ring(wake)
    }

    private func serve() {
        var buffers: [Int32: [UInt8]] = [:], chunk = [UInt8](repeating: 0, count: 4096)
        while !state.withLock({ $0.isOver }) {
            let clients = state.withLock { $0.clients }
            var waits = ([wake, listener] + clients).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waits, nfds_t(waits.count), -1) > 0 else { continue }
            if waits[1].revents != 0 {
                let client = accept(listener, nil, nil)
                _ = cposix_set_cloexec(client)
                state.withLock { state in
                    state.clients.append(client)
                    if let greeting { perform(.line(greeting), client: client, id: 0, &state) }
                }
            }
            for wait in waits[2...] where wait.revents != 0 {
                let count = read(wait.fd, &chunk, chunk.count)
                guard count > 0 else {
                    state.withLock { $0.clients.removeAll { $0 == wait.fd } }
                    close(wait.fd)
                    buffers[wait.fd] = nil
                    continue
                }
                buffers[wait.fd, default: []] += chunk[..<count]
                while let end = buffers[wait.fd]?.firstIndex(of: 0x0A), let line = buffers[wait.fd]?[..<end] {
                    answer(String(decoding: line, as: UTF8.self), client: wait.fd)
                    buffers[wait.fd]?.removeSubrange(...end)
                }
            }
        }
        state.withLock { state in
            // A process that was just started may hold a copy: the shutdown ends it for the other side anyway.
            for client in state.clients {
                shutdown(client, Int32(SHUT_RDWR))
                close(client)
            }
            state.clients = []
        }
        close(listener)
        close(wake)
    }

    private func answer(_ line: String, client: Int32) {
        let object = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
        let request = Request(
            line: line, method: object["method"] as? String ?? "",
            words: (object["params"] as? [String: Any])?["line"] as? String ?? "", id: object["id"] as? Int ?? -1)
        let steps = answers(request)
        state.withLock { state in
            state.requests.append(request)
            for step in steps { perform(step, client: client, id: request.id, &state) }
        }
    }

    private func perform(_ step: Step, client: Int32, id: Int, _ state: inout State) {
        switch step {
        case .result(let json): put(#"{"id":\#(id),"jsonrpc":"2.0","result":\#(json)}"#, client)
        case .refusal(let name, let message, let hint):
            put(
                #"{"id":\#(id),"jsonrpc":"2.0","error":{"code":-32007,"data":{"hint":"\#(hint)","name":"\#(name)"},"#
                    + #""message":"\#(name): \#(message)"}}"#, client)
        case .event(let topic, let data, let kind):
            state.sequence += 1
            put(
                #"{"jsonrpc":"2.0","method":"event","params":{"data":\#(data),"kind":"\#(kind)","#
                    + #""seq":\#(state.sequence),"topic":"\#(topic)"}}"#, client)
        case .line(let line): put(line, client)
        // The thread closes it: a close has no effect while another thread polls it.
        case .hangUp: shutdown(client, Int32(SHUT_RDWR))
        }
    }

    private func put(_ line: String, _ client: Int32) {
        let bytes = Array((line + "\n").utf8)
        _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}

/// Runs a verb to its end, with the daemon's socket in its environment.
func ran(_ arguments: [String], _ daemon: FakeDaemon) throws -> (Program, Program.Ending?) {
    var setup = Program.Setup()
    setup.environment = ["DOCKFACE_SOCKET": daemon.path]
    let program = try Program(arguments, setup)
    return (program, program.end())
}
