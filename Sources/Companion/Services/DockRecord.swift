internal import DockControl
internal import DockTypes
internal import Glibc
internal import Processes

/// The state of a dock that the next run needs if hands may be near. Each change is written at once, on the keeper's
/// queue, because the thread that reports the change must not wait for a disk.
final class DockRecord: Sendable {
    /// The newest state to write.
    private struct Known {
        var state: DockState?
        var isReleased: Bool
        /// Whether the dock was latched in this run since the record was last written for a ready dock.
        var wasFaulted = false
        /// Whether something has changed since the record was last written. The change of a job that starts late may
        /// already have been written.
        var isChanged = false
    }

    private let marker: RunMarker
    private let keeper: Keeper
    /// The connected ports. If nil, the system is asked.
    private let plugged: @Sendable () -> [PortInfo]?
    private let onFound: @Sendable (RunMarker.Latch) -> Void
    private let onFailure: @Sendable (Loss, DockError) -> Void
    private let now: Locked<Known>

    /// An error that the next run would make because a change could not be stored on the disk.
    enum Loss: Sendable {
        case latchNotWritten, latchNotRemoved, releaseNotWritten, releaseNotRemoved

        /// The consequences for this run and the next one, and what to do, in words for people.
        var text: String {
            switch self {
            case .latchNotWritten:
                "the latch was not written: this run stays latched, but the next one would not know of it. Do not start another run"
            case .latchNotRemoved:
                "the latch was not removed: this run is clear, but the next one begins latched. Type `clear` there again"
            case .releaseNotWritten:
                "the torque-off note was not written: the torque stays off in this run, but the next one would switch it on. Do not start another run"
            case .releaseNotRemoved:
                "the torque-off note was not removed: the torque is on in this run, but the next one switches it off. Type `torque on` there again"
            }
        }
    }

    /// Creates a record.
    /// - Parameters:
    ///   - onFound: called if an earlier run has left the dock latched under a name that the port did not have when
    ///     this run began.
    ///   - onFailure: called if a change could not be written.
    init(
        _ marker: RunMarker, keeper: Keeper, plugged: @escaping @Sendable () -> [PortInfo]? = { nil },
        onFound: @escaping @Sendable (RunMarker.Latch) -> Void, onFailure: @escaping @Sendable (Loss, DockError) -> Void
    ) {
        (self.marker, self.keeper, self.plugged) = (marker, keeper, plugged)
        (self.onFound, self.onFailure) = (onFound, onFailure)
        now = Locked(Known(isReleased: marker.isReleased))
    }

    /// Records the dock's new state.
    func changed(_ state: DockState) {
        now.withLock { known in
            known.state = state
            known.isChanged = true
            if case .faulted = state { known.wasFaulted = true }
        }
        write()
    }

    /// Records whether the torque is switched off.
    func released(_ isReleased: Bool) {
        let isNew = now.withLock { known in
            defer { known.isReleased = isReleased }
            if known.isReleased != isReleased { known.isChanged = true }
            return known.isReleased != isReleased
        }
        if isNew { write() }
    }

    private func write() {
        keeper.runNewest { [self] in
            let known = now.withLock { known in
                defer {
                    known.isChanged = false
                    if known.state == .ready { known.wasFaulted = false }
                }
                return known
            }
            guard known.isChanged else { return }
            let named = marker.byAllNames(plugged: plugged())
            if known.state == .ready {
                marker.set()
                if !known.wasFaulted, let latch = named.latch { return onFound(latch) }
            }
            // A dock that is greeted or gone has not been cleared, unless it was latched in this run. An earlier run's
            // latch may be stored under a name that this run did not have when it began.
            let isOfThisRun = known.wasFaulted || known.state == .ready
            if let state = known.state, isOfThisRun, let error = named.keep(state, time: time(nil)) {
                let isLatched = if case .faulted = state { true } else { false }
                onFailure(isLatched ? .latchNotWritten : .latchNotRemoved, error)
            }
            if let error = named.keep(released: known.isReleased) {
                onFailure(known.isReleased ? .releaseNotWritten : .releaseNotRemoved, error)
            }
        }
    }
}
