internal import DockControl

/// The known state of the dock: the loop's newest snapshot, corrected by everything that arrives before the next one.
struct DockView: Sendable {
    private(set) var snapshot = LoopSnapshot()
    /// The last motions that ended, newest last.
    private(set) var endings: [EndedMotion] = []
    /// What the last press of the dock's tracking button selected: system tracking (true) or manual mode. Modes that
    /// are set in other ways do not change it.
    private(set) var isTrackingButtonOn = true
    /// What a press selected, until the mode follows.
    private var pressed: Bool?

    /// The number of ended motions to keep, so that a slow reader does not miss its own.
    static let rememberedEndings = 8

    mutating func record(_ new: LoopSnapshot) {
        snapshot = new
        settleButton()
    }

    /// Handles a press of the tracking button, which toggles system tracking. Returns what it selects.
    mutating func pressTrackingButton() -> Bool {
        let enabled = snapshot.mode != .system
        pressed = enabled
        return enabled
    }

    private mutating func settleButton() {
        guard let pressed, pressed == (snapshot.mode == .system) else { return }
        (isTrackingButtonOn, self.pressed) = (pressed, nil)
    }

    mutating func record(_ ended: EndedMotion) {
        endings = Array((endings + [ended]).suffix(Self.rememberedEndings))
    }

    /// Records the state of one supply. A new name is a new supply.
    mutating func record(_ battery: BatteryState) {
        if let index = snapshot.device.batteries.firstIndex(where: { $0.name == battery.name }) {
            snapshot.device.batteries[index] = battery
        } else {
            snapshot.device.batteries.append(battery)
        }
    }

    /// Whether a supply is low and nothing charges it.
    var isBatteryLow: Bool { snapshot.device.batteries.contains { $0.isLow && $0.charge != .charging } }

    /// The snapshot for reports. The end of a motion may arrive before the loop's next snapshot. That motion is no
    /// longer reported as running.
    var settled: LoopSnapshot {
        guard let motion = snapshot.motion, endings.contains(where: { $0.id == motion.id }) else { return snapshot }
        var settled = snapshot
        settled.motion = nil
        return settled
    }

    private mutating func enter(_ mode: TrackingMode) {
        snapshot.mode = mode
        settleButton()
        if mode == .manual { snapshot.reasons = snapshot.reasons.withoutTracking }
    }

    /// Records a new setting at once, so that a client that sets a value and reads it back receives the new value
    /// before the loop's next snapshot arrives. That snapshot also contains it, because the same thread creates it
    /// after the answer.
    mutating func apply(_ value: Outcome.Value) {
        switch value {
        case .mode(let mode):
            enter(mode)
            // A mode change or a stop has ended the animation in progress.
            if snapshot.isScript { snapshot.motion = nil }
        case .framing(let mode): snapshot.framing.mode = mode
        case .region(let region): snapshot.framing.region = region
        case .limits(let pan, let tilt): snapshot.bounds.limits = SessionLimits(pan: pan, tilt: tilt)
        case .torque(let on):
            snapshot.torque = on
            enter(.manual)
        case .share(let share): snapshot.bounds.manualSpeed = share
        default: break
        }
    }
}
