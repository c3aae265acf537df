import ControlProtocol
import Testing

@testable import Companion

/// The parts of a connection that decide: its input, its end, and what is left of it.
@Suite struct ControlTestsConnection {
    private func bytes(_ text: String) -> ArraySlice<UInt8> { ArraySlice(text.utf8) }

    /// The next lines of an input, at most `most`.
    private func lines(_ input: inout ConnectionInput, _ most: Int = .max) -> [String] {
        var lines: [String] = []
        while lines.count < most, case .line(let bytes)? = input.next() {
            lines.append(String(decoding: bytes, as: UTF8.self))
        }
        return lines
    }

    // MARK: input

    @Test func `the first line goes first until it is answered, and a long one does not`() {
        var input = ConnectionInput()
        #expect(input.isNew && input.goesFirst && !input.hasLines)
        input.append(bytes("one\ntwo\n"))
        let first = lines(&input, 1)
        #expect(first == ["one"] && !input.isNew && input.goesFirst)
        input.recordAnswers()
        #expect(!input.goesFirst)
        let rest = lines(&input)
        #expect(rest == ["two"] && !input.hasLines)
        var long = ConnectionInput()
        long.append(ArraySlice(repeating: 0x20, count: ConnectionInput.shortLine + 1))
        #expect(long.isNew && !long.goesFirst)
    }

    @Test func `bytes are wanted when all lines were begun, and a few ahead when there is no room for answers`() {
        var input = ConnectionInput()
        #expect(input.isWanted(hasRoom: true) && input.isWanted(hasRoom: false))
        input.append(bytes("one\n"))
        #expect(!input.isWanted(hasRoom: true) && input.isWanted(hasRoom: false))
        input.append(ArraySlice(repeating: 0x20, count: ConnectionInput.lookahead))
        #expect(!input.isWanted(hasRoom: false))
        input.end()
        #expect(!input.isWanted(hasRoom: true))
    }

    @Test func `a last line without an end counts when the client has closed`() {
        var input = ConnectionInput()
        input.append(bytes("half"))
        let early = lines(&input)
        input.end()
        #expect(early.isEmpty && input.hasLines)
        let late = lines(&input)
        #expect(late == ["half"])
    }

    @Test func `after a refusal nothing is kept, but the bytes are still read`() {
        var input = ConnectionInput()
        input.append(bytes("stop\n"))
        let seen = input.unseen().map(Array.init)
        #expect(input.mayStop && seen == [Array("stop".utf8)])
        input.refuse()
        input.append(bytes("more\n"))
        let more = input.unseen()
        #expect(!input.hasLines && input.isWanted(hasRoom: false) && more.isEmpty)
        input.end()
        #expect(!input.hasLines)
    }

    // MARK: end

    @Test func `a connection whose output is stuck for 30 s is over, and progress begins the time again`() {
        var end = ConnectionEnd()
        #expect(!end.isPending && !end.isDue(now: 1000))
        end.record(isStuck: true, now: 10)
        end.record(isStuck: true, now: 20)
        #expect(end.isPending && !end.isDue(now: 40) && end.isDue(now: 40.1))
        end.recordProgress()
        end.record(isStuck: true, now: 41)
        #expect(!end.isDue(now: 71) && end.isDue(now: 71.1))
        end.record(isStuck: false, now: 72)
        #expect(!end.isPending)
    }

    @Test func `the writing side is closed once, and 2 s later the connection is over`() {
        var end = ConnectionEnd()
        let times = [end.shutDown(now: 5), end.shutDown(now: 6)]
        #expect(times == [true, false])
        #expect(!end.isDue(now: 6.9) && end.isDue(now: 7))
    }

    // MARK: closedWork

    private func request(_ command: Command) -> ControlRequest {
        ControlRequest(id: nil, .success(.command(command)))
    }

    @Test func `of a closed connection's requests queries and motion before its stop are not carried out`() {
        var closedWork = ClosedConnectionWork(closedAt: 100)
        closedWork.stops = 1
        let commands: [Command] = [
            .status(why: false), .motion(.home), .gestures(true), .motion(.stop), .motion(.home),
        ]
        let admitted = commands.map { closedWork.admit(request($0)) }
        #expect(admitted == [false, false, true, true, true])
        let refused = closedWork.admit(ControlRequest(refused: .parse("x")))
        #expect(!refused)
        #expect(!closedWork.isOverdue(now: 109.9) && closedWork.isOverdue(now: 110))
    }

    @Test func `a program that closed with the lease moves nothing more, and does not get the lease back`() {
        var closedWork = ClosedConnectionWork(closedAt: 0)
        closedWork.lostLease = true
        let commands: [Command] = [.acquireControl, .motion(.home), .motion(.stop), .motion(.home)]
        let admitted = commands.map { closedWork.admit(request($0)) }
        #expect(admitted == [false, false, true, false])
    }

    // MARK: roster

    @Test func `each turn begins after the connection that was served last`() {
        var roster = ControlRoster()
        for _ in 0..<3 { roster.add(ControlConnection(number: roster.nextNumber(), descriptor: -1)) }
        #expect(roster.numbers == [1, 2, 3] && roster.toServe.map(\.number) == [1, 2, 3])
        if let second = roster[2] { roster.recordServed(second) }
        #expect(roster.toServe.map(\.number) == [3, 1, 2] && roster.toRead.map(\.number) == [1, 2, 3])
        roster[3]?.closedWork = ClosedConnectionWork(closedAt: 0)
        roster[1]?.slot.isProvisional = true
        roster[2]?.outbox.subscribe([.motion])
        #expect(roster.open.map(\.number) == [1, 2] && roster.closed.map(\.number) == [3])
        #expect(roster.provisional.map(\.number) == [1] && roster.interest == [.motion])
        let removed = roster.remove(2), next = roster.nextNumber()
        #expect(removed?.number == 2 && roster.count == 2 && next == 4)
    }
}
