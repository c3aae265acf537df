import Companion
import CPosix
import DockControl
import DockTypes
import Geometry
import Glibc
import Synchronization

/// Moves a dock for a person at a desk. It uses the same loop as a run, with all limits and watches, and evaluates the
/// dock's reports.
class DeskMover {
    let loop: DockLoop
    let profile: RigProfile
    let desk: CheckDesk
    let latch: PortLatch?
    let heard: HeardBox
    private let guardian: DockGuard?
    /// The speed limit of every motion, in rad/s.
    private let fastest: Double
    /// The step after a fault was corrected: "check again".
    private let again: String
    private var hasEnded = false
    /// The notes that the user has read.
    private var shown: Set<String> = []
    /// Whether the user has agreed, so that later notes are only shown.
    private var hasAgreed = false

    /// The error that the user stopped the motion.
    struct Stopped: Error {}

    /// The longest wait for a dock's answer, and for a move with its arming, in seconds.
    static let answerTime: Seconds = 10, moveTime: Seconds = 8
    /// The time that a head takes to come to rest after a move, in seconds.
    private static let settleTime: Seconds = 0.4

    /// Creates a mover. `latch`: the latch file, which an earlier run may have left and this one may leave; `verb`: the
    /// user's verb, "check"; `camera`: the camera that observes the motion.
    init(
        link: any ByteLink, profile: RigProfile, desk: CheckDesk, guardian: DockGuard?, latch: PortLatch?,
        fastest: Double, verb: String, camera: CalibrationCamera? = nil
    ) throws {
        self.fastest = fastest
        again = verb + " again"
        self.guardian = guardian
        self.latch = latch
        self.profile = profile
        self.desk = desk
        do {
            heard = try HeardBox()
            loop = try DockLoop()
            let heard = heard, again = again
            var options = LoopOptions(profile: profile, mode: .manual)
            options.latched = latch?.fault
            options.released = latch?.isReleased ?? false
            try loop.start(
                link: link, options: options,
                driver: try DriverTable.make(for: profile), guardian: guardian,
                reopen: { () throws(DockError) in
                    throw DockError(.notConnected, "the dock is gone", hint: "plug it in, and \(again)")
                }, makeInput: { camera?.makeInput() }, onSnapshot: { shot in heard.change { $0.record(shot) } },
                onEvent: { event in
                    heard.change {
                        switch event {
                        case .dock(_, let identity): $0.identity = identity ?? $0.identity
                        case .motionEnded(let over): $0.ended = ($0.ended + [over]).suffix(8)
                        case .note(let text): $0.record(note: text)
                        default: break
                        }
                    }
                }, onTrace: { copy in heard.change { $0.trace = copy } })
        } catch {
            throw error.exit
        }
    }

    /// Stops the dock and closes the port.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        loop.requestStop()
        loop.join()
        guardian?.close()
        // A latch that has just occurred may be the reason for the end.
        if case .faulted(let fault) = loop.latest.dock, fault != .versionMismatch { keep(fault) }
    }

    /// Warns that the torque is on while the disk still says that it is off.
    func warnOfRelease(_ error: DockError) {
        warn("the next run will leave the torque off until `torque on`: \(error.message): \(error.hint)")
    }

    private func keep(_ fault: DockFault) {
        guard let error = latch?.keep(fault) else { return }
        warn("the latch was not stored, and the next run starts without it: \(error.message): \(error.hint)")
    }

    /// The dock's identity, or nil until the dock has reported it.
    var identity: String? { heard.value.withLock { $0.identity?.uid } }

    /// Shows the notes that the user has not read yet. Returns true if one of them concerns the rig.
    @discardableResult
    private func showNotes() -> Bool {
        let new = heard.value.withLock { $0.notes }.filter { shown.insert($0).inserted }
        for note in new { desk.say("the dock reports: \(note)") }
        return new.contains { $0 != DockLoop.noRealTime }
    }

    /// Shows what the rig reported during the handshake ("a limp servo turns there as fast as it can"). The user must
    /// agree to it before the verb clears, holds or moves anything.
    private func agree() throws {
        if heard.value.withLock({ $0.snapshot.dock }) == .faulted(.versionMismatch) { return }
        guard showNotes() else { return }
        desk.ask("continue? [y/n]")
        guard try isYes() else { throw Stopped() }
    }

    /// Clears a latch that an earlier run or the dock itself has set. Nothing moves until a person confirms that it is
    /// safe.
    private func clearLatch() throws {
        guard case .faulted(let fault) = heard.value.withLock({ $0.snapshot.dock }), fault != .versionMismatch else {
            return try listen(0)
        }
        desk.say(
            "this dock was stopped by \(fault.rawValue)" + (latch?.date.map { " at \($0), in an earlier run" } ?? "")
                + ". It does not move until the latch is cleared. First: \(fault.advice).")
        desk.ask("is it safe to clear the latch? [y/n]")
        guard try isYes() else {
            throw DockError(
                .faulted, "the dock stays latched by \(fault.rawValue), and was not moved",
                hint: "when it is safe, \(again) and answer y, or type `clear` in `dockface run`")
        }
        _ = try answer(to: .clear, mayBeLatched: true).get()
        try wait(Self.answerTime, "the dock does not become ready again", mayBeLatched: true) {
            $0.snapshot.dock == .ready
        }
        if let error = latch?.clear() {
            warn("the latch file was not removed, and the next run starts latched: \(error.message): \(error.hint)")
        }
        desk.say("cleared")
    }

    /// Switches the torque on again only if a person agrees, after a person had switched it off.
    private func restoreTorque() throws {
        guard let latch, latch.isReleased else { return }
        desk.say("an earlier run switched the torque off: a hand may be on the head.")
        desk.ask("switch the torque on again? [y/n]")
        guard try isYes() else {
            throw DockError(
                .busy, "torque is off, and the dock was not moved",
                hint: "when no hand is near, \(again) and answer y, or type `torque on` in `dockface run`")
        }
        _ = try answer(to: .torque(true)).get()
        if let error = latch.holdAgain() { warnOfRelease(error) }
    }

    /// Returns whether the user answered yes. A signal counts as no answer.
    private func isYes() throws -> Bool {
        let answer = desk.answer()
        if desk.wasStopped { throw Stopped() }
        return answer == .yes
    }

    /// Limits the speed of every motion to that of a check.
    func slowDown() throws {
        func slow(_ axis: RigProfile.AxisProfile) -> LimitChange {
            .set(low: axis.softRange.lowerBound, high: axis.softRange.upperBound, speed: fastest)
        }
        _ = try answer(to: .setLimits(pan: slow(profile.pan), tilt: slow(profile.tilt))).get()
    }

    /// Waits until the dock is ready, a person has cleared any latch, and the speed is limited.
    func prepare() throws {
        try wait(Self.answerTime, "the dock does not answer", mayBeLatched: true, greets: true) {
            if case .faulted(.versionMismatch) = $0.snapshot.dock { return true }
            guard $0.snapshot.pose != nil else { return false }
            if case .faulted = $0.snapshot.dock { return true }
            return $0.snapshot.dock == .ready
        }
        try agree()
        try clearLatch()
        try restoreTorque()
        try slowDown()
        // The notes that clearing produced.
        try agree()
        hasAgreed = true
    }

    /// Makes one move. Returns the reported pose before and after it.
    func move(
        _ axis: Axis, by angle: Double, within patience: Seconds = moveTime
    ) throws -> (from: PanTilt, to: PanTilt) {
        let from = try steadyPose()
        var offset = PanTilt.zero
        offset[axis] = angle
        let deadline = cposix_monotonic_now() + patience
        while true {
            switch try answer(to: .orient(offset, duration: 0.9, relative: true)) {
            case .success(let receipt):
                let id = receipt.motion
                try wait(patience, "the move did not end") { heard in heard.ended.contains { $0.id == id } }
                return (from, try steadyPose())
            // Arming may delay the first motion. A slightly stale pose is not an error either. If the dock is gone,
            // `pause` reports it.
            case .failure(let error)
            where [.busy, .notConnected].contains(error.code) && cposix_monotonic_now() < deadline:
                try pause(0.2)
            case .failure(let error) where error.code == .limitReached:
                throw DockError(
                    .limitReached, "\(axis.rawValue) is too near its limit to be moved",
                    hint: "turn the head nearer to the middle of its range by hand, then \(again)")
            case .failure(let error): throw error
            }
        }
    }

    /// Returns the mean of the reported poses while the head is at rest.
    func steadyPose() throws -> PanTilt {
        try pause(Self.settleTime)
        var sum = PanTilt.zero, count = 0.0
        for _ in 0..<8 {
            try pause(0.06)
            guard let pose = heard.value.withLock({ $0.snapshot.pose }) else { continue }
            sum = sum + pose
            count += 1
        }
        guard count > 0 else {
            throw DockError(.timeout, "the dock does not report its pose", hint: "check its cable")
        }
        return sum * (1 / count)
    }

    func answer(to command: MotionCommand, mayBeLatched: Bool = false) throws -> MotionAnswer {
        final class Box: Sendable { let value = Mutex<MotionAnswer?>(nil) }
        let box = Box(), heard = heard
        loop.post(command) { answer in
            box.value.withLock { $0 = answer }
            cposix_wake_ring(heard.wake)
        }
        let deadline = cposix_monotonic_now() + 2
        while cposix_monotonic_now() < deadline {
            if let answer = box.value.withLock({ $0 }) { return answer }
            try listen(0.1, mayBeLatched: mayBeLatched)
        }
        throw DockError(.timeout, "the loop did not answer", hint: again)
    }

    func pause(_ seconds: Seconds) throws {
        let end = cposix_monotonic_now() + seconds
        while cposix_monotonic_now() < end { try listen(end - cposix_monotonic_now()) }
    }

    func wait(
        _ seconds: Seconds, _ what: String, mayBeLatched: Bool = false, greets: Bool = false,
        until isSo: (Heard) -> Bool
    ) throws {
        let end = cposix_monotonic_now() + seconds
        // Earlier notes do not explain this timeout.
        let known = greets ? [] : heard.value.withLock { $0.notes }
        while !heard.value.withLock({ isSo($0) }) {
            guard cposix_monotonic_now() < end else {
                guard
                    let note = heard.value.withLock({ $0.notes }).last(where: {
                        !known.contains($0) && $0 != DockLoop.noRealTime
                    })
                else { throw DockError(.timeout, what, hint: "check its cable and supply, then \(again)") }
                throw DockError(
                    .timeout, greets ? "the dock does not become ready: \(note)" : "\(what): \(note)",
                    hint: "fix that, then \(again)")
            }
            try listen(min(0.2, end - cposix_monotonic_now()), mayBeLatched: mayBeLatched)
        }
    }

    /// Waits a moment. Stops everything if the user requests it or if the dock has a fault.
    func listen(_ seconds: Seconds, mayBeLatched: Bool = false) throws {
        if desk.wantsStop(while: heard.wake, seconds: seconds) {
            loop.post(.stop)
            throw Stopped()
        }
        let now = heard.value.withLock { $0 }
        switch now.snapshot.dock {
        case .faulted(let fault):
            guard !mayBeLatched else { return }
            keep(fault)
            throw DockError(
                .faulted, now.notes.last ?? "the dock latched \(fault.rawValue)",
                hint: "\(fault.advice), then \(again)")
        case .detached(.unplugged), .detached(.otherDevice):
            throw DockError(.notConnected, "the dock is gone", hint: "plug it in, and \(again)")
        case .detached, .greeting: return
        // The user must agree to notes from before the dock is ready.
        case .ready: if hasAgreed { showNotes() }
        }
    }
}
