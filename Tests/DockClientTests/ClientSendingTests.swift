import ControlProtocol
import DockTypes
import Geometry
import Testing

@testable import DockClient

/// What a program sends, and in which order.
extension ClientMachineTests {
    // MARK: sending

    @Test func `a stop goes before all lines that have not begun, and a line is never cut`() {
        var queue = SendQueue()
        queue.add(Array("one\n".utf8))
        queue.add(Array("two\n".utf8))
        _ = queue.take()
        queue.didSend(2)
        queue.add(Array("stop\n".utf8), isUrgent: true)
        #expect(queue.count == 11)
        var sent = ""
        while !queue.isEmpty {
            let piece = queue.take().prefix(3)
            sent += String(decoding: piece, as: UTF8.self)
            queue.didSend(piece.count)
        }
        #expect(sent == "e\nstop\ntwo\n" && queue.count == 0)
        queue.didSend(5)
    }

    @Test(arguments: [0, 2, 4])
    func `a stop that is added while a line is being written is neither lost nor cut in`(written: Int) {
        var queue = SendQueue()
        queue.add(Array("one\n".utf8))
        queue.add(Array("two\n".utf8))
        var sent = ""
        let piece = queue.take()
        // Another thread adds the stop between the write and its record.
        queue.add(Array("stop\n".utf8), isUrgent: true)
        sent += String(decoding: piece.prefix(written), as: UTF8.self)
        queue.didSend(written)
        // Nothing was written, so a second stop may go first.
        if written == 0 { queue.add(Array("estop\n".utf8), isUrgent: true) }
        while !queue.isEmpty {
            let piece = queue.take()
            sent += String(decoding: piece, as: UTF8.self)
            queue.didSend(piece.count)
        }
        #expect(sent == (written == 0 ? "estop\n" : "") + "one\nstop\ntwo\n" && queue.count == 0)
    }

    @Test func `a stop that overtakes motions is sent again behind them, so that none outlives it`() {
        func order(_ isTaken: Bool, _ waiting: [String]) -> [String] {
            var queue = SendQueue(), sent: [String] = []
            for line in waiting { queue.add(Array(line.utf8)) }
            let begun = isTaken ? queue.take().count : 0
            queue.addStop(Array("stop".utf8), again: Array("again".utf8))
            if isTaken { queue.didSend(begun) }
            while !queue.isEmpty {
                let piece = queue.take()
                sent.append(String(decoding: piece, as: UTF8.self))
                queue.didSend(piece.count)
            }
            return sent
        }
        #expect(order(false, ["home", "yes"]) == ["stop", "home", "yes", "again"])
        #expect(order(true, ["home", "yes"]) == ["stop", "yes", "again"])
        // What is being written comes before the stop.
        #expect(order(true, ["home"]) == ["stop"] && order(false, []) == ["stop"])
        let line = ClientMachine.notification("stop", [:])
        #expect(
            JSONValue(json: line.dropLast())?["method"]?.string == "stop"
                && JSONValue(json: line.dropLast())?["id"] == nil)
    }

    @Test func `a stop is sent however many calls wait`() throws {
        var machine = Self.connected()
        for _ in 0..<ClientMachine.mostCalls { _ = try machine.call("status", [:], timeout: 5, now: 0) }
        _ = try machine.call("stop", [:], timeout: 5, isStop: true, now: 0)
    }

    @Test func `the descriptors of an answer that no one waits for are closed`() throws {
        var machine = Self.connected()
        let (id, _) = try machine.call("openPictures", [:], timeout: 5, now: 0)
        machine.abandon(id)
        #expect(try machine.receive(Self.answer(id, #"{"slots":8}"#), now: 1) == [.discardDescriptors])
    }
}
