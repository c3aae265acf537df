import ControlProtocol
import Foundation
import Glibc
import Synchronization

/// A daemon that greets, and answers each call by a rule. It passes on what it receives.
final class FakeDaemon: Sendable {
    typealias Rule = @Sendable (_ method: String) -> String

    let path: String
    let calls: AsyncStream<JSONValue>
    private let listener: Int32
    private let output: AsyncStream<JSONValue>.Continuation
    private let open = Mutex<[Int32]>([])

    static let unknown =
        #""error":{"code":-32601,"message":"methodNotFound: x","data":{"name":"methodNotFound","hint":""}}"#

    /// Starts to listen in a new folder; `answer` returns the member `result` or `error`.
    init(_ answer: @escaping Rule = { _ in #""result":{}"# }) throws {
        var template = Array("/tmp/dockface-test-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/s"
        self.path = path
        (calls, output) = AsyncStream.makeStream(of: JSONValue.self)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
        Thread.detachNewThread { [self] in
            while case let peer = accept(listener, nil, nil), peer >= 0 {
                open.withLock { $0.append(peer) }
                Thread.detachNewThread { [self] in serve(peer, answer) }
            }
        }
    }

    /// Ends all connections, and no longer listens.
    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        for peer in open.withLock({ $0 }) { shutdown(peer, Int32(SHUT_RDWR)) }
        output.finish()
        try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
    }

    private func serve(_ peer: Int32, _ answer: Rule) {
        send(peer, #"{"name":"dockface","version":"9","protocol":1,"features":[]}"#)
        var waiting: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(peer, &chunk, chunk.count, 0), count > 0 {
            waiting += chunk[..<count]
            while let end = waiting.firstIndex(of: 0x0A) {
                let call = JSONValue(json: waiting[..<end]) ?? .null
                waiting.removeSubrange(...end)
                output.yield(call)
                guard let id = call["id"]?.integer else { continue }
                send(peer, #"{"jsonrpc":"2.0","id":\#(id),\#(answer(call["method"]?.string ?? ""))}"#)
            }
        }
    }

    private func send(_ peer: Int32, _ line: String) {
        let bytes = Array((line + "\n").utf8)
        Glibc.send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
