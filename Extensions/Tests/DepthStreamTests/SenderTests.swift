import DockTypes
import Testing

@testable import DepthStream

@Suite struct SenderTests {
    private static func address(_ text: String) throws -> SenderAddress { try #require(SenderAddress(text)) }

    @Test func `addresses have one form`() throws {
        #expect(try Self.address("::ffff:10.0.0.5") == Self.address("10.0.0.5"))
        #expect(try Self.address("fe80::1%eth0") == Self.address("fe80:0::1"))
        #expect(try Self.address("10.0.0.5").description == "10.0.0.5")
        #expect(
            try Self.address("::1").isLocal && Self.address("127.9.0.1").isLocal && !Self.address("10.0.0.1").isLocal)
        for text in ["", "phone", "10.0.0", "10.0.0.0/8", "1.2.3.4:5"] { #expect(SenderAddress(text) == nil) }
        #expect(throws: DockError.self) { try SenderAddress.list(["10.0.0.5", "phone"]) }
    }

    @Test func `only addresses of the list may send`() throws {
        var board = SenderBoard(allowed: [try Self.address("10.0.0.5")])
        #expect(board.opened(1, from: try Self.address("::ffff:10.0.0.5"), now: 0) == .accepted(closing: []))
        guard case .refused(let reason) = board.opened(2, from: try Self.address("10.0.0.6"), now: 0) else {
            Issue.record("a stranger is accepted")
            return
        }
        #expect(reason.contains("10.0.0.6") && board.all.count == 1 && board.refusals == 1)
        let isUsed = board.delivered(2, .pair, now: 0)
        #expect(!isUsed && board.steering == nil)
    }

    @Test func `one steers as long as it sends, and another takes over after two seconds of silence`() throws {
        var board = SenderBoard()
        _ = board.opened(1, from: try Self.address("10.0.0.1"), now: 0)
        _ = board.opened(2, from: try Self.address("10.0.0.2"), now: 0)
        var used: [Int] = []
        for step in 0..<100 {
            let now = Double(step) / 10
            for number in [1, 2] where number == 2 || now < 5 {
                if board.delivered(number, .pair, now: now) { used.append(number) }
            }
        }
        #expect(used == [Int](repeating: 1, count: 50) + [Int](repeating: 2, count: used.count - 50))
        #expect((29...31).contains(used.count - 50) && board.steering == 2)
        let states = board.all.map { $0.state(at: 9.9, isSteering: board.steering == $0.number) }
        #expect(states == [.standby, .steering])
        #expect(board.all[0].state(at: 15, isSteering: false) == .stalled)
        // The first one comes back, and waits.
        let isUsed = board.delivered(1, .pair, now: 10)
        #expect(!isUsed)
        board.closed(2)
        let isUsedAgain = board.delivered(1, .pair, now: 10.1)
        #expect(isUsedAgain)
    }

    @Test func `of one address the newest connection that sends counts`() throws {
        var board = SenderBoard()
        let phone = try Self.address("10.0.0.1")
        _ = board.opened(1, from: phone, now: 0)
        let isFirstUsed = board.delivered(1, .pair, now: 0)
        // A half-open one changes nothing.
        _ = board.opened(2, from: phone, now: 1)
        let isStillUsed = board.delivered(1, .pair, now: 1), isNewUsed = board.delivered(2, .pair, now: 1.1)
        #expect(isFirstUsed && isStillUsed && isNewUsed && board.steering == 2)
        let isOldUsed = board.delivered(1, .pair, now: 1.2)
        #expect(!isOldUsed && board.steering == 2)
    }

    @Test func `a fifth connection of one address closes the one that has been silent the longest`() throws {
        var board = SenderBoard()
        let phone = try Self.address("10.0.0.1")
        for number in 1...4 {
            #expect(board.opened(number, from: phone, now: Double(number)) == .accepted(closing: []))
        }
        let isUsed = board.delivered(1, .pair, now: 5)
        #expect(isUsed)
        #expect(board.opened(5, from: phone, now: 6) == .accepted(closing: [2]))
        #expect(board.opened(6, from: phone, now: 7) == .accepted(closing: [3]))
        #expect(board.all.map(\.number) == [1, 4, 5, 6] && board.steering == 1)
    }

    @Test func `of sixteen places one that gives nothing is given to another sender`() throws {
        var board = SenderBoard()
        for number in 0..<16 { _ = board.opened(number, from: try Self.address("10.0.1.\(number)"), now: 0) }
        let other = try Self.address("10.0.2.1")
        guard case .refused = board.opened(20, from: other, now: 9) else {
            Issue.record("a seventeenth is accepted")
            return
        }
        for number in 0..<15 { _ = board.delivered(number, .pair, now: 9) }
        #expect(board.opened(21, from: other, now: 10) == .accepted(closing: [15]))
        #expect(board.all.count == 16)
    }

    @Test func `a sender whose pictures cannot be decoded does not keep others from steering`() throws {
        var board = SenderBoard(), used: Set<Int> = []
        _ = board.opened(1, from: try Self.address("10.0.0.1"), now: 0)
        _ = board.opened(2, from: try Self.address("10.0.0.1"), now: 0)
        for step in 0..<30 {
            let now = Double(step) / 10
            if board.delivered(2, .pair, now: now) { board.decoded(2, isGood: false) }
            if board.delivered(1, .pair, now: now + 0.01) {
                used.insert(1)
                board.decoded(1, isGood: true)
            }
        }
        #expect(used == [1] && board.steering == 1)
        #expect(board.all[1].flawed == 1)
    }

    @Test func `connections that announce large packets hold no more than the budget, and the steering one stays`() {
        var budget = ByteBudget(), held: [Int: Int] = [:], ended: [Int] = []
        // Sixteen senders bring their largest packets in pieces of 64 KiB, as long as they may.
        for piece in 1...255 {
            for number in 1...16 where !ended.contains(number) {
                held[number] = min(piece << 16, PacketReader.largest)
                let ending = budget.hold(piece << 16, by: number, steering: 1)
                for number in ending { held[number] = nil }
                ended += ending
                #expect(held.values.reduce(0, +) <= ByteBudget.most && budget.total <= ByteBudget.most)
            }
        }
        #expect(!ended.contains(1) && held[1] == 255 << 16 && ended.count == 15)
        // A small one beside a large one is not the one to end, and a single one has room for the largest packet.
        _ = budget.hold(0, by: 1, steering: nil)
        let isFree = budget.total == 0 && budget.hold(PacketReader.largest, by: 20, steering: nil).isEmpty
        let ending = budget.hold(1 << 20, by: 21, steering: nil) + budget.hold(8 << 20, by: 22, steering: nil)
        #expect(isFree && ending == [20])
        budget.closed(22)
        #expect(budget.total == 1 << 20)
    }

    @Test func `a short line has rate, age and losses`() throws {
        var board = SenderBoard()
        let place = "127.0.0.1:5000"
        #expect(StreamWords(board, nil, listening: place, now: 0).text == "waiting for a sender at 127.0.0.1:5000")
        _ = board.opened(1, from: try Self.address("192.168.100.120"), now: 0)
        #expect(StreamWords(board, nil, listening: place, now: 0).text == "1 connected, but no pictures arrive")
        for step in 0...90 { _ = board.delivered(1, .pair, now: Double(step) / 30) }
        for _ in 0..<123 { board.dropped(1) }
        var facts = PictureFacts(exposure: 2.96, arrival: 3, width: 640, height: 480)
        facts.unit = UnitDecision(unit: .fiveMetres, reason: .usual)
        let line = StreamWords(board, facts, listening: place, now: 3)
        #expect(line.isLive && line.text == "30.0/s from 192.168.100.120, 640x480, unit 5m, 40 ms old, 123 dropped")
        #expect(line.text.utf8.count <= 80)
        #expect(line.subject == "pictures arrive from 192.168.100.120, 640x480, unit 5m")
        facts.skew = 0.02
        #expect(StreamWords(board, facts, listening: place, now: 3).text.hasSuffix("depth apart"))
        facts.skew = 0.01
        #expect(!StreamWords(board, facts, listening: place, now: 3).text.hasSuffix("depth apart"))
        #expect(StreamWords(board, facts, listening: place, now: 5.1).isLive == false)
    }

    @Test func `a camera says each time the pictures end that it waits, at most once a second`() throws {
        var board = SenderBoard(), notes = WaitingNotes(), lines: [String] = []
        let facts = PictureFacts(exposure: 20, arrival: 20, width: 640, height: 480)
        func look(at now: Double) {
            let words = StreamWords(board, now < 20 ? nil : facts, listening: "127.0.0.1:5000", now: now)
            if let line = notes.line(words.waitReason, now: now) { lines.append(line) }
        }
        for step in 0..<40 { look(at: Double(step) / 4) }
        #expect(lines == ["waiting: no sender at 127.0.0.1:5000"])
        _ = board.opened(1, from: try Self.address("10.0.0.1"), now: 20)
        _ = board.delivered(1, .pair, now: 20)
        for step in 0..<8 { look(at: 20 + Double(step) / 4) }
        #expect(lines.count == 1, "pictures arrive")
        // Earlier than the 3 s after which a daemon takes a camera for hung.
        for step in 8..<11 { look(at: 20 + Double(step) / 4) }
        #expect(lines.last == "waiting: 1 connected, but no pictures arrive" && lines.count == 2)
        board.closed(1)
        // The repetitions end ten seconds after the pictures.
        for step in 11..<200 { look(at: 20 + Double(step) / 4) }
        #expect(lines.dropFirst(2).allSatisfy { $0 == "waiting: no sender at 127.0.0.1:5000" })
        #expect((5...8).contains(lines.count), "\(lines.count)")
        var flapping = WaitingNotes()
        let count = (0..<100).filter { flapping.line("reason \($0)", now: Double($0) / 10) != nil }.count
        #expect(count <= 11)
    }

    @Test func `each change of a connection is news once`() throws {
        var board = SenderBoard(), news = SenderNews()
        for number in 1...2 { _ = board.opened(number, from: try Self.address("10.0.0.\(number)"), now: 0) }
        var lines: [[String]] = []
        func look(at now: Double) { lines.append(news.update(board, now: now)) }
        look(at: 0)
        for number in 1...2 { _ = board.delivered(number, .pair, now: 1) }
        look(at: 1)
        look(at: 2)
        look(at: 11)
        board.closed(1)
        look(at: 12)
        #expect(
            lines == [
                ["10.0.0.1: connected, no picture yet", "10.0.0.2: connected, no picture yet"],
                ["10.0.0.1: its pictures are used", "10.0.0.2: sends, but another sender is used"], [],
                [
                    "10.0.0.1: connected, but has sent nothing for 10 s",
                    "10.0.0.2: connected, but has sent nothing for 10 s",
                ],
                ["10.0.0.1: disconnected"],
            ])
    }

    @Test func `a text is written once a minute`() {
        var notes = RefusalNotes()
        #expect(notes.isNew("a", now: 0) && notes.isNew("b", now: 1))
        let isRepeated = notes.isNew("a", now: 59)
        #expect(!isRepeated && notes.isNew("a", now: 60))
        let written = (0..<1000).filter { notes.isNew("stranger \($0)", now: 61) }
        #expect(written.count <= RefusalNotes.most)
    }

    // MARK: time

    @Test func `the time of a sender on this machine is taken as it is`() {
        var clock = StreamClock(), note = SenderNote()
        (note.time, note.isMonotonic) = (99.95, true)
        #expect(clock.exposure(note, arrival: 100, isLocal: true) == 99.95)
        #expect(clock.exposure(nil, arrival: 100, isLocal: true) == 100)
        note.time = 100.5
        #expect(clock.exposure(note, arrival: 100, isLocal: true) <= 100)
    }

    @Test func `the smallest delay counts for a sender elsewhere, and a jump of its clock is bounded`() {
        var clock = StreamClock(), note = SenderNote()
        note.isMonotonic = true
        for look in 0..<3000 {
            let exposure = Double(look) / 30, delay = 0.005 + (look % 5 == 0 ? 0 : 0.03)
            note.time = exposure + 5000
            let found = clock.exposure(note, arrival: exposure + delay, isLocal: false)
            if look > 0 { #expect(abs(found - exposure - 0.005) < 1e-6) }
        }
        note.time = 3
        let found = clock.exposure(note, arrival: 200, isLocal: false)
        #expect((190...200).contains(found))
        note.time = 1e12
        #expect(clock.exposure(note, arrival: 201, isLocal: false) == 201)
    }

    @Test func `a clock that drifts is followed`() {
        var clock = StreamClock(), note = SenderNote()
        for look in 0..<6000 {
            let exposure = Double(look) / 30
            // The sender's clock is slow: 1 ms in a second, far more than a real one.
            note.time = exposure * 0.999
            let found = clock.exposure(note, arrival: exposure + 0.01, isLocal: false)
            #expect(abs(found - exposure) < 0.1)
        }
    }
}
