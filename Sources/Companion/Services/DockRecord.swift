internal import DockControl
internal import Glibc

/// What the next run has to know of a dock near which hands may be. It is written as it changes, on the keeper's queue: whoever reports
/// the change must not wait for a disk.
final class DockRecord: Sendable {
    /// What is written next.
    private struct Known {
        var state: DockState?
        var isReleased: Bool
        /// The dock was latched in this run since the record was last written for a dock that was ready.
        var wasFaulted = false
    }

    private let marker: RunMarker
    private let keeper: Keeper
    /// The ports that there are; nil: as the system lists them.
    private let plugged: @Sendable () -> [PortInfo]?
    private let onFound: @Sendable (RunMarker.Latch) -> Void
    private let onFailure: @Sendable (Loss, DockError) -> Void
    private let now: Guarded<Known>

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

    /// - Parameters:
    ///   - onFound: an earlier run has left the dock latched under a name that the port had not got when this run began.
    ///   - onFailure: the disk does not keep it.
    init(
        _ marker: RunMarker, keeper: Keeper, plugged: @escaping @Sendable () -> [PortInfo]? = { nil },
        onFound: @escaping @Sendable (RunMarker.Latch) -> Void, onFailure: @escaping @Sendable (Loss, DockError) -> Void
    ) {
        (self.marker, self.keeper, self.plugged) = (marker, keeper, plugged)
        (self.onFound, self.onFailure) = (onFound, onFailure)
        now = Guarded(Known(isReleased: marker.isReleased))
    }

    /// The dock is in another state.
    func changed(_ state: DockState) {
        now.withLock { known in
            known.state = state
            if case .faulted = state { known.wasFaulted = true }
        }
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
            let known = now.withLock { known in
                defer { if known.state == .ready { known.wasFaulted = false } }
                return known
            }
            let named = marker.byAllNames(plugged: plugged())
            if known.state == .ready {
                marker.set()
                if !known.wasFaulted, let latch = named.latch { return onFound(latch) }
            }
            if let state = known.state, let error = named.keep(state, time: time(nil)) {
                let isLatched = if case .faulted = state { true } else { false }
                onFailure(isLatched ? .latchNotWritten : .latchNotRemoved, error)
            }
            if let error = named.keep(released: known.isReleased) {
                onFailure(known.isReleased ? .releaseNotWritten : .releaseNotRemoved, error)
            }
        }
    }
}
