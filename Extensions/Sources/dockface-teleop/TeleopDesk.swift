internal import ControlProtocol
internal import DockClient
internal import DockTypes
internal import ExtensionKit
internal import Geometry
internal import Processes
internal import Teleop

/// Reads what senders say, and carries out what the drive wants, one call at a time.
///
/// Only the newest aim waits: a daemon that is slow does not find a heap of old ones. Everything else waits in order,
/// and a hold goes before the aims that came before it.
actor TeleopDesk {
    private let log: ExtensionLog
    private let dock: Dock?
    private var drive: TeleopDrive
    private var readers: [Int: CommandReader] = [:]
    /// The sender whose hand has the head.
    private var operatorNumber: Int?
    private var servo = HeadServo()
    private var orders: [TeleopIntent] = []
    private var lease: DockLease?
    /// The number of the motion that was begun last.
    private var motion: Int?
    private var note = FlawNote()
    /// What is written about senders, hands and refusals: the first lines, then one a second. Senders may come and go, or
    /// begin, without end.
    private var senderLines = LogGate(), handLines = LogGate(), refusals = LogGate()
    /// Waits for what is due, as long as anything is.
    private var timer: Task<Void, Never>?
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// How long a call may take, in seconds.
    private static let patience: Seconds = 2
    /// The most orders that wait. A hand cannot make more than a few.
    private static let mostOrders = 16
    /// Outcomes by which a person, another program or a fault has ended a motion.
    private static let foreign: Set<String> = [
        "stopped", "emergencyStopped", "faulted", "unplugged", "takenOver", "modeChanged", "leaseLost",
    ]

    /// Creates a desk. Without a dock it only writes what it would do.
    init(_ settings: TeleopSettings, dock: Dock?, log: ExtensionLog) {
        (drive, self.dock, self.log) = (TeleopDrive(settings), dock, log)
        if dock == nil { servo.report(.zero, velocity: .zero, at: 0) }
        (bell, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: senders

    /// A sender has connected.
    func arrived(_ number: Int, _ address: String) {
        readers[number] = CommandReader()
        tell("\(address) is connected", &senderLines)
    }

    /// A sender may not connect, or there are too many.
    func turnAway(_ address: String) { note.turnAway(address) }

    /// Reads bytes of a sender.
    func feed(_ bytes: [UInt8], from number: Int) {
        let now = SystemTime.monotonic
        guard var reader = readers[number] else { return }
        let reading = reader.feed(bytes, now: now)
        readers[number] = reader
        handle(reading, from: number, now: now)
        arm()
    }

    /// A sender has gone.
    func left(_ number: Int, _ address: String) {
        readers[number] = nil
        tell("\(address) is gone", &senderLines)
        guard operatorNumber == number else { return }
        put(drive.disconnected())
    }

    /// Writes what was dropped, from time to time.
    func complain() { if let text = note.due(now: SystemTime.monotonic) { log.warning(text) } }

    private func arm() {
        guard timer == nil, remaining != nil else { return }
        timer = Task {
            while let remaining, !Task.isCancelled {
                try? await Task.sleep(for: .seconds(max(remaining, 0.001)))
                tick()
            }
            timer = nil
        }
    }

    /// The time until something is due, in seconds, or nil if nothing is.
    private var remaining: Seconds? {
        let due = (readers.values.map(\.deadline) + [drive.deadline]).compactMap { $0 }.min()
        return due.map { $0 - SystemTime.monotonic }
    }

    private func tick() {
        let now = SystemTime.monotonic
        for number in readers.keys.sorted() {
            guard var reader = readers[number], let due = reader.deadline, now >= due else { continue }
            let reading = reader.tick(now: now)
            readers[number] = reader
            handle(reading, from: number, now: now)
        }
        put(drive.tick(now: now))
    }

    private func handle(_ reading: CommandReader.Reading, from number: Int, now: Seconds) {
        note.add(reading)
        for command in reading.commands {
            // While one hand has the head, others do not count.
            if drive.isEngaged, operatorNumber != number { continue }
            operatorNumber = number
            put(drive.apply(command, head: servo.pose(now: now), now: now))
        }
    }

    // MARK: the daemon's news

    /// The head is reported here.
    func learn(_ motion: MotionReading) {
        if let pose = motion.position {
            servo.report(pose, velocity: motion.velocity, at: motion.time)
        } else {
            servo.forget()
        }
        guard let own = self.motion, let ending = motion.endings.last(where: { $0.id == own }) else { return }
        self.motion = nil
        if Self.foreign.contains(ending.outcome) { put(drive.refused()) }
    }

    /// The connection to the daemon is lost, and with it the lease.
    func lost() {
        servo.forget()
        (lease, motion) = (nil, nil)
        put(drive.refused())
    }

    // MARK: orders

    private func put(_ intents: [TeleopIntent]) {
        for intent in intents {
            switch intent {
            case .aim:
                if case .aim? = orders.last { orders.removeLast() }
            case .hold(let reason):
                tell("hold: \(reason.words)", &handLines)
                // What the hand wanted before does not count any more.
                orders.removeAll { $0.isOfHand }
            case .wait: orders.removeAll { if case .aim = $0 { true } else { false } }
            case .engage: tell("a hand has the head", &handLines)
            case .sign(.stop), .sign(.emergencyStop):
                // A stop does not wait for what was wanted before.
                orders.insert(intent, at: 0)
                continue
            case .home, .sign: break
            }
            // A full queue consists of signs, and refuses no hold.
            if orders.count < Self.mostOrders || intent.isHold { orders.append(intent) }
        }
        if !intents.isEmpty { ring.yield() }
    }

    /// Carries out orders until the task is cancelled.
    func work() async {
        for await _ in bell {
            while !orders.isEmpty, !Task.isCancelled {
                let order = orders.removeFirst()
                guard let dock else {
                    TextOutput.put("\(order.line)\n")
                    continue
                }
                do throws(DockError) {
                    try await carryOut(order, dock)
                } catch {
                    refuse(order, error)
                }
            }
        }
    }

    /// Stops what it has moved and gives the lease back. The end of the connection does the same.
    func finish() async {
        ring.finish()
        timer?.cancel()
        guard let dock, let lease else { return }
        if let motion { _ = try? await dock.call("cancelMotion", ["motion": .number(motion)], timeout: Self.patience) }
        lease.release()
    }

    private func carryOut(_ order: TeleopIntent, _ dock: Dock) async throws(DockError) {
        switch order {
        case .engage:
            if lease?.isHeld != true { lease = try await dock.control(patience: 1) }
            servo.begin()
            try await dock.setTrackingMode(.manual)
        case .aim(let pose):
            guard let lease, drive.isEngaged else { return }
            guard let velocity = servo.velocity(toward: pose, now: SystemTime.monotonic) else { return }
            try lease.beat()
            guard velocity != .zero else { return try await cancel(dock) }
            motion = try await dock.setAngularVelocity(velocity, for: HeadServo.expiry).id
        case .wait: try await cancel(dock)
        case .hold(let reason):
            defer {
                lease?.release()
                lease = nil
            }
            try await cancel(dock)
            // The end of a motion counts as a stop of this program, which would bind others until the mode is set.
            if reason != .refusal, lease?.isHeld == true { try await dock.setTrackingMode(.manual) }
        case .home:
            try await dock.setTrackingMode(.manual)
            motion = try await dock.home().id
        case .sign(let sign): try await carryOut(sign, dock)
        }
    }

    /// With methods, which rank as a program's. Command words would rank as a person's.
    private func carryOut(_ sign: HandSign, _ dock: Dock) async throws(DockError) {
        switch sign {
        case .stop: _ = try await dock.stop()
        case .emergencyStop: try await dock.emergencyStop()
        case .home:
            _ = try await dock.setTrackingMode(.manual)
            _ = try await dock.home()
        case .preset(let name):
            _ = try await dock.setTrackingMode(.manual)
            _ = try await dock.goToPreset(name)
        case .animate(let name): _ = try await dock.animate(name)
        case .face(let name): _ = try await dock.setExpression(name)
        case .nextFace: _ = try await dock.nextExpression()
        }
    }

    private func cancel(_ dock: Dock) async throws(DockError) {
        guard let motion else { return }
        self.motion = nil
        _ = try await dock.call("cancelMotion", ["motion": .number(motion)], timeout: Self.patience)
    }

    private func refuse(_ order: TeleopIntent, _ error: DockError) {
        // A motion that has reached its end cannot be cancelled, and the end of the range is no reason to let go.
        switch order {
        case .hold, .wait: return
        case .engage, .aim, .home, .sign: break
        }
        if error.code == .limitReached { return }
        let text = "\(order.line): \(error.message)" + (error.hint.isEmpty ? "" : "; \(error.hint)")
        tell(text, &refusals, isWarning: true)
        put(drive.refused())
    }

    /// Writes a line, if the gate passes it. A terminal that is stopped must not keep a hand from letting go.
    private func tell(_ text: String, _ gate: inout LogGate, isWarning: Bool = false) {
        guard TextOutput.hasRoom(2), let line = gate.pass(text, now: SystemTime.monotonic) else { return }
        if isWarning { log.warning(line) } else { log.note(line) }
    }
}

extension TeleopIntent {
    /// Whether it ends what the hand does.
    fileprivate var isHold: Bool { if case .hold = self { true } else { false } }

    /// Whether a later hold replaces it.
    fileprivate var isOfHand: Bool {
        switch self {
        case .engage, .aim, .wait, .hold: true
        case .home, .sign: false
        }
    }

    /// The intent as one line of text, with degrees.
    var line: String {
        switch self {
        case .engage: "engage"
        case .aim(let pose): "aim \(Self.text(pose.pan)) \(Self.text(pose.tilt))"
        case .wait: "wait"
        case .hold(let reason): "hold: \(reason.words)"
        case .home: "home"
        case .sign(let sign): sign.words
        }
    }

    private static func text(_ angle: Double) -> String { "\((angle.inDegrees * 10).rounded() / 10)" }
}
