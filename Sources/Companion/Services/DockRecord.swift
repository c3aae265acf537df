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
    private let onFailure: @Sendable (DockError) -> Void
    private let now: Guarded<Known>

    /// - Parameters:
    ///   - onFound: an earlier run has left the dock latched under a name that the port had not got when this run began.
    ///   - onFailure: the disk does not keep it.
    init(
        _ marker: RunMarker, keeper: Keeper, plugged: @escaping @Sendable () -> [PortInfo]? = { nil },
        onFound: @escaping @Sendable (RunMarker.Latch) -> Void, onFailure: @escaping @Sendable (DockError) -> Void
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
            let failure = known.state.flatMap { named.keep($0, time: time(nil)) }
            if let error = named.keep(released: known.isReleased) ?? failure { onFailure(error) }
        }
    }
}
