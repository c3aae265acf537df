/// A question or a write to servos outside of a rig's conversation, one at a time.
package struct ServoRequest: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// Which servos are on the bus.
        case pingAll
        /// Whether a servo has this ID, and its model and firmware.
        case ping(UInt8)
        case read(ServoMemory, of: UInt8)
        case write(ServoWrite, to: UInt8)
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// Returns the frame of the request.
    func frame(_ bus: any ServoProtocol) -> [UInt8] {
        switch kind {
        case .pingAll: bus.pingOfAll
        case .ping(let id): bus.ping(id)
        case .read(let memory, let id): bus.read(memory, of: id)
        case .write(let write, let id): bus.write(write, to: id)
        }
    }

    /// The number of bytes in the longest answer.
    func longestAnswer(_ bus: any ServoProtocol) -> Int {
        switch kind {
        case .pingAll, .write: bus.answerOverhead
        case .ping: bus.answerOverhead + bus.identity.count
        case .read(let memory, _): bus.answerOverhead + memory.count
        }
    }

    /// The servo that answers, or nil if several do.
    var id: UInt8? {
        switch kind {
        case .pingAll: nil
        case .ping(let id), .read(_, let id), .write(_, let id): id
        }
    }
}

/// What arrived after a request.
package struct ServoReply: Sendable, Equatable {
    var packets: [ServoPacket] = []
    /// The number of bytes that belong to no packet.
    var invalidBytes = 0

    /// Whether nothing arrived.
    package var isSilent: Bool { packets.isEmpty && invalidBytes == 0 }
    /// Whether bytes arrived, but no packet.
    package var isDamaged: Bool { packets.isEmpty && invalidBytes > 0 }
}

/// A sequence of requests that depends on the replies, as a value without input and output.
package protocol ServoTask: Sendable {
    /// The family of the servos.
    var family: ServoFamily { get }
    /// The speed of the line for the next request, in bits per second.
    var baud: Int { get }
    /// The next request, or nil if there is none. It stays the next one until its reply is handled.
    var next: ServoRequest? { get }
    /// Handles the reply to the next request.
    mutating func handle(_ reply: ServoReply)
}
