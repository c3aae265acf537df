internal import DockWire

/// Events that the host has not confirmed. It keeps the newest 8 and repeats each every 50 ms.
struct EventQueue: Sendable {
    static let capacity = 8
    static let repetition: UInt32 = 50_000

    private struct Entry {
        var report: EventReport
        var sent: Stopwatch
        var isNew: Bool
    }

    private var entries: InlineArray<8, Entry>
    private(set) var count = 0
    private var nextID: UInt8 = 0

    init(now: UInt32) {
        let none = EventReport(id: 0, kind: .unknown, value: 0, microseconds: 0)
        entries = InlineArray(repeating: Entry(report: none, sent: Stopwatch(now: now), isNew: false))
    }

    /// Adds an event. If there is no room, the oldest is removed, and the new one carries the number of lost events.
    mutating func raise(_ kind: EventKind, value: Int16, now: UInt32) {
        var report = EventReport(id: nextID, kind: kind, value: value, microseconds: now)
        nextID &+= 1
        if count == Self.capacity {
            // The new event takes over the removed one's count of losses.
            let gone = entries[0].report.lost
            report.lost = gone < 255 ? gone + 1 : 255
            remove(at: 0)
        }
        entries[count] = Entry(report: report, sent: Stopwatch(now: now), isNew: true)
        count += 1
    }

    mutating func acknowledge(id: UInt8) {
        for index in 0..<count where entries[index].report.id == id {
            remove(at: index)
            return
        }
    }

    /// Returns the oldest event that is due; it is due again after 50 ms.
    mutating func takeDue(_ now: UInt32) -> EventReport? {
        for index in 0..<count {
            guard entries[index].isNew || entries[index].sent.elapsed(now) >= Self.repetition else { continue }
            entries[index].isNew = false
            entries[index].sent.restart(now)
            return entries[index].report
        }
        return nil
    }

    private mutating func remove(at place: Int) {
        guard place < count else { return }
        for index in place..<count - 1 { entries[index] = entries[index + 1] }
        count -= 1
    }
}
