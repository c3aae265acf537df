/// Changes settings of one servo so that they are kept: torque off, unlock, write and read back, lock again.
///
/// A new ID and a new speed come last, one after the other. Afterwards the servo must answer with them, and nothing may
/// answer to the old ID. Nothing moves, but a head that the servo has held may sink.
package struct SettingsChange: ServoTask {
    /// A write that is read back, or whose effect is seen from pings.
    private enum Step: Sendable, Equatable {
        case set(String, ServoWrite)
        case newID(ServoWrite, to: UInt8)
        case newBaud(ServoWrite, to: Int)
        /// Nothing may answer to an ID.
        case absence(of: UInt8)
    }

    /// How often a write is repeated that has no effect.
    static let tries = 3

    package let family: ServoFamily
    /// The servo's number on the bus, as changed so far.
    package private(set) var id: UInt8
    /// The speed of the line, as changed so far, in bits per second.
    package private(set) var baud: Int
    /// Why the change failed, as a clause, or nil.
    package private(set) var problem: String?
    private var steps: [Step]
    /// Whether the first step has been written and its effect is checked.
    private var isChecking = false
    private var tries = 0
    /// Where the servo may be with its lock off: ids, and speeds in bits per second. The lock is switched on there if the
    /// change fails.
    private var open: [(id: UInt8, baud: Int)] = []

    /// Plans a change of settings to these numbers. Numbers of settings that the family does not have are ignored.
    package init(_ family: ServoFamily, id: UInt8, baud: Int, to numbers: [StoredSetting: Int]) {
        self.family = family
        self.id = id
        self.baud = baud
        let bus = family.bus
        func write(_ setting: StoredSetting) -> ServoWrite? {
            guard let number = numbers[setting], let row = bus.row(setting) else { return nil }
            return ServoWrite(row.memory, bus.encode(row.raw(number), count: row.memory.count))
        }
        let plain = StoredSetting.allCases.filter { $0 != .id && $0 != .baud }
            .compactMap { setting in write(setting).map { Step.set(setting.name, $0) } }
        // A setting that is lost with the supply is never locked. Among them is the status level, without which the
        // other writes cannot be checked.
        func isVolatile(_ step: Step) -> Bool {
            if case .set(_, let row) = step { row.memory.address > bus.torque.address } else { false }
        }
        steps = plain.filter(isVolatile) + [.set("torque switch", ServoWrite(bus.torque, [0]))]
        if let lock = bus.lock { steps.append(.set("lock", ServoWrite(lock, [0]))) }
        steps += plain.filter { !isVolatile($0) }
        if let new = numbers[.id], let row = write(.id), new != Int(id) {
            let number = UInt8(clamping: new)
            steps.insert(.absence(of: number), at: 0)
            steps += [.newID(row, to: number), .absence(of: id)]
        }
        if let code = numbers[.baud], let row = write(.baud), bus.speeds.indices.contains(code) {
            steps.append(.newBaud(row, to: bus.speeds[code]))
        }
        if let lock = bus.lock { steps.append(.set("lock", ServoWrite(lock, [1]))) }
    }

    /// Whether everything was written and has its effect.
    package var isDone: Bool { problem == nil && steps.isEmpty }

    package var next: ServoRequest? {
        if problem != nil { return open.isEmpty ? nil : relock }
        switch steps.first {
        case .set(_, let row):
            return ServoRequest(isChecking ? .read(row.memory, of: id) : .write(row, to: id))
        case .newID(let row, let new): return ServoRequest(isChecking ? .ping(new) : .write(row, to: id))
        case .newBaud(let row, _): return ServoRequest(isChecking ? .ping(id) : .write(row, to: id))
        case .absence(let other): return ServoRequest(.ping(other))
        case nil: return nil
        }
    }

    private var relock: ServoRequest? {
        family.bus.lock.map { ServoRequest(.write(ServoWrite($0, [1]), to: id)) }
    }

    package mutating func handle(_ reply: ServoReply) {
        guard problem == nil, let step = steps.first else {
            if !open.isEmpty { open.removeFirst() }
            return turnToOpen()
        }
        if case .absence(let other) = step { return checkAbsence(of: other, reply) }
        guard isChecking else {
            if let refusal = family.bus.refusal(reply.packets.first) {
                return fail("servo \(id) refuses a new \(name(of: step)): \(refusal)")
            }
            // A servo with a low status level does not answer writes, so silence shows nothing.
            isChecking = true
            wrote(step)
            return
        }
        check(step, reply)
    }

    /// Compares the effect of a write with what was intended, and writes again if there is none.
    private mutating func check(_ step: Step, _ reply: ServoReply) {
        switch step {
        case .set(_, let row) where reply.packets.first?.parameters == row.bytes: return advance()
        case .newID(_, let new) where !reply.packets.isEmpty:
            id = new
            settle()
            return advance()
        case .newBaud where !reply.packets.isEmpty:
            settle()
            return advance()
        default: break
        }
        tries += 1
        // The speed has changed or it has not: the old one is not tried again while the answer may only be late.
        if case .newBaud = step, tries < Self.tries { return }
        isChecking = false
        guard tries >= Self.tries else { return }
        fail(
            reply.packets.isEmpty
                ? "servo \(id) does not answer, so its \(name(of: step)) is unknown"
                : "servo \(id) keeps its old \(name(of: step))")
    }

    private mutating func advance() {
        if case .set("lock", let row)? = steps.first, row.bytes != [0] { open = [] }
        steps.removeFirst()
        (isChecking, tries) = (false, 0)
    }

    /// Continues if nothing answers to an ID. Noise is asked again, because it is not a servo.
    private mutating func checkAbsence(of other: UInt8, _ reply: ServoReply) {
        if reply.isSilent { return advance() }
        tries += 1
        guard reply.isDamaged else { return fail("another servo has the id \(other)") }
        guard tries >= Self.tries else { return }
        fail("the answers from id \(other) are damaged: several servos have it, or the line is disturbed")
    }

    /// Records what a write may have done, before its effect is seen.
    private mutating func wrote(_ step: Step) {
        switch step {
        case .set("lock", let row) where row.bytes == [0]: open = [(id, baud)]
        case .newID(_, let new) where !open.isEmpty: open.append((new, baud))
        case .newBaud(_, let new):
            baud = new
            if !open.isEmpty { open.append((id, new)) }
        default: break
        }
    }

    /// Records that the servo has answered with its new ID or speed.
    private mutating func settle() { if !open.isEmpty { open = [(id, baud)] } }

    private mutating func fail(_ text: String) {
        problem = text
        turnToOpen()
    }

    /// Turns to the next place where the lock may be off.
    private mutating func turnToOpen() { if let place = open.first { (id, baud) = place } }

    private func name(of step: Step) -> String {
        switch step {
        case .set(let name, _): name
        case .newID: StoredSetting.id.name
        case .newBaud: StoredSetting.baud.name
        case .absence: ""
        }
    }
}
