import Codecs
import DepthCodec
import Foundation
import JPEGCodec
import Testing

/// A sender that is not part of the program: plain calls of the system's sockets.
final class StreamSender {
    private let descriptor: Int32

    /// Connects to a port of this machine.
    init(port: Int) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptor = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        (address.sin_port, address.sin_addr.s_addr) = (in_port_t(port).bigEndian, in_addr_t(0x7F00_0001).bigEndian)
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0, "no connection: \(String(cString: strerror(errno)))")
        // One that is not read must not hang the test.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Whether a program listens at a port of this machine (/proc/net/tcp: address, port and state 0A in hexadecimal).
    static func isOpen(_ port: Int) -> Bool {
        let place = "0100007F:" + String(0x10000 + port, radix: 16, uppercase: true).dropFirst()
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        return table.split(separator: "\n").contains { $0.contains(" \(place) 00000000:0000 0A ") }
    }

    /// A port of this machine at which no program listens.
    static func freePort() throws -> Int {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), in_addr_t(0x7F00_0001).bigEndian)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 ? getsockname(socket, $0, &size) : -1
            }
        }
        try #require(result == 0)
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    /// Sends bytes. Returns false if the other side has ended the connection.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Whether the other side has ended the connection.
    var isClosed: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }
}

/// Pictures that can be decoded, as senders write them.
struct SentPair {
    let jpeg: [UInt8], png: [UInt8]
    let depth: DepthPicture

    /// A picture of one colour, and a slope of depth in millimetres. `note`: what the sender says about it.
    init(
        width: Int = 64, height: Int = 48, grey: UInt8 = 90, swaps: Bool = false,
        note: String? = #"{"v":1,"unit":0.001}"#
    ) throws {
        let bytes = [UInt8](repeating: grey, count: 3 * width * height)
        let picture = try #require(RGBPicture(width: width, height: height, bytes: bytes))
        let encoder = try #require(JPEGEncoder())
        jpeg = try #require(encoder.encode(picture, quality: 80))
        let samples = (0..<width * height).map { UInt16(900 + 3 * ($0 % width) + $0 / width) }
        depth = try #require(DepthPicture(width: width, height: height, samples: samples))
        let writer = try #require(DepthPNGWriter())
        png = writer.pack(swaps ? depth.swapped : depth).file(note: note.map { Array($0.utf8) })
    }

    static func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// Two sizes and two pictures.
    var pair: [UInt8] { Self.word(jpeg.count) + Self.word(png.count) + jpeg + png }
    /// Each picture behind its size.
    var interleaved: [UInt8] { Self.word(jpeg.count) + jpeg + Self.word(png.count) + png }
    /// The pictures of two cameras.
    var cameras: [UInt8] { Self.word(jpeg.count) + Self.word(jpeg.count) + jpeg + jpeg }
}
