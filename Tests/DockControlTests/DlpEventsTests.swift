import DockWire
import Testing

@testable import DockControl

@Suite struct DlpEventsTests {
    private var events = DlpEvents()

    private mutating func hear(_ id: UInt8, lost: UInt8 = 0, boot: UInt16 = 1, at now: Double = 0) -> [UInt8] {
        let event = EventReport(id: id, kind: .button, value: 0, microseconds: 0, lost: lost)
        return events.receive(event, bootID: boot, now: now).map(\.id)
    }

    @Test mutating func `an event waits for an earlier one that the line has lost`() {
        #expect(hear(0) == [0])
        #expect(hear(2, at: 1) == [])
        #expect(hear(2, at: 1.05) == [], "a repetition")
        #expect(hear(1, at: 1.05) == [1, 2])
        #expect(hear(3, at: 1.06) == [3])
    }

    @Test mutating func `an event that waits in vain is reported, and the missing one when it comes`() {
        #expect(hear(0) == [0])
        #expect(hear(2, at: 1) == [] && hear(3, at: 1.1) == [])
        #expect(events.overdue(now: 1.15).isEmpty)
        #expect(events.overdue(now: 1.17).map(\.id) == [2, 3])
        #expect(hear(1, at: 1.2) == [1] && hear(4, at: 1.2) == [4])
    }

    @Test mutating func `nothing waits for events that the dock has dropped`() {
        #expect(hear(0) == [0])
        #expect(hear(4, lost: 3) == [4])
        #expect(hear(6) == [] && hear(9, lost: 3) == [6, 9])
    }

    @Test mutating func `another boot begins again, and the ids wrap`() {
        #expect(hear(250) == [250] && hear(252) == [])
        #expect(hear(0, boot: 2) == [252, 0])
        #expect(hear(255, boot: 3) == [255] && hear(1, boot: 3) == [] && hear(0, boot: 3) == [0, 1])
    }
}
