import ControlProtocol
import Testing

@testable import DockClient

/// What waits for a slow reader, and events that a daemon should not send.
@Suite struct UpdateTests {
    @Test func `a slow reader gets the newest state, and the last 64 events with the number of the lost`() {
        func update(_ number: Int, lost: Int = 0) -> TopicUpdate<Int> {
            TopicUpdate(value: number, sequence: number, isSnapshot: false, lost: lost)
        }
        var states = UpdateQueue<TopicUpdate<Int>>(), events = UpdateQueue<TopicUpdate<Int>>()
        for number in 1...100 {
            states.add(update(number), isQueue: false)
            events.add(update(number, lost: number == 10 ? 5 : 0), isQueue: true)
        }
        let state = states.next()
        #expect(state?.value == 100 && state?.isSnapshot == true && states.isEmpty)
        let first = events.next()
        #expect(first?.value == 37 && first?.lost == 36 + 5)
        var rest = 0
        while let next = events.next() {
            rest += 1
            #expect(next.lost == 0)
        }
        #expect(rest == 63)
    }

    @Test(arguments: ["9e15", "-3", "1e300", "2.5", "\"many\"", "null"])
    func `a lying number of lost events adds up without an overflow`(lost: String) throws {
        let line = #"{"method":"event","params":{"topic":"events","seq":1,"kind":"change","lost":\#(lost),"data":1}}"#
        let event = try #require(DaemonEvent(JSONReader.value(of: Array(line.utf8))))
        #expect((0...(1 << 31)).contains(event.lost))
        var queue = UpdateQueue<TopicUpdate<Int>>()
        for number in 1...200 {
            queue.add(
                TopicUpdate(value: number, sequence: number, isSnapshot: false, lost: event.lost), isQueue: true)
        }
        #expect(queue.next()?.lost == 137 * event.lost + 136)
    }
}
