internal import CPosix
internal import Glibc

/// A link over a connection to a server that passes on a serial port. The motion at its end is as real as with a cable.
final class TcpLink: ByteLink {
    private(set) var descriptor: Int32
    let name: String
    let isHardware = true

    /// The time after which unacknowledged data ends the connection, in milliseconds. The deadman has stopped the dock
    /// long before. A shorter pause of the network has no effect.
    private static let silence: UInt32 = 2000

    /// Takes over an established connection.
    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        // A set-point must not wait for more data.
        set(IPPROTO_TCP, TCP_NODELAY, 1)
        set(IPPROTO_TCP, TCP_USER_TIMEOUT, Int32(Self.silence))
        // A peer that disappears while nothing is sent is detected within a few seconds.
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        set(IPPROTO_TCP, TCP_KEEPIDLE, 2)
        set(IPPROTO_TCP, TCP_KEEPINTVL, 1)
        set(IPPROTO_TCP, TCP_KEEPCNT, 3)
    }

    deinit { close() }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private func set(_ level: Int, _ option: Int32, _ value: Int32) { set(Int32(level), option, value) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead { DescriptorIO.read(descriptor, into: buffer) }

    func write(_ bytes: [UInt8]) -> Bool { DescriptorIO.write(descriptor, bytes, isSocket: true) }

    /// The bytes that may wait. Unacknowledged data counts as queued, and a peer may take 0.2 s to acknowledge it
    /// (delayed acknowledgement): 50 lines a second of 40 bytes are 400 bytes.
    let mostQueued = 512

    var queued: Int { Int(max(0, cposix_output_queued(descriptor))) }

    /// Writes the last bytes. Data that is already in the network cannot be recalled, so the stop follows it.
    func writeLast(_ bytes: [UInt8], within: Double) -> Bool {
        DescriptorIO.writeLast(descriptor, bytes, within: within, isSocket: true)
    }

    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }
}
