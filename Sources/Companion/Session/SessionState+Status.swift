internal import DockControl
internal import FaceTracker
internal import Geometry
internal import RobotFace

/// What of the session topic `accessory` tells; told again when any of it changes.
struct AccessoryFacts: Equatable {
    private var dock: DockState?
    private var identity: DockIdentity?
    private var mode: TrackingMode?
    private var framing: Framing?
    private var limits: SessionLimits?
    private var torque: Bool?
    private var selected: [Int] = []
    private var control: SessionStatus.Control?

    /// Nothing was told yet.
    init() {}

    init(_ state: SessionState) {
        let shot = state.snapshot
        (dock, identity, mode, framing) = (shot.dock, shot.identity, shot.mode, shot.framing)
        (limits, torque) = (shot.limits, shot.torque)
        (selected, control) = (state.lastFrame?.selected ?? [], state.arbiter.control)
    }
}

extension SessionState {
    /// Everything that `status` and the topics tell.
    func status(now: Seconds) -> SessionStatus {
        var status = SessionStatus()
        status.loop = snapshot
        status.endings = endings
        // The ending may be told before the loop's next state: it does not run any more.
        if let motion = snapshot.motion, endings.contains(where: { $0.id == motion.id }) { status.loop.motion = nil }
        status.frame = lastFrame
        status.selected = lastFrame?.selected ?? []
        status.source = options.source
        status.vision = vision
        status.frameRate = frameRate.rate(now: now)
        status.expression = mood.expression
        status.isRandom = mood.isRandom
        status.gestures = gesturesOn
        status.camera = desk.state
        status.trackingButtonEnabled = snapshot.mode == .system
        status.control = arbiter.control
        status.isLeased = arbiter.lease != nil
        status.uptime = now - (beganAt ?? now)
        status.rig = options.rig
        return status
    }

    /// The state in words.
    func statusWords(why: Bool, now: Seconds) -> String {
        var parts = ["mode \(snapshot.mode.rawValue)"]
        switch snapshot.dock {
        case .ready: parts.append("dock ready")
        case .greeting: parts.append("greeting the dock")
        case .detached(let reason): parts.append("no dock (\(reason.rawValue))")
        case .faulted(let fault): parts.append("STOPPED (\(fault.rawValue)): clear it")
        }
        if let motion = snapshot.motion {
            let done = Int((motion.fraction(at: now) * 100).rounded())
            parts.append((snapshot.isScript ? "animation " : "") + "\(motion.name) \(done) %")
        }
        if let name = teacher.name { parts.append("recording \(name) \(Int(teacher.elapsed(now: now))) s") }
        if snapshot.phase != .idle {
            let id = lastFrame?.followed.map { " #\($0.id)" } ?? ""
            parts.append(snapshot.phase.rawValue + id)
        }
        parts.append("framing \(snapshot.framing.mode.rawValue)")
        if let pose = snapshot.pose { parts.append(Self.degrees(pose, unit: "deg")) }
        if !snapshot.torque { parts.append("torque off") }
        for battery in snapshot.batteries { parts.append(Self.words(battery, among: snapshot.batteries.count)) }
        if let vision { parts.append(vision.words) }
        parts.append("face \(mood.expression.name)")
        if let control = arbiter.control { parts.append("control: \(control.rawValue)") }
        if !snapshot.isGuarded, snapshot.dock == .ready, !options.dryRun { parts.append("no guard") }
        if why {
            parts.append("pan: \(snapshot.reasons.pan.rawValue)")
            parts.append("tilt: \(snapshot.reasons.tilt.rawValue)")
        }
        return parts.joined(separator: ", ")
    }

    /// The state in one row of a screen: what changes first, what is as usual not at all.
    func shortStatus(now: Seconds) -> String {
        var parts: [String] = []
        switch snapshot.dock {
        case .ready: break
        case .greeting: parts.append("greeting the dock")
        case .detached(let reason): parts.append("no dock (\(reason.rawValue))")
        case .faulted(let fault): parts.append("STOPPED (\(fault.rawValue)): C C clears")
        }
        if let trouble = vision?.trouble { parts.append(trouble) }
        if let name = teacher.name { parts.append("recording \(name) \(Int(teacher.elapsed(now: now))) s") }
        if let motion = snapshot.motion {
            parts.append("\(motion.name) \(Int((motion.fraction(at: now) * 100).rounded())) %")
        }
        let id = lastFrame?.followed.map { " #\($0.id)" } ?? ""
        parts.append(
            "mode " + snapshot.mode.rawValue + (snapshot.phase == .idle ? "" : " \(snapshot.phase.rawValue)\(id)"))
        if !snapshot.torque { parts.append("torque off") }
        if let pose = snapshot.pose { parts.append(Self.degrees(pose, unit: "")) }
        if snapshot.framing.mode != .automatic { parts.append("framing \(snapshot.framing.mode.rawValue)") }
        if snapshot.framing.region != .full { parts.append("region") }
        if snapshot.manualSpeed < 0.995 { parts.append("speed \(Int((snapshot.manualSpeed * 100).rounded())) %") }
        for battery in snapshot.batteries { parts.append(Self.words(battery, among: snapshot.batteries.count)) }
        parts.append("face \(mood.expression.name)")
        if let rate = frameRate.rate(now: now) { parts.append("\(Int(rate.rounded())) pictures/s") }
        if let answer = snapshot.latency.first(where: { $0.stage == .answered })?.recent.p50 {
            parts.append("\(Int((answer * 1000).rounded())) ms")
        }
        if let control = arbiter.control { parts.append("control: \(control.rawValue)") }
        return parts.joined(separator: "  ")
    }

    static func words(_ battery: BatteryState, among count: Int) -> String {
        let name = count > 1 ? "battery \(battery.name) " : "battery "
        guard battery.charge != .notChargeable || battery.level != nil else { return "mains" }
        let level = battery.level.map { "\(Int(($0 * 100).rounded())) %" } ?? "unknown"
        let note = battery.isCritical ? " CRITICAL" : battery.isLow ? " LOW" : ""
        return name + level + (battery.charge == .charging ? " charging" : "") + note
    }
}

/// Frames a second, as they come.
struct FrameRate: Sendable, Equatable {
    private var last: Seconds?
    private var period: Seconds?

    mutating func frame(now: Seconds) {
        if let last {
            let gap = now - last
            period = gap > 1 ? nil : period.map { $0 + 0.1 * (gap - $0) } ?? gap
        }
        last = now
    }

    /// Nil: none come, or not known yet.
    func rate(now: Seconds) -> Double? {
        guard let last, let period, now - last < 2, period > 0 else { return nil }
        return 1 / period
    }
}
