internal import CPosix
internal import DockControl
internal import Processes

/// Reports to the service manager, at most four times a second.
extension CompanionSession {
    /// Reports the state to the service manager. Called every quarter of a second.
    func beat() {
        guard let manager = service.manager else { return }
        manager.status(state.withLock { Self.words($0.snapshot.dock) })
        let turns = loop.turnsTaken, now = cposix_monotonic_now()
        switch service.heart.withLock({ $0?.tick(now: now, turns: turns) }) {
        case .ring: loop.wakeInput()
        case .tell: manager.sendWatchdog()
        case .rest, nil: break
        }
    }

    private static func words(_ dock: DockState) -> String {
        switch dock {
        case .ready: "dock ready"
        case .greeting: "greeting the dock"
        case .detached(let reason): "no dock: \(reason.rawValue)"
        case .faulted(let fault):
            "stopped and latched by \(fault.rawValue): make sure all is well, then `dockface clear`"
        }
    }
}
