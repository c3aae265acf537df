import Companion
import CPosix
import DockControl
import Geometry
import Glibc
import Synchronization

/// Carries a check out: moves through the same loop as a run, with all its limits and watches, and looks at what the dock
/// reports.
final class CheckMover {
    /// What the loop's thread has told.
    private struct Heard: Sendable {
        var snapshot = LoopSnapshot()
        var identity: DockIdentity?
        var ended: [EndedMotion] = []
        var notes: [String] = []
    }

    private let loop: DockLoop
    private let profile: RigProfile
    private let desk: CheckDesk
    private let guardian: DockGuard?
    private let latch: PortLatch?
    private let heard: HeardBox
    private var hasEnded = false

    private final class HeardBox: Sendable {
        let value = Mutex(Heard())
        let wake: Int32
        init() throws(DockError) { wake = try WaitDescriptors.wake() }
        deinit { close(wake) }
        func change(_ use: (inout Heard) -> Void) {
            value.withLock { use(&$0) }
            cposix_wake_ring(wake)
        }
    }

    /// Somebody stopped it.
    private struct Stopped: Error {}

    /// Longest wait for a dock to answer; for a move, its careful beginning included; seconds.
    private static let answerTime: Seconds = 10, moveTime: Seconds = 8
    /// Until a head stands still after a move, seconds.
    private static let settleTime: Seconds = 0.4

    /// `latch` is what an earlier run may have left, and what this one may leave.
    init(
        link: any ByteLink, profile: RigProfile, desk: CheckDesk, guardian: DockGuard?, latch: PortLatch?
    ) throws {
        self.guardian = guardian
        self.latch = latch
        self.profile = profile
        self.desk = desk
        do {
            heard = try HeardBox()
            loop = try DockLoop()
            let heard = heard
            var options = LoopOptions(profile: profile, mode: .manual)
            options.latched = latch?.fault
            options.released = latch?.isReleased ?? false
            try loop.start(
                link: link, options: options,
                driver: try DriverTable.make(for: profile), guardian: guardian,
                reopen: { () throws(DockError) in
                    throw DockError(.notConnected, "the dock is gone", hint: "plug it in, and check again")
                }, makeInput: { nil }, onSnapshot: { shot in heard.change { $0.snapshot = shot } },
                onEvent: { event in
                    heard.change {
                        switch event {
                        case .dock(_, let identity): $0.identity = identity ?? $0.identity
                        case .motionEnded(let over): $0.ended = ($0.ended + [over]).suffix(8)
                        case .note(let text): $0.notes = ($0.notes + [text]).suffix(8)
                        default: break
                        }
                    }
                })
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
        if case .faulted(let fault) = loop.latest.dock, fault != .versionMismatch { latch?.keep(fault) }
    }

    /// The whole check.
    /// - Throws: `DockError` where the dock does not answer or goes away, or latches.
    func check() throws -> (result: DockCheck.Result, dock: String?) {
        var check = DockCheck()
        do {
            try wait(Self.answerTime, "the dock does not answer", mayBeLatched: true) {
                if case .faulted(.versionMismatch) = $0.snapshot.dock { return true }
                guard $0.snapshot.pose != nil else { return false }
                if case .faulted = $0.snapshot.dock { return true }
                return $0.snapshot.dock == .ready
            }
            try clearLatch()
            try takeHold()
            try slowDown()
            while true {
                switch check.step {
                case .move(let axis, let angle):
                    // Not later: whatever is typed once it is announced stops it.
                    desk.forgetKeys()
                    if check.returnsFirst {
                        _ = try move(axis, by: -angle)
                        check.returned()
                    }
                    desk.say("\(axis.rawValue) turns by \(angle > 0 ? "+" : "-")3 degrees")
                    let (from, to) = try move(axis, by: angle)
                    check.moved(from: from, to: to)
                case .ask(let axis):
                    desk.ask(
                        axis == .pan
                            ? "did it turn to ITS right (your left, if it looks at you)? [y/n/again/q]"
                            : "did it look up? [y/n/again/q]")
                    check.answered(desk.answer())
                case .over(let result):
                    return (result, heard.value.withLock { $0.identity?.uid })
                }
            }
        } catch is Stopped {
            check.stopped()
            return (.stopped, nil)
        }
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
        guard desk.answer() == .yes else {
            throw DockError(
                .faulted, "the dock stays latched by \(fault.rawValue), and was not moved",
                hint: "when all is well, check again and answer y, or type `clear` in `dockface run`")
        }
        _ = try answer(to: .clear, mayBeLatched: true).get()
        try wait(Self.answerTime, "the dock does not come back", mayBeLatched: true) { $0.snapshot.dock == .ready }
        latch?.clear()
        desk.say("cleared")
    }

    /// Motors that somebody has let go of hold again only when a person says so.
    private func takeHold() throws {
        guard let latch, latch.isReleased else { return }
        desk.say("somebody let go of the motors in an earlier run: a hand may be at the head.")
        desk.ask("may they hold again? [y/n]")
        guard desk.answer() == .yes else {
            throw DockError(
                .busy, "torque is off, and the dock was not moved",
                hint: "when no hand is near, check again and answer y, or type `torque on` in `dockface run`")
        }
        _ = try answer(to: .torque(true)).get()
        latch.holdAgain()
    }

    /// No path is faster than a check may be.
    private func slowDown() throws {
        func slow(_ axis: RigProfile.AxisProfile) -> LimitChange {
            .set(low: axis.softRange.lowerBound, high: axis.softRange.upperBound, speed: DockCheck.speed)
        }
        _ = try answer(to: .setLimits(pan: slow(profile.pan), tilt: slow(profile.tilt))).get()
    }

    /// One move; where the dock said it was before and after it.
    private func move(_ axis: Axis, by angle: Double) throws -> (from: PanTilt, to: PanTilt) {
        let from = try steadyPose()
        var offset = PanTilt.zero
        offset[axis] = angle
        let deadline = cposix_monotonic_now() + Self.moveTime
        while true {
            switch try answer(to: .orient(offset, duration: 0.9, relative: true)) {
            case .success(let receipt):
                let id = receipt.motion
                try wait(Self.moveTime, "the move did not end") { heard in heard.ended.contains { $0.id == id } }
                return (from, try steadyPose())
            // Hands may still be near: the first motion waits.
            case .failure(let error) where error.code == .busy && cposix_monotonic_now() < deadline:
                try pause(0.2)
            case .failure(let error) where error.code == .limitReached:
                throw DockError(
                    .limitReached, "\(axis.rawValue) stands too near its limit to be checked",
                    hint: "turn the head nearer to its middle by hand, then check again")
            case .failure(let error): throw error
            }
        }
    }

    /// The mean of what is reported while the head stands.
    private func steadyPose() throws -> PanTilt {
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

    private func answer(to command: MotionCommand, mayBeLatched: Bool = false) throws -> MotionAnswer {
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
        throw DockError(.timeout, "the loop did not answer", hint: "check again")
    }

    private func pause(_ seconds: Seconds) throws {
        let end = cposix_monotonic_now() + seconds
        while cposix_monotonic_now() < end { try listen(end - cposix_monotonic_now()) }
    }

    private func wait(
        _ seconds: Seconds, _ what: String, mayBeLatched: Bool = false, until isSo: (Heard) -> Bool
    ) throws {
        let end = cposix_monotonic_now() + seconds
        while !heard.value.withLock({ isSo($0) }) {
            guard cposix_monotonic_now() < end else {
                throw DockError(.timeout, what, hint: "look after its cable and supply, then check again")
            }
            try listen(min(0.2, end - cposix_monotonic_now()), mayBeLatched: mayBeLatched)
        }
    }

    /// Waits a moment; ends everything if somebody wants that, or the dock is not all right any more.
    private func listen(_ seconds: Seconds, mayBeLatched: Bool = false) throws {
        if desk.wantsStop(while: heard.wake, seconds: seconds) {
            loop.post(.stop)
            throw Stopped()
        }
        let now = heard.value.withLock { $0 }
        switch now.snapshot.dock {
        case .faulted(let fault):
            guard !mayBeLatched else { return }
            latch?.keep(fault)
            throw DockError(
                .faulted, now.notes.last ?? "the dock latched \(fault.rawValue)",
                hint: "\(fault.advice), then check again")
        case .detached(.unplugged), .detached(.otherDevice):
            throw DockError(.notConnected, "the dock is gone", hint: "plug it in, and check again")
        case .detached, .greeting, .ready: return
        }
    }
}
