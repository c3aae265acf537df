import ControlProtocol
import Foundation
import Glibc
import Synchronization

/// A daemon that records what it is sent, and answers only from `answer` on.
final class LineDaemon: Sendable {
    private struct State {
        var open: [(peer: Int32, id: Int)] = []
        var peers: [Int32] = []
        var isSilent = false
    }

    let path: String
    private let folder = Folder()
    private let listener: Int32
    private let state = Mutex(State())
    /// One entry for each line that arrives.
    let arrivals: AsyncStream<String>
    private let arrival: AsyncStream<String>.Continuation

    /// Starts to listen. `isSilent`: it answers nothing until `answer`.
    init(isSilent: Bool) throws {
        path = folder.path + "/s"
        (arrivals, arrival) = AsyncStream.makeStream(of: String.self)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = path
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
        state.withLock { $0.isSilent = isSilent }
        Thread.detachNewThread { [self] in
            while case let peer = accept(listener, nil, nil), peer >= 0 {
                state.withLock { $0.peers.append(peer) }
                Thread.detachNewThread { [self] in serve(peer) }
            }
        }
    }

    /// Ends all connections, and no longer listens.
    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        for peer in state.withLock({ $0.peers }) { shutdown(peer, Int32(SHUT_RDWR)) }
        arrival.finish()
    }

    /// Answers what waits, and from now on at once.
    func answer() {
        let open = state.withLock { state in
            state.isSilent = false
            defer { state.open = [] }
            return state.open
        }
        for (peer, id) in open {
            send(peer, #"{"jsonrpc":"2.0","id":\#(id),"result":{"answer":"ok","mode":"manual"}}"#)
        }
    }

    private func serve(_ peer: Int32) {
        send(peer, #"{"name":"dockface","version":"9","protocol":1,"features":[]}"#)
        var waiting: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(peer, &chunk, chunk.count, 0), count > 0 {
            waiting += chunk[..<count]
            while let end = waiting.firstIndex(of: 0x0A) {
                let call = JSONValue(json: waiting[..<end]) ?? .null
                waiting.removeSubrange(...end)
                guard let id = call["id"]?.integer, let method = call["method"]?.string else { continue }
                let isSilent = state.withLock { state in
                    if state.isSilent { state.open.append((peer, id)) }
                    return state.isSilent
                }
                if !isSilent {
                    send(peer, #"{"jsonrpc":"2.0","id":\#(id),"result":{"answer":"ok","mode":"manual"}}"#)
                }
                arrival.yield(call["params"]?["line"]?.string ?? method)
            }
        }
    }

    private func send(_ peer: Int32, _ line: String) {
        let bytes = Array((line + "\n").utf8)
        Glibc.send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
