internal import Geometry
internal import Processes

/// Passes changes of the dock's connection from the session to all observers of `accessoryStateChanges`.
///
/// States arrive from several threads. Each is passed on under the lock, so that every observer receives the same
/// changes in the same order. A new observer receives them from the present state on.
final class AccessoryWatch: Sendable {
    private typealias Output = AsyncStream<DockAccessory.StateChange>.Continuation

    private struct State {
        var accessory: DockAccessory?
        var state = DockAccessory.State.undocked
        var isButtonOn = true
        var time: Seconds = 0
        var outputs: [Int: Output] = [:]
        var next = 1
        var hasEnded = false

        var change: DockAccessory.StateChange {
            DockAccessory.StateChange(
                accessory: state == .docked ? accessory : nil, state: state, trackingButtonEnabled: isButtonOn)
        }
    }

    private let state = Locked(State())

    /// Returns a stream of the present state and all later ones. It has already ended if `end` was called.
    func stream() -> AsyncStream<DockAccessory.StateChange> {
        let (stream, output) = AsyncStream<DockAccessory.StateChange>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let number: Int? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            output.yield(state.change)
            defer { state.next += 1 }
            state.outputs[state.next] = output
            return state.next
        }
        guard let number else {
            output.finish()
            return stream
        }
        output.onTermination = { [weak self] _ in self?.state.withLock { $0.outputs[number] = nil } }
        return stream
    }

    /// Receives what is known of the dock, and passes a change on. `make` creates the object for a new dock.
    func update(_ snapshot: AccessorySnapshot, make: () -> DockAccessory) {
        state.withLock { known in
            // Two threads may deliver their states in the wrong order. A state older than the last one is dropped.
            guard snapshot.time >= known.time, !known.hasEnded else { return }
            known.time = snapshot.time
            let state = snapshot.isThere ? DockAccessory.State.docked : .undocked
            let isOther = snapshot.isThere && known.accessory?.identifier.uuid != snapshot.identifier.uuid
            let isSame = state == known.state && snapshot.isButtonOn == known.isButtonOn
            guard isOther || !isSame else { return }
            if isOther { known.accessory = make() }
            (known.state, known.isButtonOn) = (state, snapshot.isButtonOn)
            for output in known.outputs.values { output.yield(known.change) }
        }
    }

    /// Ends all streams and forgets the dock.
    func end() {
        let outputs = state.withLock { state in
            state.hasEnded = true
            state.accessory = nil
            defer { state.outputs = [:] }
            return Array(state.outputs.values)
        }
        // This happens outside the lock, because a stream that ends removes itself under the lock.
        for output in outputs { output.finish() }
    }
}
