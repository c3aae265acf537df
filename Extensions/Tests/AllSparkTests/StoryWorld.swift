import DockTestKit
@testable import AllSpark

/// One story in virtual time: the machine, its caller, a network that breaks, and a server.
struct StoryWorld {
    /// A defect between the machine and the world, as if the machine had it.
    enum Bug: CaseIterable {
        /// A file counts as uploaded when its last byte has left.
        case uploadedWhenWritten
        /// A plain connection is taken for an encrypted one.
        case plainFallback
        /// A configuration with twice the room.
        case wideConfig
        /// A file that broke off is forgotten.
        case forgottenFile
        /// A file is not closed.
        case openFile
        /// Chunks are announced without permission.
        case announcement
        /// A name is sent between metadata and content.
        case interruption
        /// The next attempt comes at once.
        case impatience
        /// The content is sent without its end.
        case shortContent
    }

    let terms: OwnerTerms
    let naming: UploadName
    let isEncrypted: Bool
    private let bug: Bug?
    private var dice: Dice
    private(set) var machine: AllSparkMachine
    private(set) var oracle: StoryOracle
    private(set) var server: StoryServer
    private let chunks: [ChunkReference]
    private var now = 0.0
    private var events: [(time: Double, order: Int, epoch: Int?, event: AllSparkMachine.Event)] = []
    private var order = 0
    /// The connection; events of an older one are lost.
    private var epoch = 0
    private var isConnected = false
    /// Until when troubles happen.
    private let calm: Double
    private var wanted: Set<Int> = []

    init(seed: UInt64, bug: Bug? = nil) {
        var dice = Dice(seed)
        var terms = OwnerTerms()
        terms.announcesChunks = bug == .announcement ? false : .random(using: &dice)
        terms.keepsSound = .random(using: &dice)
        isEncrypted = bug == .plainFallback || dice.once(in: 3)
        naming = UploadName(.milliseconds, device: device())
        machine = AllSparkMachine(
            server: AllSparkServer(name: "lab", address: "lab:8080", isEncrypted: isEncrypted), terms: terms,
            naming: naming)
        oracle = StoryOracle(terms, isEncrypted: isEncrypted)
        server = StoryServer(dice.once(in: 3) ? .node : .python)
        chunks = (0..<Int.random(in: 1...40, using: &dice)).map { chunk(Double($0) * 10, bytes: 1000 + $0) }
        calm = Double.random(in: 0...600, using: &dice)
        (self.terms, self.bug, self.dice) = (terms, bug, dice)
    }

    /// Runs the story. Returns what was wrong.
    static func accusations(seed: UInt64, bug: Bug? = nil) -> [String] {
        var world = StoryWorld(seed: seed, bug: bug)
        world.run()
        return world.oracle.accusations + world.server.complaints
    }

    private var isTroubled: Bool { now < calm }

    // MARK: running

    private mutating func run() {
        schedule(.start, after: 0)
        for _ in 0..<Int.random(in: 1...5, using: &dice) {
            let start = Double.random(in: -20...300, using: &dice), length = Double.random(in: 1...300, using: &dice)
            schedule(.upload(range(start, start + length)), after: Double.random(in: 0...900, using: &dice))
            for chunk in chunks where range(start, start + length).overlaps(start: chunk.start, end: chunk.end) {
                wanted.insert(chunk.number)
            }
        }
        for chunk in chunks where dice.once(in: 3) {
            schedule(.recorded(chunk), after: chunk.end - noon)
        }
        var steps = 0
        while now < 4000, steps < 20_000 {
            steps += 1
            let next = events.indices.min { (events[$0].time, events[$0].order) < (events[$1].time, events[$1].order) }
            let deadline = (machine.deadline ?? .infinity) - 1000
            if let next, events[next].time <= deadline {
                let entry = events.remove(at: next)
                now = max(now, entry.time)
                guard entry.epoch == nil || entry.epoch == epoch else { continue }
                happen(entry.event)
                switch entry.event {
                case .ended, .refused: epoch += entry.epoch == epoch ? 1 : 0
                default: break
                }
            } else if deadline.isFinite {
                now = max(now, deadline)
                carryOut(machine.tick(at: at(now)))
                oracle.accuse("a deadline that stays in the past", if: (machine.deadline ?? .infinity) - 1000 <= now)
            } else {
                break
            }
        }
        oracle.accuse("the story does not end", if: steps >= 20_000)
        oracle.end(machine, wanted: wanted)
    }

    private mutating func happen(_ event: AllSparkMachine.Event) {
        oracle.happens(event, at: now)
        if event == text(success) { server.deliverConfirmation() }
        var event = event
        switch (bug, event) {
        case (.plainFallback?, .opened(var facts)):
            facts.isEncrypted = true
            event = .opened(facts)
        case (.uploadedWhenWritten?, .written):
            if let need = machine.course?.need, machine.course?.phase == .content, need.role.isVideo {
                carryOut([.uploaded(chunk: need.chunk)])
            }
        case (.impatience?, .ended), (.impatience?, .refused):
            oracle.does(.connect, server, naming: naming, at: now)
        case (.forgottenFile?, .ended):
            // As if the file that broke off had been confirmed.
            if machine.course?.phase == .content {
                machine.course = nil
                machine.queue.finish()
            }
        default: break
        }
        carryOut(machine.handle(event, at: at(now)))
        oracle.accuse("too much waits", if: machine.waitingChunks > UploadQueue.most + 1)
    }

    private mutating func carryOut(_ actions: [AllSparkMachine.Action]) {
        for var action in actions {
            switch (bug, action) {
            case (.openFile?, .release): continue
            case (.wideConfig?, .configure(var config)):
                config.budget *= 2
                action = .configure(config)
            case (.announcement?, .send), (.interruption?, .sendFile):
                let message = ClientMessage.chunkSaved(chunk(0))
                oracle.does(.send(message.bytes), server, naming: naming, at: now)
                _ = server.receive(text: message.bytes, refuses: false)
            default: break
            }
            oracle.does(action, server, naming: naming, at: now)
            perform(action)
        }
    }

    private mutating func schedule(_ event: AllSparkMachine.Event, after delay: Double, epoch: Int? = nil) {
        order += 1
        events.append((now + delay, order, epoch, event))
    }

    // MARK: the caller

    private mutating func perform(_ action: AllSparkMachine.Action) {
        switch action {
        case .connect: connect()
        case .disconnect(let reason):
            end(reason: isConnected ? nil : "given up: \(reason)", after: 0.1)
        case .send(let bytes): send(bytes)
        case .sendFile(_, let bytes): sendFile(bytes)
        case .find(let request):
            let found = chunks.filter { request.range.overlaps(start: $0.start, end: $0.end) }
            let part = Array(found.prefix(min(request.limit, Int.random(in: 1...50, using: &dice))))
            schedule(.found(request.number, part, isComplete: part.count == found.count), after: delay())
        case .prepare(let need):
            let isGone = isTroubled && dice.once(in: 20)
            let size = chunks.first { $0.number == need.chunk }?.bytes ?? 0
            schedule(
                isGone ? .unavailable(need, reason: "it was deleted") : .prepared(need, bytes: size), after: delay())
        case .release, .uploaded, .configure, .startRecording, .show, .log, .audit: break
        }
    }

    private mutating func delay() -> Double { Double.random(in: 0.001...0.3, using: &dice) }

    private mutating func connect() {
        epoch += 1
        guard !(isTroubled && dice.once(in: 3)) else {
            return schedule(.refused("refused"), after: delay(), epoch: epoch)
        }
        isConnected = true
        server.connected()
        let wait = delay()
        schedule(.opened(PeerFacts(isEncrypted: isEncrypted && bug != .plainFallback)), after: wait, epoch: epoch)
        if !dice.once(in: 5) { schedule(text(server.config), after: wait + delay(), epoch: epoch) }
        if isTroubled, dice.once(in: 2) { end(reason: nil, after: Double.random(in: 0.4...60, using: &dice)) }
        if isTroubled, dice.once(in: 3) { schedule(text(noise()), after: wait + delay() * 20, epoch: epoch) }
        // An older server does not know our name's message.
        if dice.once(in: 4) { schedule(text(failure), after: wait + 0.0001, epoch: epoch) }
    }

    /// Ends this connection later. What arrives in between still arrives.
    private mutating func end(reason: String?, after delay: Double) {
        let code = dice.once(in: 9) ? 1001 : nil
        let event: AllSparkMachine.Event = reason.map { .refused($0) } ?? .ended(code: code, reason: "torn")
        schedule(event, after: delay, epoch: epoch)
        isConnected = false
    }

    private mutating func noise() -> String {
        let all = [
            #"{"status":"success","message":"Test message received"}"#, #"{"command":null}"#, "NaN", "[]",
            #"{"command":"uploadTimeRange","startTime":null,"endTime":"x"}"#, #"{"command":"record"}"#,
            #"{"type":"clientConfig","config":{"videoBufferMaxMB":1e15,"fps":"NaN","audioFormat":"wav"}}"#,
        ]
        return all.randomElement(using: &dice) ?? ""
    }

    // MARK: the network and the server

    private mutating func send(_ bytes: [UInt8]) {
        let wait = delay()
        schedule(.written, after: wait, epoch: epoch)
        answer(server.receive(text: bytes, refuses: isTroubled && dice.once(in: 6)), after: wait)
    }

    private mutating func sendFile(_ bytes: Int) {
        let duration = Double.random(in: 0.1...8, using: &dice)
        // The connection can end within the file; the server then has no part of it.
        if isTroubled, dice.once(in: 5) { return end(reason: nil, after: duration / 2) }
        schedule(.written, after: duration, epoch: epoch)
        // A success that no server can mean.
        if isTroubled, dice.once(in: 8) {
            schedule(text(#"{"status":"success","message":"stored"}"#), after: duration / 2, epoch: epoch)
        }
        let isSilent = isTroubled && dice.once(in: 12)
        let answers = server.receive(content: bug == .shortContent ? bytes - 1 : bytes)
        if !isSilent { answer(answers, after: duration) }
    }

    /// Answers arrive in order, because each delay counts from a time that only grows.
    private mutating func answer(_ texts: [String], after wait: Double) {
        for words in texts { schedule(text(words), after: wait + 0.01, epoch: epoch) }
    }
}
