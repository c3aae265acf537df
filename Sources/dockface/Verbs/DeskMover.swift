import Companion
import CPosix
import DockControl
import Geometry
import Glibc
import Synchronization

/// Moves a dock for a person at a desk: through the same loop as a run, with all its limits and watches, and looks at what the
/// dock reports.
class DeskMover {
    let loop: DockLoop
    let profile: RigProfile
    let desk: CheckDesk
    let latch: PortLatch?
    let heard: HeardBox
    private let guardian: DockGuard?
    /// No path is faster, rad/s.
    private let fastest: Double
    /// What to do when something was mended: "check again".
    private let again: String
    private var hasEnded = false
    /// The notes that a person has read.
    private var shown: Set<String> = []
    /// Whatever is said from now on is only shown.
    private var hasAgreed = false

    /// Somebody stopped it.
    struct Stopped: Error {}

    /// Longest wait for a dock to answer; for a move, its careful beginning included; seconds.
    static let answerTime: Seconds = 10, moveTime: Seconds = 8
    /// Until a head stands still after a move, seconds.
    private static let settleTime: Seconds = 0.4

    /// `latch` is what an earlier run may have left, and what this one may leave; `verb`: what the person does, "check";
    /// `camera`: who looks on.
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
                }, makeInput: { camera?.makeInput() }, onSnapshot: { shot in heard.change { $0.take(shot) } },
                onEvent: { event in
                    heard.change {
                        switch event {
                        case .dock(_, let identity): $0.identity = identity ?? $0.identity
                        case .motionEnded(let over): $0.ended = ($0.ended + [over]).suffix(8)
                        case .note(let text): $0.take(note: text)
                        default: break
                        }
                    }
                }, onTrace: { copy in heard.change { $0.trace = copy } })
        } catch {
            throw error.exit
        }
    }

    /// Stops the dock and lets the port go.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        loop.requestStop()
        loop.join()
        guardian?.close()
        // Whoever ended it may have done so because of what latched just then.
        if case .faulted(let fault) = loop.latest.dock, fault != .versionMismatch { keep(fault) }
    }

    /// The motors hold again, and the disk still says that they are free.
    func warnOfRelease(_ error: DockError) {
        warn("the next run will leave the motors free until `torque on`: \(error.message): \(error.hint)")
    }

    private func keep(_ fault: DockFault) {
        guard let error = latch?.keep(fault) else { return }
        warn("the latch is not kept, the next run begins without it: \(error.message): \(error.hint)")
    }

    /// Which dock it is, as it says; nil: it has not said so.
    var identity: String? { heard.value.withLock { $0.identity?.uid } }

    /// Says what was told of dock and line and nobody has read yet; true: something of it is about the rig.
    @discardableResult
    private func showNotes() -> Bool {
        let new = heard.value.withLock { $0.notes }.filter { shown.insert($0).inserted }
        for note in new { desk.say("it says: \(note)") }
        return new.contains { $0 != DockLoop.noRealTime }
    }

    /// What the rig said while it was greeted ("a limp servo turns there as fast as it can") is read and agreed to before anything
    /// is cleared, held or moved.
    private func agree() throws {
        if heard.value.withLock({ $0.snapshot.dock }) == .faulted(.versionMismatch) { return }
        guard showNotes() else { return }
        desk.ask("go on? [y/n]")
        guard try isYes() else { throw Stopped() }
    }

    /// A dock that is latched, by an earlier run or by itself, does not move before a person says that all is well.
    private func clearLatch() throws {
        guard case .faulted(let fault) = heard.value.withLock({ $0.snapshot.dock }), fault != .versionMismatch else {
            return try listen(0)
        }
        desk.say(
            "this dock was stopped by \(fault.rawValue)" + (latch?.date.map { " at \($0), in an earlier run" } ?? "")
                + ", and nobody has cleared it: it does not move before that. First: \(fault.advice).")
        desk.ask("all is well, clear it? [y/n]")
        guard try isYes() else {
            throw DockError(
                .faulted, "the dock stays latched by \(fault.rawValue), and was not moved",
                hint: "when all is well, \(again) and answer y, or type `clear` in `dockface run`")
        }
        _ = try answer(to: .clear, mayBeLatched: true).get()
        try wait(Self.answerTime, "the dock does not come back", mayBeLatched: true) { $0.snapshot.dock == .ready }
        if let error = latch?.clear() {
            warn("the latch is still on the disk, and the next run begins with it: \(error.message): \(error.hint)")
        }
        desk.say("cleared")
    }

    /// Motors that somebody has let go of hold again only when a person says so.
    private func takeHold() throws {
        guard let latch, latch.isReleased else { return }
        desk.say("somebody let go of the motors in an earlier run: a hand may be at the head.")
        desk.ask("may they hold again? [y/n]")
        guard try isYes() else {
            throw DockError(
                .busy, "torque is off, and the dock was not moved",
                hint: "when no hand is near, \(again) and answer y, or type `torque on` in `dockface run`")
        }
        _ = try answer(to: .torque(true)).get()
        if let error = latch.holdAgain() { warnOfRelease(error) }
    }

    /// The answer to a question that must be a yes; a signal is none.
    private func isYes() throws -> Bool {
        let answer = desk.answer()
        if desk.wasStopped { throw Stopped() }
        return answer == .yes
    }

    /// No path is faster than a check may be.
    func slowDown() throws {
        func slow(_ axis: RigProfile.AxisProfile) -> LimitChange {
            .set(low: axis.softRange.lowerBound, high: axis.softRange.upperBound, speed: fastest)
        }
        _ = try answer(to: .setLimits(pan: slow(profile.pan), tilt: slow(profile.tilt))).get()
    }

    /// Waits until the dock is there, a person has cleared what was latched, and no path is too fast.
    func prepare() throws {
        try wait(Self.answerTime, "the dock does not answer", mayBeLatched: true, greets: true) {
            if case .faulted(.versionMismatch) = $0.snapshot.dock { return true }
            guard $0.snapshot.pose != nil else { return false }
            if case .faulted = $0.snapshot.dock { return true }
            return $0.snapshot.dock == .ready
        }
        try agree()
        try clearLatch()
        try takeHold()
        try slowDown()
        // What came of the clearing.
        try agree()
        hasAgreed = true
    }

    /// One move; where the dock said it was before and after it.
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
            // Hands may still be near: the first motion waits. Nor need a pose that is a moment old be the end: where the dock is
            // gone, `pause` says so.
            case .failure(let error)
            where [.busy, .notConnected].contains(error.code) && cposix_monotonic_now() < deadline:
                try pause(0.2)
            case .failure(let error) where error.code == .limitReached:
                throw DockError(
                    .limitReached, "\(axis.rawValue) stands too near its limit to be moved",
                    hint: "turn the head nearer to its middle by hand, then \(again)")
            case .failure(let error): throw error
            }
        }
    }

    /// The mean of what is reported while the head stands.
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
            throw DockError(.timeout, "the dock does not tell where it is", hint: "look after its cable")
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
        // What it said before is not why it does not come now.
        let known = greets ? [] : heard.value.withLock { $0.notes }
        while !heard.value.withLock({ isSo($0) }) {
            guard cposix_monotonic_now() < end else {
                guard
                    let note = heard.value.withLock({ $0.notes }).last(where: {
                        !known.contains($0) && $0 != DockLoop.noRealTime
                    })
                else { throw DockError(.timeout, what, hint: "look after its cable and supply, then \(again)") }
                throw DockError(
                    .timeout, greets ? "the dock does not become ready: \(note)" : "\(what): \(note)",
                    hint: "mend that, then \(again)")
            }
            try listen(min(0.2, end - cposix_monotonic_now()), mayBeLatched: mayBeLatched)
        }
    }

    /// Waits a moment; ends everything if somebody wants that, or the dock is not all right any more.
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
        // What is said before it is ready is agreed to.
        case .ready: if hasAgreed { showNotes() }
        }
    }
}
