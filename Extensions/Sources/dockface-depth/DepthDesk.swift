import Codecs
import DepthStream
import DockTypes
import ExtensionKit
import Networking
import Synchronization

/// Receives: each connection has a reader, the board decides which sender counts, and the newest packet of that sender is
/// decoded. A packet that was not decoded when the next one is complete is dropped.
final class DepthDesk: Sendable {
    private struct Shared {
        var board: SenderBoard
        var budget = ByteBudget()
        var lines: [Int: SenderLine] = [:]
        var last = 0
        var newest: WaitingPacket?
        var facts: PictureFacts?
        var notes = RefusalNotes(), news = SenderNews()
    }

    private let place: ListenPlace
    private let choice: DepthJudge.Choice
    private let log: @Sendable (String, _ isWarning: Bool) -> Void
    private let shared: Mutex<Shared>
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// How often the time limits are checked, in seconds.
    private static let tick = 0.5

    init(
        _ place: ListenPlace, _ choice: DepthJudge.Choice, log: @escaping @Sendable (String, _ isWarning: Bool) -> Void
    ) {
        (self.place, self.choice, self.log) = (place, choice, log)
        shared = Mutex(Shared(board: SenderBoard(allowed: place.allowed)))
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What people see of the stream.
    func words(port: Int) -> StreamWords {
        shared.withLock {
            StreamWords($0.board, $0.facts, listening: place.text(port: port), now: SystemTime.monotonic)
        }
    }

    /// Begins to listen.
    /// - Throws: `portBusy`, `permission`, `cannotOpen`.
    func listen() async throws(DockError) -> ByteServer { try await ByteServer(host: place.host, port: place.port) }

    /// Receives until the task is cancelled, or until `use` returns false. `use` gets the newest picture, one at a time.
    func run(_ server: ByteServer, _ use: @escaping @Sendable (DepthFrame) async -> Bool) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { await server.run { await self.serve($0) } }
            group.addTask { try await self.decode(use) }
            group.addTask {
                while (try? await Task.sleep(for: .seconds(Self.tick))) != nil { self.check() }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    // MARK: connections

    private func serve(_ connection: ByteConnection) async {
        guard let address = SenderAddress(connection.address) else { return }
        let line = SenderLine(connection)
        guard let number = open(line, address) else { return }
        for await bytes in connection.chunks {
            for packet in line.receive(bytes, now: SystemTime.monotonic) { deliver(packet, of: number, address) }
            hold(line.waiting, by: number)
            guard line.refusal == nil else { break }
        }
        if let refusal = line.refusal { say("\(address): \(refusal)", isWarning: true) }
        shared.withLock {
            $0.board.closed(number)
            $0.budget.closed(number)
            $0.lines[number] = nil
        }
    }

    /// Ends the connections that hold more bytes than there is room for.
    private func hold(_ bytes: Int, by number: Int) {
        let ending = shared.withLock { shared in
            shared.budget.hold(bytes, by: number, steering: shared.board.steering).compactMap { shared.lines[$0] }
        }
        for line in ending { line.makeRoom() }
    }

    /// Returns the number of a connection, or nil if it is not accepted.
    private func open(_ line: SenderLine, _ address: SenderAddress) -> Int? {
        let (number, opening, closing) = shared.withLock { shared in
            shared.last += 1
            let opening = shared.board.opened(shared.last, from: address, now: SystemTime.monotonic)
            guard case .accepted(let numbers) = opening else { return (shared.last, opening, [SenderLine]()) }
            shared.lines[shared.last] = line
            return (shared.last, opening, numbers.compactMap { shared.lines.removeValue(forKey: $0) })
        }
        for old in closing { old.connection.close() }
        guard case .refused(let reason) = opening else { return number }
        say(reason, isWarning: true)
        return nil
    }

    private func deliver(_ packet: StreamPacket, of number: Int, _ address: SenderAddress) {
        let (isUsed, isNew) = shared.withLock { shared in
            let before = shared.board.steering
            guard shared.board.delivered(number, packet.form, now: packet.arrival) else { return (false, false) }
            if let old = shared.newest { shared.board.dropped(old.sender) }
            shared.newest = WaitingPacket(sender: number, address: address, packet: packet)
            return (true, before != number)
        }
        if isNew { say("pictures come from \(address): \(packet.form.words)") }
        if isUsed { ring.yield() }
    }

    /// Checks the time limits, and says what has happened to the connections.
    private func check() {
        let now = SystemTime.monotonic
        let (lines, news) = shared.withLock { (Array($0.lines.values), $0.news.update($0.board, now: now)) }
        for line in lines { line.expire(now: now) }
        for text in news { say(text) }
    }

    // MARK: pictures

    private func decode(_ use: @Sendable (DepthFrame) async -> Bool) async throws {
        guard let decoder = DepthDecoder(choice) else {
            throw DockError(.cannotOpen, "there is no memory to decode pictures", hint: "end other programs")
        }
        for await _ in bell {
            let waiting = shared.withLock { shared in
                defer { shared.newest = nil }
                return shared.newest
            }
            guard let waiting else { continue }
            do throws(PictureProblem) {
                let frame = try decoder.decode(waiting)
                shared.withLock {
                    $0.board.decoded(waiting.sender, isGood: true)
                    $0.facts = frame.facts
                }
                if decoder.hasJustSettled { explain(frame.facts) }
                guard await use(frame) else { return }
            } catch {
                shared.withLock { $0.board.decoded(waiting.sender, isGood: false) }
                say("\(waiting.address): \(error)", isWarning: true)
            }
        }
    }

    /// Says how the samples are understood.
    private func explain(_ facts: PictureFacts) {
        guard let unit = facts.unit else { return }
        say("the unit of the depth is \(unit.unit.text) (\(unit.reason.words)), byte order \(facts.order.rawValue)")
        guard facts.isDoubtful else { return }
        say(
            "with this unit everything is nearer than half a metre; if the sender counts millimetres, pass --unit mm",
            isWarning: true)
    }

    /// Writes a line, each text once a minute.
    private func say(_ text: String, isWarning: Bool = false) {
        guard shared.withLock({ $0.notes.isNew(text, now: SystemTime.monotonic) }) else { return }
        log(text, isWarning)
    }
}

/// One connection with its reader.
private final class SenderLine: Sendable {
    let connection: ByteConnection
    private let reader = Mutex(PacketReader())

    init(_ connection: ByteConnection) { self.connection = connection }

    /// Why the connection must end, or nil.
    var refusal: StreamRefusal? { reader.withLock { $0.refusal } }

    /// The number of bytes that wait for the rest of their packet.
    var waiting: Int { reader.withLock { $0.waiting } }

    /// Ends the connection, and releases its bytes.
    func makeRoom() {
        reader.withLock { $0.makeRoom() }
        connection.close()
    }

    func receive(_ bytes: [UInt8], now: Double) -> [StreamPacket] {
        reader.withLock { $0.receive(bytes, now: now) }
    }

    /// Ends the connection if its packet has taken too long.
    func expire(now: Double) {
        let isOver = reader.withLock { reader in
            reader.expire(now: now)
            return reader.refusal != nil
        }
        if isOver { connection.close() }
    }
}
