import DockSimulator
import DockWire
import Geometry
import Glibc
import Testing
import TestSupport

/// One daemon, one fault, from the start of its motion to the end of its recovery; many run side by side.
final class FaultStage {
    let fault: LineFault
    let mover: Mover
    let port: FragilePort
    let daemon: ControlledDaemon
    private var connection: ControlPeer?
    private var nextFrame = 0.0
    private var walker = Walker()

    private(set) var isDone = false
    private(set) var row = FaultRow()
    private var phase = Phase.starting
    private var begun = monotonicNow()
    private var pose = PanTilt.zero
    private var stoppedAt: Double?
    private var strikes = 0
    /// The direction of motion when the fault struck.
    private var direction = 1.0
    /// When a blocked axis last got a command to continue: tracking pushes again and again until it has proven its
    /// signs.
    private var pressed: Double?
    private var maximumSpeed = 0.0
    /// The commanded travel of pan when the fault struck, rad.
    private var travelled = 0.0
    private var isMeasured = false

    private enum Phase { case starting, struck, named, latched, mended, ready }

    /// There and back from any start; to the left if there is no room to the right.
    static let motions = Dictionary(
        uniqueKeysWithValues: [("sweep", 80), ("sweep-back", -80)].map { name, way in
            (name, "keys = [[0.0, 0.0, 0.0], [2.5, \(way).0, 0.0], [5.0, 0.0, 0.0]]\n")
        })

    init(_ fault: LineFault, _ mover: Mover) throws {
        self.fault = fault
        self.mover = mover
        port = try FragilePort(fault, mover)
        daemon = try ControlledDaemon(
            mover == .tracking ? ["--detector", "stdin"] : ["--detector", "none"],
            mode: mover == .tracking ? "system" : "manual", dock: port.dock, port: port.path,
            motions: mover == .animating ? Self.motions : [:], waits: false)
        row.fault = fault.rawValue
        row.mover = mover.rawValue
        row.isJudged = !mayMove
        row.isLatched = fault.isLatched
    }

    /// Starts the motion.
    func begin() throws {
        try daemon.ready()
        let peer = try daemon.peer()
        connection = peer
        begun = monotonicNow()
        try peer.result("subscribe", #"{"topics":["accessory"]}"#)
        if let (method, params) = motion { try peer.result(method, params) }
    }

    /// What makes it move; nil: the faces do.
    private var motion: (method: String, params: String)? {
        switch mover {
        case .tracking: nil
        case .manual: ("setAngularVelocity", #"{"pan":0.6,"tilt":0,"for":60}"#)
        case .animating:
            ("animate", #"{"motion":"sweep\#(port.dock.snapshot.pose.pan > .degrees(5) ? "-back" : "")"}"#)
        }
    }

    /// Observes, and enters the next phase when it is time.
    func step() throws {
        let now = monotonicNow()
        guard let peer = connection else { return }
        if mover == .tracking, now > nextFrame {
            daemon.program.tell(walker.frame(at: now, seenFrom: port.dock))
            nextFrame = now + 0.05
        }
        maximumSpeed = max(maximumSpeed, port.dock.rate.magnitude)
        for event in peer.takeEvents() { row.hear(event["data"]) }
        switch phase {
        case .starting: strike(now, peer)
        case .struck: try watch(now, peer)
        case .named:
            if !mayMove { expectStanding() }
            if !fault.isInstant { try port.mend(fault) }
            begun = fault.isInstant ? begun : monotonicNow()
            enter(fault.isLatched ? .latched : .mended)
        case .latched:
            guard now > begun + 0.7 else { return }
            #expect(row.said.last == fault.name, "\(row): it must stay latched until a person clears it")
            expectStanding()
            begun = monotonicNow()
            // Command words count as a person's: no program clears what a person pressed at the dock.
            try peer.result("command", #"{"line":"clear"}"#)
            enter(.mended)
        case .mended:
            guard row.isReady, fault.isInstant || now > begun + 0.05 else { return late(15, now) }
            row.recovery = (fault.isInstant ? row.readyAgain ?? now : now) - begun
            stoppedAt = now
            enter(.ready)
        case .ready: try recover(now, peer)
        }
    }

    private func enter(_ next: Phase) { phase = next }

    private func late(_ seconds: Double, _ now: Double) {
        guard now > begun + seconds, !isDone else { return }
        Issue.record("\(row): stays \(phase): \(daemon.program.errors.suffix(400))")
        isDone = true
    }

    private func strike(_ now: Double, _ peer: ControlPeer) {
        let rate = port.dock.rate
        guard rate.magnitude > .degrees(20), now > begun + 0.3 else {
            return strikes > 0 ? moveAgain(now, peer) : late(10, now)
        }
        row.forget()
        row.speed = rate.magnitude.inDegrees
        direction = rate.pan < 0 ? -1 : 1
        strikes += 1
        begun = monotonicNow()
        travelled = port.dock.statistics.commandedTravel.pan
        port.strike(fault)
        enter(.struck)
    }

    private func watch(_ now: Double, _ peer: ControlPeer) throws {
        if fault == .busy, port.dock.isPlugged == false, now > begun + 0.6 { try port.occupy() }
        if fault.isLossy, mover != .tracking, stoppedAt == nil {
            guard now > begun + 0.4 else { return }
            // A dock that stands still cannot be stopped. A line that loses frames may cost a handshake and the motion
            // with it. A line that loses too many for a handshake is repaired first, and the fault is started again.
            guard port.dock.rate.magnitude > mover.turning else {
                guard now > begun + 5, strikes < 4 else { return moveAgain(now, peer) }
                try port.mend(fault)
                begun = now
                return enter(.starting)
            }
            row.speed = port.dock.rate.magnitude.inDegrees
            stoppedAt = monotonicNow()
            peer.ask("stop")
        }
        let isNamed = row.said.contains(fault.name ?? "")
        if fault == .blocked, !isNamed, isPressing { pressed = now }
        let from = stoppedAt ?? begun
        if !isMeasured, now > from + 1.2, fault != .blocked || isNamed {
            isMeasured = true
            row.standing = standing(after: from, until: now)
            // A blocked axis stands still at once: the time counts until no set-point presses it any more.
            if fault == .blocked, let stood = row.standing {
                row.standing = max(stood, pressed.map { ($0 - begun) * 1000 } ?? .infinity)
                row.pushed = (port.dock.statistics.commandedTravel.pan - travelled).inDegrees
            }
            pose = port.dock.snapshot.pose
        }
        guard isMeasured, fault.isLossy || isNamed else { return late(12, now) }
        if fault.isLossy {
            let invalid = try peer.result("status")["counters"]["invalidBytes"].int ?? 0
            #expect(invalid > 0, "\(row)")
            row.said.append("\(invalid) bad frames counted")
            #expect(maximumSpeed <= mover.speed * 1.02, "\(row): \(maximumSpeed.inDegrees) deg/s")
        }
        if row.isPushedInBursts {
            // At once, as every other motion; or, while its signs are unproven, after bursts of bounded size.
            let standing = row.standing ?? .infinity
            #expect(standing <= row.limit || (row.pushed ?? .infinity) <= row.mostPushed, "\(row)")
            #expect(standing <= 5000, "\(row)")
        } else if row.isJudged {
            #expect((row.standing ?? .infinity) <= row.limit, "\(row)")
        }
        enter(.named)
    }

    /// Repeated until it turns; refused during a handshake.
    private func moveAgain(_ now: Double, _ peer: ControlPeer) {
        late(10, now)
        guard now > nextFrame, let (method, params) = motion else { return }
        nextFrame = now + 1
        peer.ask(method, params)
    }

    /// Whether the newest set-point still drives pan in its old direction.
    private var isPressing: Bool {
        var decoder = FrameDecoder(), newest: Setpoint?
        for byte in port.dock.lastHostBytes {
            guard let frame = try? decoder.push(byte), case .setpoint(let setpoint)? = try? HostMessage(frame) else {
                continue
            }
            newest = setpoint
        }
        guard let newest else { return true }
        return newest.mode != .idle && Double(newest.panVelocity) * direction > 500
    }

    /// No person is needed: tracking follows again, everything else stays still.
    private func recover(_ now: Double, _ peer: ControlPeer) throws {
        if mover == .tracking, !fault.isLatched {
            guard port.dock.rate.magnitude > .degrees(5) else { return late(15, now) }
            row.following = now - begun
        } else {
            guard let since = stoppedAt, now > since + 1 else { return }
            expectStanding()
            #expect(try peer.result("status")["accessory"]["mode"].string == "manual", "\(row)")
        }
        isDone = true
    }

    /// Whether it may continue, or continue again.
    private var mayMove: Bool { mover == .tracking && (fault.isLossy || fault.isInstant) }

    /// It has not moved since it stood still.
    private func expectStanding() {
        let way = (pose - port.dock.snapshot.pose).magnitude
        #expect(way < .degrees(0.3), "\(row): moved by \(way.inDegrees) deg by itself")
    }

    /// When it first stood still for 20 ms after a moment, ms; nil: never. Below 0.5 deg/s counts as still. Set-points
    /// still on their way may speed it up first; braking starts from the highest speed.
    private func standing(after start: Double, until end: Double) -> Double? {
        let dock = port.dock.snapshot
        var since: Double?, time = start
        while time < end - 0.005 {
            let speed = (dock.pose(at: time + 0.005) - dock.pose(at: time)).magnitude / 0.005
            row.speed = max(row.speed, speed.inDegrees)
            if speed > .degrees(0.5) { since = nil } else { since = since ?? time }
            time += 0.005
            if let since, time - since >= 0.02 { return (since - start) * 1000 }
        }
        return nil
    }
}
