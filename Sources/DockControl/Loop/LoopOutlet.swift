internal import Geometry

/// What a loop takes from the rest of the program and tells it; every closure is called on the loop's thread and must not
/// wait.
package struct LoopOutlet {
    /// The commands that wait, and the leases that were lost.
    package var takeCommands: () -> CommandBatch
    /// What the rig's camera shall magnify; nil: nobody has asked since the last call.
    package var takeZoom: () -> Double?
    /// A new snapshot, at a quiet moment.
    package var onSnapshot: (LoopSnapshot) -> Void
    /// Something happened, at a quiet moment; `.lost` tells of how many there was no room.
    package var onEvent: (LoopEvent) -> Void
    /// What was recorded, because of a fault or because somebody asked; at a quiet moment.
    package var onTrace: (TraceCopy) -> Void
    /// Asks for real-time priority, for a real dock; false if it is refused.
    package var hurry: () -> Bool

    /// All of them.
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
