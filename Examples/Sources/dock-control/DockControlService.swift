import Companion
import ExampleSupport

/// The part of a camera app that communicates with the dock. It tracks whether there is a dock, keeps the user's
/// choices, and prints the dock's events as lines.
actor DockControlService {
    /// The switches of a user interface. All are off while there is no dock.
    struct Features {
        var isTapToTrackEnabled = false
        var isRegionEnabled = false
        var framing = FramingMode.automatic
    }

    let manager: DockAccessoryManager
    var accessory: DockAccessory?
    var features = Features()
    /// The user's choice. DockKit only knows whether system tracking is on.
    var mode = TrackingMode.system
    var isAnimating = false
    /// A mode change is in progress, so reports may still describe the state before it.
    var isSwitching = false
    /// The latest values of the streams.
    var battery: DockAccessory.BatteryState?
    var motion: DockAccessory.MotionState?
    var subjects: [DockAccessory.TrackedSubjectType] = []
    var followed: Int?
    var buttons: CameraButtons
    private var subscriptions: [Task<Void, Never>] = []
    private var waiting: [AsyncStream<Void>.Continuation] = []

    init(manager: DockAccessoryManager, camera: any CameraControl) {
        self.manager = manager
        buttons = CameraButtons(camera: camera)
    }

    /// Follows the dock until the manager is closed or the task is cancelled.
    func run() async {
        do {
            for await change in try manager.accessoryStateChanges { await handle(change) }
            if let failure = manager.failure { say("error \(failure)") }
        } catch {
            say("error \(error)")
        }
        unsubscribe()
    }

    /// The connected dock.
    /// - Throws: `notConnected`.
    func docked() throws(DockError) -> DockAccessory {
        guard let accessory else { throw DockError(.notConnected, "no dock is connected", hint: "plug it in") }
        return accessory
    }

    /// Returns when there is a dock, or when the waiting task is cancelled.
    func waitUntilDocked() async {
        guard accessory == nil else { return }
        let (stream, output) = AsyncStream<Void>.makeStream()
        waiting.append(output)
        for await _ in stream {}
    }

    private func handle(_ change: DockAccessory.StateChange) async {
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
            // The user's earlier choice also applies to a dock that returns.
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
        // The session outlives the dock, so these settings must not remain for the next dock.
        try? await old.setRegionOfInterest(.full)
        try? await old.selectSubjects([])
        try? await old.setFramingMode(.automatic)
    }

    /// A person at the dock takes precedence over the app: the tracking button changes the mode. A reported change is
    /// only a reason to check the state, because it may be the app's own change, reported late.
    func lookAtTrackingButton() {
        let isEnabled = manager.isSystemTrackingEnabled
        guard !isAnimating, !isSwitching, isEnabled != (mode == .system) else { return }
        mode = isEnabled ? .system : .manual
        say("tracking button, mode \(mode.rawValue)")
    }

    // MARK: subscriptions

    /// Streams start when they are requested. Requesting them here ensures that the tasks miss nothing.
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
