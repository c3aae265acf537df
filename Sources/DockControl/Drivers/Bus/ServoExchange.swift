package import Geometry

/// One request on the bus and its answers, with the time that they may take.
package struct ServoExchange: Sendable {
    /// The time in which all servos answer a ping to all, in seconds: on a Dynamixel bus each ID waits for the lower
    /// ones, 3 ms at most (ROBOTIS SDK). A hundred IDs answer in this time.
    static let roundTime: Seconds = 0.3

    private let bus: any ServoProtocol
    private let baud: Int
    private let patience: Seconds
    private var scanner = FrameScanner(capacity: 160)
    private var request: ServoRequest?
    private var frame: [UInt8] = []
    private var reply = ServoReply()
    private var invalidBefore = 0
    /// When the wait for the answers ends.
    package private(set) var deadline: Seconds = 0

    /// Creates an exchange with servos of a family. `baud`: the speed of the line, in bits per second; `isRemote`: the
    /// line goes through a network, which delays answers.
    package init(_ family: ServoFamily, baud: Int, isRemote: Bool = false) {
        bus = family.bus
        self.baud = max(baud, 1)
        patience = isRemote ? ServoTalk.longestAnswerTime : ServoTalk.answerTime
    }

    /// Begins a request, and returns its bytes.
    package mutating func begin(_ request: ServoRequest, now: Seconds) -> [UInt8] {
        self.request = request
        frame = request.frame(bus)
        (reply, invalidBefore) = (ServoReply(), scanner.invalidBytes)
        scanner.reset()
        let count = frame.count + request.longestAnswer(bus)
        deadline = now + Seconds(10 * count) / Seconds(baud) + (request.id == nil ? Self.roundTime : patience)
        return frame
    }

    /// Takes bytes from the line. The echo of our own frame, which some adapters return, is not an answer.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard let request else { return }
        let bus = bus, own = frame
        var packets: [ServoPacket] = []
        for byte in bytes {
            scanner.push(byte, bus.match) { found in
                if !found.elementsEqual(own), let packet = bus.packet(found) { packets.append(packet) }
            }
        }
        reply.packets += packets.filter { request.id == nil || $0.id == request.id }
    }

    /// Returns the reply if it is complete or its time is over, and nil if the wait continues.
    package mutating func end(now: Seconds) -> ServoReply? {
        guard let request else { return ServoReply() }
        guard now >= deadline || (request.id != nil && !reply.packets.isEmpty) else { return nil }
        let bus = bus
        // What is left may be the beginning of a damaged packet.
        scanner.giveUp(bus.match) { _ in }
        self.request = nil
        reply.invalidBytes = scanner.invalidBytes - invalidBefore
        return reply
    }
}
