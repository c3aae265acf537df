internal import Geometry

/// Notes that are logged only once.
struct OneTimeNotes: OptionSet {
    let rawValue: UInt8
    static let lag = OneTimeNotes(rawValue: 1), swings = OneTimeNotes(rawValue: 2), rates = OneTimeNotes(rawValue: 4)
    static let view = OneTimeNotes(rawValue: 8)
}

/// The loop's connection to the rest of the program. Every closure is called on the loop's thread and must not block.
package struct LoopOutlet {
    /// The events that wait for the next publication.
    var outbox = EventOutbox()
    /// The notes that were already logged once.
    private var remarks: OneTimeNotes = []

    /// Takes the waiting commands and the lost leases.
    package var takeCommands: () -> CommandBatch
    /// Returns the requested magnification of the rig's camera, or nil if there was no request since the last call.
    package var takeZoom: () -> Double?
    /// Receives a new snapshot, at a quiet moment.
    package var onSnapshot: (LoopSnapshot) -> Void
    /// Receives an event, at a quiet moment; `.lost` reports how many were dropped for lack of room.
    package var onEvent: (LoopEvent) -> Void
    /// Receives the recording after a fault or a request, at a quiet moment.
    package var onTrace: (TraceCopy) -> Void
    /// Requests real-time priority for a real dock. Returns false if it is refused.
    package var requestRealtimePriority: () -> Bool

    /// Creates an outlet from its closures.
    package init(
        takeCommands: @escaping () -> CommandBatch, onSnapshot: @escaping (LoopSnapshot) -> Void,
        onEvent: @escaping (LoopEvent) -> Void, onTrace: @escaping (TraceCopy) -> Void = { _ in },
        requestRealtimePriority: @escaping () -> Bool = { true }, takeZoom: @escaping () -> Double? = { nil }
    ) {
        self.takeZoom = takeZoom
        self.onTrace = onTrace
        self.takeCommands = takeCommands
        self.onSnapshot = onSnapshot
        self.onEvent = onEvent
        self.requestRealtimePriority = requestRealtimePriority
    }

    /// Passes the waiting events on.
    mutating func flush() { outbox.drain(onEvent) }

    /// Returns whether a note has not been logged before, and counts it as logged.
    mutating func isFirst(_ remark: OneTimeNotes) -> Bool { remarks.insert(remark).inserted }
}
