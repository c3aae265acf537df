import Foundation
import Synchronization

/// A Speech Dispatcher that keeps what it is asked to speak.
final class FakeDispatcher: Sendable {
    private struct State: Sendable {
        var sentences: [String] = [], commands: [String] = [], clients: [Int32] = []
    }

    private let listener: Int32
    private let kept = Mutex(State())
    /// Whether it answers, and whether a sentence ends only when it is cancelled.
    private let isMute: Bool, isSlow: Bool

    /// The sentences, in order.
    var sentences: [String] { kept.withLock { $0.sentences } }
    /// The commands, in order.
    var commands: [String] { kept.withLock { $0.commands } }

    /// Listens where a voice with this runtime folder looks.
    init(in runtime: String, isMute: Bool = false, isSlow: Bool = false) throws {
        (self.isMute, self.isSlow) = (isMute, isSlow)
        let folder = runtime + "/speech-dispatcher"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un(), name = Array((folder + "/speechd.sock").utf8) + [0]
        precondition(name.count <= MemoryLayout.size(ofValue: address.sun_path))
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        name = []
        let size = socklen_t(MemoryLayout<sockaddr_un>.size), descriptor = listener
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound, listen(listener, 4) == 0 else { throw CocoaError(.fileWriteUnknown) }
        Thread.detachNewThread { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                kept.withLock { $0.clients.append(client) }
                Thread.detachNewThread { [self] in serve(client) }
            }
        }
    }

    /// Ends all connections.
    func drop() {
        kept.withLock { kept in
            for client in kept.clients { shutdown(client, Int32(SHUT_RDWR)) }
            kept.clients = []
        }
    }

    private func serve(_ client: Int32) {
        var input: [UInt8] = [], text: [String]?, message = 20
        func answer(_ text: String) {
            let bytes = Array(text.utf8)
            if !isMute { _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
        }
        var buffer = [UInt8](repeating: 0, count: 1024)
        while case let count = read(client, &buffer, buffer.count), count > 0 {
            input += buffer[..<count]
            while let end = input.firstIndex(of: 0x0A) {
                let line = String(decoding: input[..<end], as: UTF8.self).trimmingCharacters(in: ["\r"])
                input.removeSubrange(...end)
                if let lines = text {
                    guard line == "." else {
                        text = lines + [line]
                        continue
                    }
                    text = nil
                    message += 1
                    kept.withLock { $0.sentences.append(lines.joined(separator: "\n")) }
                    answer("225-\(message)\r\n225 OK MESSAGE QUEUED\r\n701-\(message)\r\n701-1\r\n701 BEGIN\r\n")
                    if !isSlow { answer("702-\(message)\r\n702-1\r\n702 END\r\n") }
                } else {
                    kept.withLock { $0.commands.append(line) }
                    if line == "SPEAK" { text = [] }
                    answer(line == "SPEAK" ? "230 OK RECEIVING DATA\r\n" : "208 OK\r\n")
                    if line == "CANCEL self" { answer("703-\(message)\r\n703-1\r\n703 CANCELED\r\n") }
                }
            }
        }
        kept.withLock { $0.clients.removeAll { $0 == client } }
        close(client)
    }
}
