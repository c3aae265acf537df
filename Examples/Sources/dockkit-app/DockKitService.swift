import CompanionDockKit

/// The part of a camera app that speaks to DockKit, written for DockKit's own interface. On a phone its files begin
/// with `import DockKit` and `import Spatial` instead; nothing else differs.
actor DockKitService {
    /// What the app shows of the dock.
    enum Status: String {
        /// There is no dock.
        case disconnected
        /// There is a dock, and its tracking button is off.
        case connected
        /// There is a dock, and its tracking button is on.
        case tracking
    }

    var accessory: DockAccessory?
    /// The people and objects in view, with their rectangles.
    var subjects: [UUID: CGRect] = [:]
    var isRecording = false
    var isAnimating = false
    var zoomFactor = 1.0
    let report: @Sendable (String) -> Void
    private var status = Status.disconnected
    private var tasks: [Task<Void, Never>] = []

    init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Follows the docks until the task is cancelled.
    func run() async {
        do {
            for await stateChange in try DockAccessoryManager.shared.accessoryStateChanges {
                switch stateChange.state {
                case .docked:
                    guard let newAccessory = stateChange.accessory else { continue }
                    if newAccessory != accessory { connect(newAccessory) }
                    show(stateChange.trackingButtonEnabled ? .tracking : .connected)
                case .undocked: disconnect()
                }
            }
        } catch {
            report("no docks: \(error)")
        }
        disconnect()
    }

    private func connect(_ newAccessory: DockAccessory) {
        disconnect()
        accessory = newAccessory
        report("docked \"\(newAccessory.identifier.name)\" \(newAccessory.identifier.uuid)")
        do {
            let states = try newAccessory.trackingStates, batteries = try newAccessory.batteryStates
            let events = try newAccessory.accessoryEvents
            tasks = [
                Task { await watch(subjects: states) }, Task { await watch(batteries: batteries) },
                Task { await watch(events: events) },
            ]
        } catch {
            report("no streams: \(error)")
        }
    }

    private func disconnect() {
        for task in tasks { task.cancel() }
        (tasks, accessory, subjects) = ([], nil, [:])
        show(.disconnected)
    }

    private func show(_ newStatus: Status) {
        guard newStatus != status else { return }
        status = newStatus
        report("status \(status.rawValue)")
    }

    // MARK: choices of the user

    /// Lets the dock follow people, or reserves it for the app.
    func setTracking(_ isEnabled: Bool) async throws {
        try await DockAccessoryManager.shared.setSystemTrackingEnabled(isEnabled)
    }

    func setFraming(_ mode: DockAccessory.FramingMode) async throws {
        guard let accessory else { throw DockKitError.notConnected }
        try await accessory.setFramingMode(mode)
    }

    /// Frames people only in a part of the picture.
    func setRegion(_ region: CGRect) async throws {
        guard let accessory else { throw DockKitError.notConnected }
        try await accessory.setRegionOfInterest(region)
    }

    /// Follows the person at a point that the user has tapped.
    func tap(at point: CGPoint) async throws {
        guard let accessory else { throw DockKitError.notConnected }
        try await accessory.selectSubject(at: point)
    }

    /// Follows all people and objects that are in view now.
    func followAll() async throws {
        guard let accessory else { throw DockKitError.notConnected }
        try await accessory.selectSubjects(Array(subjects.keys))
    }
}
