internal import DockControl
internal import Geometry

/// The dock's coming and going, from the session's states to all who observe `accessoryStateChanges`.
///
/// States come from several threads; each is told under the lock, so that every observer hears the same changes in the same
/// order, a new one from the present state on.
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

    private let state = Guarded(State())

    /// The present state, and all that follow; already over where `end` was called.
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

    /// Takes the session's state, and tells what has changed. A dock that was not there before is made by `make`.
    func take(_ status: SessionStatus, make: () -> DockAccessory) {
        state.withLock { known in
            // Two threads may bring theirs in the wrong order; what is older than what was told is not told any more.
            guard status.loop.time >= known.time, !known.hasEnded else { return }
            known.time = status.loop.time
            let isThere = status.loop.isThere
            let state = isThere ? DockAccessory.State.docked : .undocked
            let isOther = isThere && known.accessory?.identifier.uuid != status.loop.identity?.uid ?? ""
            let isSame = state == known.state && status.trackingButtonEnabled == known.isButtonOn
            guard isOther || !isSame else { return }
            if isOther { known.accessory = make() }
            (known.state, known.isButtonOn) = (state, status.trackingButtonEnabled)
            for output in known.outputs.values { output.yield(known.change) }
        }
    }

    /// All streams end, and the dock is forgotten.
    func end() {
        let outputs = state.withLock { state in
            state.hasEnded = true
            state.accessory = nil
            defer { state.outputs = [:] }
            return Array(state.outputs.values)
        }
        // Outside the lock: an ending stream takes itself out.
        for output in outputs { output.finish() }
    }
}

extension LoopSnapshot {
    /// The dock answers; it may be latched by a fault all the same.
    fileprivate var isThere: Bool {
        switch dock {
        case .ready: true
        case .faulted: identity != nil
        case .detached, .greeting: false
        }
    }
}
