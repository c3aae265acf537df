import Companion
import ExampleSupport

/// The part of a camera app that speaks with the dock: it follows the dock's coming and going, keeps what the user has
/// chosen, and turns the dock's events into lines.
actor DockControlService {
    /// What a user interface would switch; all off while there is no dock.
    struct Features {
        var isTapToTrackEnabled = false
        var isRegionEnabled = false
        var framing = FramingMode.automatic
    }

    let manager: DockAccessoryManager
    var accessory: DockAccessory?
    var features = Features()
    /// What the user has chosen; DockKit knows the system's tracking as on and off only.
    var mode = TrackingMode.system
    var isAnimating = false
    /// A change of the mode is on its way: what is told meanwhile may be from before it.
    var isSwitching = false
    /// What the streams have told.
    var battery: DockAccessory.BatteryState?
    var motion: DockAccessory.MotionState?
    var subjects: [DockAccessory.TrackedSubject] = []
    var followed: Int?
    var buttons: CameraButtons
    private var subscriptions: [Task<Void, Never>] = []
    private var waiting: [AsyncStream<Void>.Continuation] = []

    init(manager: DockAccessoryManager, camera: any CameraControl) {
        self.manager = manager
        buttons = CameraButtons(camera: camera)
    }

    /// Follows the dock until the manager is closed, or this is cancelled.
    func run() async {
        do {
            for await change in try manager.accessoryStateChanges { await take(change) }
            if let failure = manager.failure { say("error \(failure)") }
        } catch {
            say("error \(error)")
        }
        unsubscribe()
    }

    /// The dock that is there.
    /// - Throws: `notConnected`.
    func docked() throws(DockError) -> DockAccessory {
        guard let accessory else { throw DockError(.notConnected, "no dock is there", hint: "plug it in") }
        return accessory
    }

    /// Returns when a dock is there, or whoever waits is cancelled.
    func waitUntilDocked() async {
        guard accessory == nil else { return }
        let (stream, output) = AsyncStream<Void>.makeStream()
        waiting.append(output)
        for await _ in stream {}
    }

    private func take(_ change: DockAccessory.StateChange) async {
        switch (change.state, change.accessory) {
        case (.docked, let dock?):
            if accessory == nil { await connect(dock) } else { lookAtTrackingButton() }
        default: await disconnect()
        }
    }

    private func connect(_ dock: DockAccessory) async {
        accessory = dock
        subscribe(to: dock)
        let model = dock.hardwareModel ?? "?", firmware = dock.firmwareVersion ?? "?"
        say("docked \"\(dock.identifier.name)\" uuid=\(dock.identifier.uuid) model=\(model) firmware=\(firmware)")
        do {
            // What the user chose before holds for the dock that came back.
            try await manager.setSystemTrackingEnabled(mode == .system)
            features.framing = dock.framingMode
            say("mode \(mode.rawValue)")
        } catch {
            say("error \(error)")
        }
        for output in waiting { output.finish() }
        waiting = []
    }

    private func disconnect() async {
        unsubscribe()
        let old = accessory
        accessory = nil
        (features, battery, motion, subjects, followed) = (Features(), nil, nil, [], nil)
        say("undocked")
        guard let old else { return }
        // The session outlives the dock: what was chosen for it must not wait there for the next.
        try? await old.setRegionOfInterest(.full)
        try? await old.selectSubjects([])
        try? await old.setFramingMode(.automatic)
    }

    /// A hand at the dock outranks the app: its tracking button changes the mode. A change that was told is a reason to look,
    /// not the truth: it may be the app's own, told late.
    func lookAtTrackingButton() {
        let isEnabled = manager.isSystemTrackingEnabled
        guard !isAnimating, !isSwitching, isEnabled != (mode == .system) else { return }
        mode = isEnabled ? .system : .manual
        say("tracking button, mode \(mode.rawValue)")
    }

    // MARK: subscriptions

    /// Streams begin when they are asked for: here, so that nothing is missed until the tasks have their turn.
    private func subscribe(to dock: DockAccessory) {
        unsubscribe()
        guard let batteries = try? dock.batteryStates, let subjects = try? dock.trackingStates,
            let motions = try? dock.motionStates, let events = try? dock.accessoryEvents
        else { return }
        subscriptions = [
            Task { await follow(batteries: batteries) }, Task { await follow(subjects: subjects) },
            Task { await follow(motions: motions) }, Task { await follow(events: events) },
        ]
    }

    private func unsubscribe() {
        for subscription in subscriptions { subscription.cancel() }
        subscriptions = []
    }
}
