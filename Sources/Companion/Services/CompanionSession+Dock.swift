internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Glibc
internal import Logging
internal import Processes

/// The session's dock: its port, its guard, its start and its loop.
extension CompanionSession {
    /// Returns the guard, which is started before the port is opened. A dock with a deadman timer does not require it.
    static func guardian(_ configuration: SessionConfiguration, log: Logger) -> DockGuard? {
        if configuration.dock.dryRun { return nil }
        if let given = configuration.dock.guardian { return given }
        do throws(DockError) {
            return try DockGuard()
        } catch {
            log.warning("\(error.message): \(error.hint)")
            return nil
        }
    }

    /// Opens the port. It waits a moment for the guard of a daemon that has just died, which first writes its stop.
    private func openPort(_ port: DockPort) throws(DockError) -> any ByteLink {
        for _ in 0..<15 {
            do {
                return try port.open(waits: true)
            } catch  where error.code == .portBusy {
                poll(nil, 0, 20)
            }
        }
        return try port.open(waits: true)
    }

    func openLink(_ port: DockPort) throws(DockError) -> (any ByteLink)? {
        if port.name == .absent { return nil }
        do {
            return try openPort(port)
        } catch {
            guard configuration.dock.waitsForPort, error.code == .notConnected || error.code == .cannotOpen else {
                throw error
            }
            log.warning("\(error.message): waiting for it")
            return nil
        }
    }

    /// The docks that were checked with this profile; empty if the stamps cannot be read.
    var checkedDocks: Set<String> {
        do throws(DockError) {
            return try CheckStamps(folder: configuration.storage.checksFolder).docks(
                checkedWith: configuration.dock.profile, at: configuration.dock.port)
        } catch {
            log.warning("\(error.message): \(error.hint)")
            return []
        }
    }

    /// Applies the start rules and returns the first mode. A marker exists if hands may be near.
    func begin(marker: RunMarker?, latch: RunMarker.Latch?, checked: Set<String>) -> TrackingMode {
        let hasCrashed = marker?.indicatesCrash ?? false
        if hasCrashed {
            log.warning(
                "the last run on this port died: mode manual until the detector has been healthy for 3 s; see its log")
        }
        var rule = StartRule(
            asked: configuration.dock.mode, isCareful: marker != nil, checked: checked, hasCrashed: hasCrashed)
        if let latch {
            log.warning(
                "latched by \(latch.fault.rawValue) since \(latch.date), from an earlier run\(latch.isOfEarlierBoot ? ", before this machine last started" : ""): make sure all is well, then type `dockface clear`; mode manual"
            )
            rule.acted()
        }
        let isReleased = marker?.isReleased ?? false
        if isReleased {
            log.warning("the torque was switched off in an earlier run: it stays off until you type `torque on`")
            rule.acted()
        }
        let mode = latch == nil && !isReleased ? rule.first : .manual
        state.withLock { state in
            state.start = rule
            // A latch without a known fault may have been an emergency stop.
            if let latch, latch.fault == .emergencyStop || latch.isUnknown { state.arbiter.latchedBefore() }
            if isReleased { state.arbiter.releasedBefore() }
        }
        return mode
    }

    /// Latches the dock, because an earlier run left it latched under a name that the port has only now received.
    private func found(_ latch: RunMarker.Latch) {
        log.warning(
            "this dock is latched by \(latch.fault.rawValue) since \(latch.date), from an earlier run that used another name for its port: make sure all is well, then type `dockface clear`"
        )
        state.withLock { state in
            if latch.fault == .emergencyStop || latch.isUnknown { state.arbiter.latchedBefore() }
        }
        loop.enqueue(.emergencyStop, isPersonal: true)()
    }

    func startLoop(
        link: (any ByteLink)?, options: LoopOptions, driver: any DockDriver, port: DockPort, ports: PortMonitor,
        marker: RunMarker?
    ) throws(DockError) {
        let profile = options.trackingProfile
        var decoding = DecoderOptions()
        decoding.cameraLatency = profile.camera.latency
        decoding.mirror = profile.camera.mirror
        decoding.rotate = profile.camera.rotate
        let descriptor = configuration.detections.descriptor ?? -1
        decoding.acceptsCommands = configuration.detections.carriesCommands
        decoding.reportsDropped = true
        let listener = DetectionPipeline.Listener(
            onFrame: { [weak self] frame in
                self?.configuration.onFrame?(frame)
                self?.send(.tracked(frame))
            },
            onEvent: { [weak self] in self?.receive($0) },
            // The daemon's own detectors are heard where they are read.
            answers: configuration.vision == nil ? audience.answers : nil)
        let record = marker.map { marker in
            DockRecord(marker, keeper: keeper, onFound: { [weak self] latch in self?.found(latch) }) {
                [log] loss, error in log.error("\(loss.text): \(error)")
            }
        }
        try loop.start(
            link: link, options: options, driver: driver, guardian: guardian, ports: ports,
            reopen: { () throws(DockError) in try port.open() },
            makeInput: { [requests, decoding] in
                DetectionPipeline(
                    descriptor: descriptor, profile: profile, options: decoding, requests: requests,
                    listener: listener)
            },
            onSnapshot: { [weak self] shot in
                record?.released(shot.safety.isReleased)
                self?.send(.snapshot(shot))
            },
            onEvent: { [weak self] event in
                if case .dock(let state, _) = event { record?.changed(state) }
                self?.send(.loop(event))
            }, onTrace: { [weak self] in self?.store($0) })
    }
}
