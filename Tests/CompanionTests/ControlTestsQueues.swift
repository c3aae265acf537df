import CPosix
import ControlProtocol
import DockControl
import Glibc
import Geometry
import Testing

@testable import Companion

@Suite struct ControlTestsQueues {
    private static let done = ControlReply.answer(.success(Outcome("done")))

    private func line(_ text: String) -> ControlLine { ControlLine(Array(text.utf8)) }

    // MARK: requests

    @Test func `answers are sent in the order of the requests`() {
        var queue = RequestQueue()
        let first = queue.begin(ControlLine(request("home", id: "1")), now: 0)
        let second = queue.begin(ControlLine(request("home", id: "2")), now: 0)
        let refused = queue.begin(line("nonsense"), now: 0)
        #expect(first.count == 1 && second.count == 1 && refused.isEmpty && queue.count == 3)
        queue.finish(second[0].ticket, Self.done)
        #expect(queue.popReady() == nil)
        queue.finish(first[0].ticket, Self.done)
        var order: [[UInt8]?] = []
        while let ready = queue.popReady() { order.append(ready.parts[0].request.id) }
        #expect(order == [Array("1".utf8), Array("2".utf8), ControlRequest.null])
        #expect(queue.isEmpty && queue.count == 0)
    }

    @Test func `a second answer, and one for an unknown request, are ignored`() {
        var queue = RequestQueue()
        let ticket = queue.begin(ControlLine(request("home")), now: 0)[0].ticket
        queue.finish(ticket, .said("first"))
        queue.finish(ticket, .said("second"))
        #expect(queue.popReady()?.parts[0].reply == .said("first"))
        queue.finish(ticket, .said("third"))
        queue.finish(.init(line: 9, part: 0), .said("x"))
        #expect(queue.isEmpty)
    }

    @Test func `an answer that does not arrive becomes a timeout`() {
        var queue = RequestQueue()
        _ = queue.begin(ControlLine(request("home")), now: 100)
        queue.expire(now: 109)
        #expect(queue.popReady() == nil)
        queue.expire(now: 110)
        guard case .answer(.failure(let error))? = queue.popReady()?.parts[0].reply else {
            Issue.record("no timeout")
            return
        }
        #expect(error.code == .timeout)
    }

    @Test func `at most 32 requests may be in progress`() {
        var queue = RequestQueue()
        for _ in 0..<31 { _ = queue.begin(ControlLine(request("home")), now: 0) }
        #expect(!queue.isFull)
        _ = queue.begin(ControlLine(request("home")), now: 0)
        #expect(queue.isFull)
    }

    // MARK: output

    private func event(_ topic: Topic, _ sequence: Int, size: Int = 10) -> ControlEvent {
        ControlEvent(
            topic: topic, sequence: sequence, data: Array(("\"" + String(repeating: "x", count: size) + "\"").utf8))
    }

    private func read(_ outbox: inout Outbox) -> [JSONValue] {
        let lines = outbox.piece.bytes.split(separator: 0x0A).compactMap { JSONValue(json: $0) }
        outbox.didSend(outbox.count)
        return lines
    }

    private func offer(_ event: ControlEvent, to outbox: inout Outbox) {
        outbox.offer(event, line: event.line(.change, lost: event.lost))
    }

    @Test func `a subscriber gets a snapshot, then only the changes after it`() {
        var outbox = Outbox()
        offer(event(.motion, 1), to: &outbox)
        outbox.subscribe([.motion])
        outbox.refill { event($0, 5) }
        for sequence in 4...7 { offer(event(.motion, sequence), to: &outbox) }
        offer(event(.face, 1), to: &outbox)
        let events = read(&outbox).map { ($0["params"]?["kind"]?.string, $0["params"]?["seq"]?.integer) }
        #expect(events.map(\.0) == ["snapshot", "change", "change"])
        #expect(events.map(\.1) == [5, 6, 7])
        outbox.unsubscribe(nil)
        offer(event(.motion, 8), to: &outbox)
        outbox.refill { event($0, 8) }
        #expect(outbox.count == 0)
    }

    @Test func `a slow reader costs no more than the threshold, and gets the newest state`() {
        var outbox = Outbox()
        outbox.subscribe([.motion, .events])
        outbox.refill { event($0, 0) }
        for sequence in 1...10_000 {
            offer(event(.motion, sequence, size: 1000), to: &outbox)
            if sequence % 10 == 0 { offer(event(.events, sequence / 10), to: &outbox) }
        }
        #expect(outbox.count < Outbox.threshold + 2000)
        #expect(outbox.isFull && outbox.holdsEvents)
        _ = read(&outbox)
        outbox.refill { event($0, 10_000) }
        let events = read(&outbox).compactMap { $0["params"] }
        #expect(events.first?["kind"] == .string("snapshot") && events.first?["seq"] == .number(10_000))
        // The last 64 events arrived, and the first of them reports how many were dropped.
        #expect(events.count == 65 && events.last?["seq"] == .number(1000))
        #expect(events[1]["seq"] == .number(937) && events[1]["kind"] == .string("change"))
        let early = events[1]["lost"]?.integer ?? 0
        #expect((900...936).contains(early) && events[2]["lost"] == nil)
        #expect(!outbox.holdsEvents)
        offer(event(.motion, 10_001), to: &outbox)
        #expect(read(&outbox).first?["params"]?["kind"] == .string("change"))
    }

    @Test func `answers are never held back`() {
        var outbox = Outbox()
        outbox.subscribe([.motion])
        for _ in 0..<100 { outbox.answer([UInt8](repeating: 0x78, count: 1000)) }
        outbox.refill { event($0, 1) }
        #expect(outbox.count == 100_100 && outbox.isFull && outbox.holdsEvents)
    }

    // MARK: mailbox

    @Test func `only the newest state and at most 64 events wait, and none without a listener`() throws {
        let mailbox = try ControlMailbox()
        mailbox.publish(.motion) {
            Issue.record("built without a listener")
            return .null
        }
        mailbox.setAudience([.face, .events])
        for number in 1...1000 {
            mailbox.publish(.face) { .number(number) }
            mailbox.publish(.events) { .number(number) }
        }
        let contents = mailbox.drain(now: 0)
        let faces = contents.publications.filter { $0.topic == .face },
            events = contents.publications.filter { $0.topic == .events }
        #expect(faces.map { $0.data() } == [.number(1000)] && faces.map(\.sequence) == [1000])
        #expect(events.count == 64 && events.first?.lost == 936 && events.last?.sequence == 1000)
        #expect(mailbox.drain(now: 1).publications.isEmpty)
        #expect(mailbox.sequence(of: .motion) == 1)
    }

    @Test func `motion is reported at most 20 times a second, with the newest state`() throws {
        let mailbox = try ControlMailbox()
        mailbox.setAudience([.motion])
        var sequences: [Int] = []
        for number in 0..<1000 {
            mailbox.publish(.motion) { .number(number) }
            let contents = mailbox.drain(now: 100 + Double(number) * 0.002)
            sequences += contents.publications.map(\.sequence)
            if contents.publications.isEmpty { #expect(contents.due != nil) }
        }
        #expect((38...41).contains(sequences.count))
        #expect(mailbox.drain(now: 200).publications.map(\.sequence) == [1000])
    }

    @Test func `publishing wakes the server once`() throws {
        let mailbox = try ControlMailbox()
        mailbox.setAudience([.motion, .log])
        for _ in 0..<10 { mailbox.publish(.motion) { .null } }
        mailbox.publish(.log) { .null }
        #expect(cposix_counter_take(mailbox.wake) == 1)
    }

    // MARK: a connection over time

    @Test func `an unread connection buffers no more than its threshold, however much is published`() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        let connection = ControlConnection(number: 1, descriptor: ends[0])
        connection.outbox.subscribe(Topic.allCases)
        var most = 0
        for sequence in 1...5000 {
            for topic in [Topic.motion, .tracking, .log] {
                let new = event(topic, sequence, size: 1000)
                connection.outbox.offer(new, line: new.line(.change, lost: 0))
            }
            connection.send(now: 0) { event($0, sequence - 1, size: 1000) }
            most = max(most, connection.outbox.count)
        }
        #expect(most < Outbox.threshold + 2000)
        // A client that reads again gets a snapshot of each state, and is up to date.
        var buffer = [UInt8](repeating: 0, count: 1 << 20), text: [UInt8] = []
        while connection.outbox.count > 0 || connection.outbox.holdsEvents {
            let count = recv(ends[1], &buffer, buffer.count, 0)
            if count > 0 { text += buffer[..<count] }
            connection.send(now: 0) { event($0, 5000, size: 1000) }
        }
        while case let count = recv(ends[1], &buffer, buffer.count, 0), count > 0 { text += buffer[..<count] }
        let events = try text.split(separator: 0x0A).compactMap { try JSONReader.value(of: Array($0))["params"] }
        for topic in [Topic.motion, .tracking] {
            let last = events.last { $0["topic"] == .string(topic.rawValue) }
            #expect(last?["seq"] == .number(5000) && last?["kind"] == .string("snapshot"))
        }
        #expect(events.last { $0["topic"] == .string("log") }?["seq"] == .number(5000))
    }

    @Test func `a large output that does not move for 30 s ends the connection`() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        let connection = ControlConnection(number: 1, descriptor: ends[0])
        // More than an unread socket accepts, less than ends the connection at once.
        var small: Int32 = 4096
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &small, socklen_t(4))
        for _ in 0..<250 { connection.outbox.answer([UInt8](repeating: 0x78, count: 1000)) }
        connection.send(now: 0) { event($0, 1) }
        #expect(connection.isTicking && !connection.isOver(now: 29))
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        #expect(recv(ends[1], &buffer, buffer.count, 0) > 0)
        connection.send(now: 29) { event($0, 1) }
        #expect(!connection.isOver(now: 58))
        connection.send(now: 58) { event($0, 1) }
        #expect(connection.isOver(now: 60))
    }
}
