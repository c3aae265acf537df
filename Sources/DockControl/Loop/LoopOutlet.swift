internal import Geometry

/// The loop's connection to the rest of the program. Every closure is called on the loop's thread and must not block.
package struct LoopOutlet {
    /// Takes the waiting commands and the lost leases.
    package var takeCommands: () -> CommandBatch
    /// Takes the requested magnification of the rig's camera; nil: no request since the last call.
    package var takeZoom: () -> Double?
    /// Receives a new snapshot, at a quiet moment.
    package var onSnapshot: (LoopSnapshot) -> Void
    /// Receives an event, at a quiet moment; `.lost` reports how many were dropped for lack of room.
    package var onEvent: (LoopEvent) -> Void
    /// Receives the recording after a fault or a request, at a quiet moment.
    package var onTrace: (TraceCopy) -> Void
    /// Requests real-time priority, for a real dock; returns false if it is refused.
    package var hurry: () -> Bool

    /// Creates an outlet from its closures.
    package init(
        takeCommands: @escaping () -> CommandBatch, onSnapshot: @escaping (LoopSnapshot) -> Void,
        onEvent: @escaping (LoopEvent) -> Void, onTrace: @escaping (TraceCopy) -> Void = { _ in },
        hurry: @escaping () -> Bool = { true }, takeZoom: @escaping () -> Double? = { nil }
    ) {
        self.takeZoom = takeZoom
        self.onTrace = onTrace
        self.takeCommands = takeCommands
        self.onSnapshot = onSnapshot
        self.onEvent = onEvent
        self.hurry = hurry
    }
}
