internal import DockControl
internal import Glibc

/// What the next run has to know of a dock near which hands may be: kept as it changes, by nobody who must not wait.
final class DockRecord: Sendable {
    private let marker: RunMarker
    private let keeper: Keeper
    /// What to do where the disk does not keep it.
    private let onFailure: @Sendable (DockError) -> Void
    private let now: Guarded<(state: DockState?, isReleased: Bool)>

    init(_ marker: RunMarker, keeper: Keeper, onFailure: @escaping @Sendable (DockError) -> Void) {
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
            let failure = state.flatMap { marker.keep($0, time: time(nil)) }
            if let error = marker.keep(released: isReleased) ?? failure { onFailure(error) }
        }
    }
}
