import Testing

@testable import Companion

/// Lines typed before a stop neither delay it nor undo it.
@Suite struct WordBacklogTests {
    private func fed(_ text: String, _ backlog: inout WordBacklog) -> [WordBacklog.Urgent] { backlog.feed(text.utf8) }

    private func rest(_ backlog: inout WordBacklog) -> [WordBacklog.Line] {
        var lines: [WordBacklog.Line] = []
        while let line = backlog.next(now: 0) {
            lines.append(line)
            backlog.answered(turn: backlog.turn)
        }
        return lines
    }

    @Test func `lines keep their order; a stop is handed out once, when it is read, and keeps its place`() {
        var backlog = WordBacklog()
        let urgent = fed("help\nvelocity 10 0\n  STOP \nstatus\nestop\nhome\n", &backlog)
        #expect(urgent == [.stop(1, .motion(.stop)), .stop(2, .motion(.emergencyStop))])
        let lines = rest(&backlog)
        #expect(
            lines == [
                .words("help", isOvertaken: true), .words("velocity 10 0", isOvertaken: true), .stopped(1, tag: nil),
                .words("status", isOvertaken: true), .stopped(2, tag: nil),
                .words("home"),
            ])
        let none = backlog.next(now: 0)
        #expect(none == nil && backlog.isEmpty)
    }

    @Test func `lines already carried out are not overtaken, nor are later ones`() {
        var backlog = WordBacklog()
        _ = fed("home\nface happy\n", &backlog)
        let first = backlog.next(now: 0)
        #expect(first == .words("home"))
        let urgent = fed("stop\nhome\n", &backlog)
        backlog.answered(turn: backlog.turn)
        #expect(urgent.count == 1)
        let lines = rest(&backlog)
        #expect(lines == [.words("face happy", isOvertaken: true), .stopped(1, tag: nil), .words("home")])
    }

    @Test(arguments: ["stopp", "stop now", "unstop", "face stop", "", "   "])
    func `other lines are not a stop`(line: String) {
        var backlog = WordBacklog()
        let urgent = fed(line + "\n", &backlog)
        #expect(urgent.isEmpty)
        #expect(rest(&backlog) == (line.allSatisfy(\.isWhitespace) ? [] : [.words(line)]))
    }

    @Test func `the next line waits for the answer to the one before it, for ten seconds at most`() {
        var backlog = WordBacklog()
        let call = #"{"id":2,"method":"status"}"#
        _ = fed("home\n\(call)\nstatus\nhelp\n", &backlog)
        let home = backlog.next(now: 1), turn = backlog.turn
        #expect(home == .words("home") && backlog.isIdle && !backlog.isEmpty)
        let early = backlog.next(now: 2)
        #expect(early == nil)
        backlog.answered(turn: turn + 1)
        #expect(backlog.isIdle, "that was another line")
        backlog.answered(turn: turn)
        #expect(!backlog.isIdle)
        // A call has a number of its own, and nothing waits for its answer.
        let lines = [backlog.next(now: 3), backlog.next(now: 3), backlog.next(now: 12.9), backlog.next(now: 13)]
        #expect(lines == [.call(call), .words("status"), nil, .words("help")])
    }

    @Test func `a stop overtakes a line that waits for an answer, and a stop behind a tag is a stop`() {
        var backlog = WordBacklog()
        _ = fed("torque off\nhome\n", &backlog)
        let first = backlog.next(now: 0)
        #expect(first == .words("torque off"))
        let call = #"{"jsonrpc":"2.0","id":1,"method":"stop"}"#
        let urgent = fed("#a stop\n#?? estop\n\(call)\n", &backlog)
        #expect(urgent == [.stop(1, .motion(.stop)), .stop(2, .motion(.emergencyStop)), .call(call)])
        backlog.answered(turn: backlog.turn)
        let lines = rest(&backlog)
        #expect(
            lines == [
                .words("home", isOvertaken: true), .stopped(1, tag: "a"), .stopped(2, tag: nil), .call(call),
            ])
    }

    @Test func `a call that is a stop goes first, too`() {
        let stop = #"{"jsonrpc":"2.0","id":1,"method":"stop"}"#, other = #"{"id":2,"method":"status","x":"stop"}"#
        var backlog = WordBacklog()
        let urgent = fed("home\n\(stop)\n\(other)\n", &backlog)
        #expect(urgent == [.call(stop)])
        let lines = rest(&backlog)
        #expect(lines == [.words("home", isOvertaken: true), .call(stop), .call(other)])
        let first = fed(stop + "\n", &backlog)
        #expect(first.isEmpty, "its turn has come: once is enough")
    }

    @Test func `lines arrive in any pieces, the last one without a newline, and an overlong one is one refusal`() {
        var backlog = WordBacklog()
        var urgent: [WordBacklog.Urgent] = []
        for byte in "home\nst".utf8 { urgent += backlog.feed([byte]) }
        #expect(urgent.isEmpty)
        urgent += backlog.feed("op".utf8)
        if let last = backlog.finish() { urgent.append(last) }
        #expect(urgent == [.stop(1, .motion(.stop))])
        urgent = backlog.feed([UInt8](repeating: 0x73, count: 200_000) + [0x0A])
        let lines = rest(&backlog)
        #expect(urgent.isEmpty && lines.count == 3 && lines.last == .words("line-over-65536-bytes"))
    }

    @Test func `of too many lines from other clients the rest is refused, but never a stop`() {
        var backlog = WordBacklog()
        var refused = 0
        for _ in 0..<20_000 where !backlog.put("help").isTaken { refused += 1 }
        #expect(refused == 20_000 - WordBacklog.capacity)
        let stop = backlog.put("stop")
        #expect(stop.isTaken && stop.urgent == .stop(0, .motion(.stop)))
        let lines = rest(&backlog)
        #expect(lines.count == WordBacklog.capacity && lines.allSatisfy { $0 == .words("help", isOvertaken: true) })
        let after = backlog.put("help")
        #expect(after.isTaken)
    }

    @Test func `a flood of stops keeps no more than the stops and their lines`() {
        var backlog = WordBacklog()
        let urgent = backlog.feed([[UInt8]](repeating: Array("x\nstop\n".utf8), count: 20_000).joined())
        #expect(urgent.count == 20_000)
        #expect(rest(&backlog).count == 40_000)
    }

    @Test(arguments: ["velocity 10 0", "orient 1 1", "home", "animate yes", "mode system", "clear", "torque on", "up"])
    func `a command that would undo the stop is refused after it`(line: String) throws {
        #expect(try CommandWords.parse(line).movesAfterStop)
    }

    @Test(arguments: ["help", "status", "face happy", "torque off", "tap 0.4 0.6", "stop", "limits reset", "quit"])
    func `any other command is carried out`(line: String) throws {
        #expect(try !CommandWords.parse(line).movesAfterStop)
    }

    @Test func `long lines fill the queue by their bytes, and make room again`() {
        var backlog = WordBacklog()
        let line = String(repeating: "x", count: WordBacklog.longestLine / 2) + "\n"
        var lines = 0
        while !backlog.isFull {
            _ = fed(line, &backlog)
            lines += 1
        }
        #expect(lines == 128)
        let stop = backlog.put("stop"), other = backlog.put("home")
        #expect(stop.isTaken && stop.urgent == .stop(0, .motion(.stop)) && !other.isTaken)
        _ = backlog.next(now: 0)
        backlog.answered(turn: backlog.turn)
        #expect(!backlog.isFull && rest(&backlog).count == lines - 1)
    }
}
