/// A servo that answered a scan.
package struct FoundServo: Sendable, Equatable {
    /// The family, as the servo's answer shows it.
    package var family: ServoFamily
    /// The speed of the line at which it answered, in bits per second.
    package var baud: Int
    /// The number on the bus.
    package var id: UInt8
    /// The model, as in its data sheet; empty if the answer is damaged.
    package var model: String
    /// The version of the firmware; empty if the answer is damaged.
    package var firmware: String
    /// Whether the answers are damaged each time: several servos have this ID, or the line is bad.
    package var isDamaged = false
}

/// Asks which servos of a family are on a bus, at one speed: first all at once, and then one ID after the other.
package struct ServoScan: ServoTask {
    /// How often an ID is asked whose answers are damaged.
    static let tries = 3

    /// The servos that answered so far, in the order in which they were asked.
    package private(set) var found: [FoundServo] = []
    package let family: ServoFamily
    package let baud: Int
    private var hasAskedAll = false
    /// The IDs that are asked next.
    private var waiting: [UInt8]
    private var tries = 0

    /// Creates a scan of these IDs, and of others that answer a ping to all. `baud`: the speed of the line, in bits per
    /// second.
    package init(_ family: ServoFamily, baud: Int, ids: [UInt8]) {
        self.family = family
        self.baud = baud
        let last = family.bus.lastID
        waiting = ids.filter { $0 <= last }
    }

    package var next: ServoRequest? {
        hasAskedAll ? waiting.first.map { ServoRequest(.ping($0)) } : ServoRequest(.pingAll)
    }

    package mutating func handle(_ reply: ServoReply) {
        guard hasAskedAll else {
            hasAskedAll = true
            let last = family.bus.lastID, present = Set(reply.packets.map(\.id).filter { $0 <= last })
            waiting = present.sorted() + waiting.filter { !present.contains($0) }
            return
        }
        guard let id = waiting.first else { return }
        tries += 1
        if let servo = answered(id, reply) {
            found.append(servo)
        } else if reply.isDamaged {
            guard tries >= Self.tries else { return }
            found.append(
                FoundServo(family: family, baud: baud, id: id, model: "", firmware: "", isDamaged: true))
        }
        waiting.removeFirst()
        tries = 0
    }

    /// Returns the servo in a reply to a ping, or nil if the reply contains none.
    private func answered(_ id: UInt8, _ reply: ServoReply) -> FoundServo? {
        guard let answer = reply.packets.first else { return nil }
        let series = family.corrected(by: answer.parameters), bus = series.bus
        guard let (model, firmware) = bus.pinged(answer.parameters) else { return nil }
        return FoundServo(family: series, baud: baud, id: id, model: bus.name(ofModel: model), firmware: firmware)
    }
}

/// The speeds at which to look for servos, the likely ones first.
package struct ServoSearch: Sendable, Equatable {
    /// A speed of the line, in bits per second, and the families that may have it.
    package struct Step: Sendable, Equatable {
        package let baud: Int
        package let families: [ServoFamily]
    }

    /// The IDs that are asked at every speed, besides those that answer a ping to all: new servos have 1, and people
    /// count upwards.
    package static let usualIDs: [UInt8] = Array(0...15)

    package let steps: [Step]

    /// Plans a search for these families. `first`: a speed at which all of them are asked before any other, such as
    /// that of a profile.
    package init(_ families: [ServoFamily], first: Int? = nil) {
        let new = families.map(\.newBaud)
        let others = families.flatMap(\.bus.speeds).sorted(by: >)
        var steps: [Step] = []
        for baud in [first].compactMap({ $0 }) + new + others where !steps.contains(where: { $0.baud == baud }) {
            let able = families.filter { baud == first || $0.bus.speeds.contains(baud) }
            steps.append(Step(baud: baud, families: able))
        }
        self.steps = steps
    }
}
