internal import DockControl
internal import Glibc

/// What the next run has to know of a dock near which hands may be: kept as it changes, by nobody who must not wait.
final class DockRecord: Sendable {
    private let marker: RunMarker
    private let keeper: Keeper
    /// What to do where the disk does not keep it.
    private let onFailure: @Sendable (Loss, DockError) -> Void
    private let now: Guarded<(state: DockState?, isReleased: Bool)>

    /// What the next run would get wrong, because the disk does not keep what changed.
    enum Loss: Sendable {
        case latchNotWritten, latchNotRemoved, releaseNotWritten, releaseNotRemoved

        /// For people: what becomes of this run and of the next one, and what to do.
        var text: String {
            switch self {
            case .latchNotWritten:
                "the latch is not kept: this run stays latched, but the next one would not know of it. Make sure that nobody starts one"
            case .latchNotRemoved:
                "the latch is not removed: this run is free, but the next one begins latched. Type `clear` there again"
            case .releaseNotWritten:
                "it is not kept that the motors are free: they stay free in this run, but the next one would let them hold. Make sure that nobody starts one"
            case .releaseNotRemoved:
                "the note that the motors are free is not removed: they hold in this run, but the next one lets go of them. Type `torque on` there again"
            }
        }
    }

    init(_ marker: RunMarker, keeper: Keeper, onFailure: @escaping @Sendable (Loss, DockError) -> Void) {
        (self.marker, self.keeper, self.onFailure) = (marker, keeper, onFailure)
        now = Guarded((nil, marker.isReleased))
    }

    /// The dock is in another state.
    func changed(_ state: DockState) {
        now.withLock { $0.state = state }
        write()
    }

    /// Whether somebody has let go of the motors.
    func released(_ isReleased: Bool) {
        let isNew = now.withLock { known in
            defer { known.isReleased = isReleased }
            return known.isReleased != isReleased
        }
        if isNew { write() }
    }

    private func write() {
        keeper.runNewest { [self] in
            let (state, isReleased) = now.withLock { ($0.state, $0.isReleased) }
            if state == .ready { marker.set() }
            if let state, let error = marker.keep(state, time: time(nil)) {
                let isLatched = if case .faulted = state { true } else { false }
                onFailure(isLatched ? .latchNotWritten : .latchNotRemoved, error)
            }
            if let error = marker.keep(released: isReleased) {
                onFailure(isReleased ? .releaseNotWritten : .releaseNotRemoved, error)
            }
        }
    }
}
