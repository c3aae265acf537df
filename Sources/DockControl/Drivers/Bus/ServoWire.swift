/// The bus between the daemon and the servos: it sends frames and receives packets.
struct ServoWire<Bus: ServoProtocol>: Sendable {
    let bus: Bus
    private var scanner = FrameScanner(capacity: 160)
    private var lastFrame: [UInt8] = []

    init(bus: Bus) { self.bus = bus }

    /// The number of bytes that belonged to no packet.
    var invalidBytes: Int { scanner.invalidBytes }

    mutating func reset() { scanner.reset() }

    mutating func append(_ frame: [UInt8], to bytes: inout [UInt8]) {
        lastFrame = frame
        bytes += frame
    }

    /// Ends the last frame, wherever it was cut off.
    func appendFiller(to bytes: inout [UInt8]) { bytes += bus.filler(behind: lastFrame) }

    /// Returns the packets that these bytes complete.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [ServoPacket] {
        var packets: [ServoPacket] = []
        let bus = bus
        for byte in bytes {
            scanner.push(byte, bus.match) { frame in if let packet = bus.packet(frame) { packets.append(packet) } }
        }
        return packets
    }

    /// Drops the beginning of an incomplete frame, so that it does not swallow the next frame.
    mutating func dropIncomplete() {
        let bus = bus
        scanner.giveUp(bus.match) { _ in }
    }
}
