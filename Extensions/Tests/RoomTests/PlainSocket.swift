import Foundation

/// A plain TCP connection, whose owner decides whether it reads.
final class Socket: Sendable {
    private let descriptor: Int32

    init(_ port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        _ = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    /// Sends, and waits for room for at most two seconds. Returns whether all has left.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> Bool {
        var rest = bytes[...]
        for _ in 0..<200 {
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count == rest.count { return true }
            if count > 0 { rest = rest.dropFirst(count) }
            guard count > 0 || errno == EAGAIN else { return false }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    func send(_ text: String) async { await send(Array(text.utf8)) }

    /// The next byte, nil if there is none yet, or the end.
    private enum Arrival { case byte(UInt8), nothing, end }

    private func arrival() -> Arrival {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
        if count == 1 { return .byte(byte) }
        return count < 0 && errno == EAGAIN ? .nothing : .end
    }

    /// The next line of what arrives.
    func line() async -> String {
        var text: [UInt8] = []
        for _ in 0..<3000 {
            switch arrival() {
            case .byte(UInt8(ascii: "\n")), .end: return String(decoding: text, as: UTF8.self)
            case .byte(let byte): text.append(byte)
            case .nothing: try? await Task.sleep(for: .milliseconds(10))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the other side ends it within half a second.
    func isClosed() async -> Bool {
        for _ in 0..<50 {
            if case .end = arrival() { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    /// A text message of a client, with the mask 0.
    static func masked(_ text: [UInt8]) -> [UInt8] {
        let head: [UInt8] =
            text.count < 126
            ? [0x81, 0x80 | UInt8(text.count)] : [0x81, 0xFE, UInt8(text.count >> 8), UInt8(text.count & 255)]
        return head + [0, 0, 0, 0] + text
    }
}
