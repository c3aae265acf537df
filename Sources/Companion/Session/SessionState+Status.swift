internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry
internal import RobotFace

/// The part of the session that topic `accessory` reports, which is published when any of it changes.
struct AccessoryFacts: Equatable {
    private var dock: DockState?
    private var identity: DockIdentity?
    private var mode: TrackingMode?
    private var framing: Framing?
    private var limits: SessionLimits?
    private var torque: Bool?
    private var selected: [Int] = []
    private var control: SessionStatus.Control?
    private var stop: SessionStatus.StopHold?
    private var isTrackingButtonOn = true

    /// Creates facts as they are before the first report.
    init() {}

    init(_ state: SessionState) {
        let shot = state.snapshot
        (dock, identity, mode, framing) = (shot.dock, shot.device.identity, shot.mode, shot.framing)
        (limits, torque) = (shot.bounds.limits, shot.torque)
        (selected, control) = (state.tracking.frame?.selected ?? [], state.arbiter.control)
        (stop, isTrackingButtonOn) = (state.arbiter.stop, state.dock.isTrackingButtonOn)
    }
}

extension SessionState {
    /// Returns everything that `status` and the topics report.
    func status(now: Seconds) -> SessionStatus {
        var status = SessionStatus()
        status.loop = dock.settled
        status.endings = dock.endings
        status.frame = tracking.frame
        status.selected = tracking.frame?.selected ?? []
        status.source = options.source
        status.vision = tracking.vision
        status.frameRate = tracking.rate(now: now)
        status.face.expression = face.mood.expression
        status.face.isRandom = face.mood.isRandom
        status.face.gestures = face.gestures
        status.camera = desk.state
        status.trackingButtonEnabled = dock.isTrackingButtonOn
        status.authority.control = arbiter.control
        status.authority.stopHold = arbiter.stop
        status.authority.isLeased = arbiter.lease != nil
        status.shown.layers = shown.layers.layers
        status.shown.indicators = shown.indicators.all
        status.shown.extensions = shown.extensions.all
        status.uptime = uptime(now: now)
        status.rig = options.rig
        return status
    }

    /// Returns the state in words.
    func statusWords(why: Bool, now: Seconds) -> String {
        var parts = ["mode \(snapshot.mode.rawValue)"]
        switch snapshot.dock {
        case .ready: parts.append("dock ready")
        case .greeting: parts.append("greeting the dock")
        case .detached(let reason): parts.append(options.hasDock ? "no dock (\(reason.rawValue))" : "no dock")
        case .faulted(let fault):
            parts.append("STOPPED (\(fault.rawValue)): clear it")
            if snapshot.pose == nil { parts.append("the dock is not connected") }
        }
        if let motion = snapshot.motion {
            let done = Int((motion.fraction(at: now) * 100).rounded())
            parts.append((snapshot.isScript ? "animation " : "") + "\(motion.name) \(done) %")
        }
        if let lesson = motions.words(now: now) { parts.append(lesson) }
        if snapshot.phase != .idle { parts.append(snapshot.phase.rawValue + tracking.followedWords) }
        parts.append("framing \(snapshot.framing.mode.rawValue)")
        if let pose = snapshot.pose { parts.append(Self.degrees(pose, unit: "deg")) }
        if !snapshot.torque { parts.append("torque off") }
        for battery in snapshot.device.batteries {
            parts.append(Self.words(battery, among: snapshot.device.batteries.count))
        }
        if let vision = tracking.vision { parts.append(vision.words) }
        parts.append("face \(face.mood.expression.name)")
        parts += shown.indicators.shown.map(IndicatorMark.words) + shown.extensions.all.map(\.words)
        if let control = arbiter.control { parts.append("control: \(control.rawValue)") }
        if let stop = arbiter.stop { parts.append("a \(stop.rawValue)'s stop holds") }
        if !snapshot.safety.isGuarded, snapshot.dock == .ready, !options.dryRun { parts.append("no guard") }
        if why {
            parts.append("pan: \(snapshot.reasons.pan.rawValue)")
            parts.append("tilt: \(snapshot.reasons.tilt.rawValue)")
        }
        return parts.joined(separator: ", ")
    }

    /// Returns as many facts as fit, in their order. Those with the highest rank number are dropped first.
    static func fitting(_ facts: [(text: String, rank: Int)], columns: Int) -> String {
        var facts = facts
        func line() -> String { facts.map(\.text).joined(separator: "  ") }
        while line().count > columns, let least = facts.indices.max(by: { facts[$0].rank < facts[$1].rank }),
            facts[least].rank > 0
        {
            facts.remove(at: least)
        }
        return line()
    }

    /// Returns the facts for the row, in order, each with a rank. A higher number is dropped earlier, and 0 is never
    /// dropped.
    func facts(now: Seconds) -> [(text: String, rank: Int)] {
        var facts: [(text: String, rank: Int)] = []
        func tell(_ text: String?, _ rank: Int) { if let text { facts.append((text, rank)) } }
        switch snapshot.dock {
        case .ready: break
        case .greeting: tell("greeting the dock", 0)
        case .detached(let reason): tell("no dock (\(reason.rawValue))", 0)
        case .faulted(let fault):
            tell("STOPPED (\(fault.rawValue)): C C clears", 0)
            tell(snapshot.pose == nil ? "no dock" : nil, 1)
        }
        tell(tracking.vision?.trouble, 1)
        let viewers = tracking.viewers(now: now)
        tell(viewers > 0 ? "seen by \(viewers)" : nil, 1)
        for indicator in shown.indicators.shown { tell(IndicatorMark(indicator).text, 1) }
        for troubled in shown.extensions.all where troubled.state.isTrouble { tell(troubled.words, 1) }
        tell(motions.words(now: now), 1)
        tell(snapshot.motion.map { "\($0.name) \(Int(($0.fraction(at: now) * 100).rounded())) %" }, 5)
        tell("mode " + snapshot.mode.rawValue, 1)
        tell(snapshot.phase == .idle ? nil : snapshot.phase.rawValue + tracking.followedWords, 4)
        tell(snapshot.torque ? nil : "torque off", 1)
        tell(tracking.rate(now: now).map { "\(Int($0.rounded()))/s" }, 2)
        let answer = snapshot.timing.latency.first { $0.stage == .answered }?.recent.p50
        tell(answer.map { "\(Int(($0 * 1000).rounded())) ms" }, 3)
        for battery in snapshot.device.batteries {
            tell(Self.words(battery, among: snapshot.device.batteries.count), battery.isLow ? 1 : 3)
        }
        let region = snapshot.framing.region == .full ? "" : " region"
        tell("framing \(snapshot.framing.mode.rawValue)\(region)", 6)
        tell(options.rig.port.isEmpty ? nil : options.rig.port, 7)
        tell(snapshot.pose.map { Self.degrees($0, unit: "") }, 8)
        tell(
            snapshot.bounds.manualSpeed < 0.995 ? "speed \(Int((snapshot.bounds.manualSpeed * 100).rounded())) %" : nil,
            9)
        tell(arbiter.control.map { "control: \($0.rawValue)" }, 4)
        tell("face \(face.mood.expression.name)", 10)
        return facts
    }

    static func words(_ battery: BatteryState, among count: Int) -> String {
        let name = count > 1 ? "battery \(battery.name) " : "battery "
        guard battery.charge != .notChargeable || battery.level != nil else { return "mains" }
        let level = battery.level.map { "\(Int(($0 * 100).rounded())) %" } ?? "unknown"
        let note = battery.isCritical ? " CRITICAL" : battery.isLow ? " LOW" : ""
        return name + level + (battery.charge == .charging ? " charging" : "") + note
    }
}
