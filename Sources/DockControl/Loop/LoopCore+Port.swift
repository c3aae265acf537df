internal import DockTypes
internal import Geometry

/// The port: its data, and when it appears and disappears.
extension LoopCore {
    func opened(now: Seconds) {
        // Another dock at the same port is checked repeatedly, and was already reported.
        let opened = port.noteOpened()
        if let previous = opened.previous, machine.state != .detached(.otherDevice) || previous != opened.name {
            note("dock port \(opened.name) opened again")
        }
        showGuard()
        if !SafetyMutant.ignoresMissingCheck.isOn,
            options.profile.safety.isNearHands(isHardware: link?.isHardware ?? true)
        {
            director.capSpeed(Self.uncheckedSpeed)
        }
        if link?.isHardware == true, !outlet.requestRealtimePriority() {
            recorder.realTimeRefused()
            note(DockLoop.noRealTime)
        }
        let isAnnounced = link?.isHardware == true && port.news?.reportsPortChanges == true
        perform(machine.portOpened(now: now, isAnnounced: isAnnounced), now: now)
    }

    func lost(now: Seconds, reason: DetachReason = .unplugged) {
        perform(machine.portLost(now: now, reason: reason), now: now)
    }

    func tryToReopen(now: Seconds) {
        guard let retry = machine.retryAt, now >= retry, !SafetyMutant.neverReopens.isOn else { return }
        do {
            try port.reopen()
            opened(now: now)
        } catch {
            recorder.notOpened(error.code)
            let hasChanged =
                error.code == .otherDevice
                ? machine.otherDeviceFound(now: now)
                : machine.portMissing(now: now, isBusy: error.code == .portBusy)
            if hasChanged { dockChanged(now: now) }
        }
    }

    /// Handles ports that appeared and disappeared. A new port may be the dock's, so it is tried at once. If the dock's
    /// port disappeared, the dock is lost even if its descriptor has not reported that.
    func handlePortChanges(now: Seconds) {
        for change in port.news?.drain() ?? [] {
            switch change {
            case .added:
                recorder.port(came: true)
                machine.portAppeared(now: now)
            case .removed(let path):
                guard link?.name == path else { continue }
                recorder.port(came: false)
                lost(now: now)
            }
        }
    }

    func readPort(hungUp: Bool, now: Seconds) {
        guard let read = port.read() else { return }
        switch read {
        case .bytes(let bytes):
            dock.receive(bytes, now: now)
            metrics.counters.readBytes += bytes.count
            metrics.counters.reports += dock.reports.count
            handleReports(now: now)
        case .nothing:
            // The port hung up and has no data left.
            if hungUp { lost(now: now) }
        case .hangUp:
            lost(now: now)
        }
    }

    func timeJumped(now: Seconds) {
        note("the clock jumped (suspended or held up): stopped, repeating the handshake")
        keepTrace(cause: "clockJumped", now: now)
        director.timeJumped()
        perform(machine.timeJumped(now: now), now: now)
    }
}
