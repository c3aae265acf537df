internal import ControlProtocol
internal import DockClient
internal import DockTypes
internal import ExtensionKit
internal import Geometry
internal import Gestures
internal import Synchronization

/// Carries out what the reader wants, in order. A stop goes before everything that waits.
final class GestureDesk: Sendable {
    private struct State: Sendable {
        /// What waits. Of targets only the newest does.
        var waiting: [GestureIntent] = []
        /// The number of stops so far. What was taken from `waiting` before the last one does not begin any more.
        var stopCount = 0
        /// The stops that may still be on their way.
        var stops: [Task<Void, Never>] = []
        /// The motion that was begun last.
        var motion: Int?
        /// Makes velocities of where a hand drags the head.
        var servo = HeadServo()
        /// The range of both axes.
        var limits: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)?
        var isOver = false
    }

    private let dock: Dock
    private let log: ExtensionLog
    private let isDry: Bool
    private let state = Mutex(State())
    private let bell: AsyncStream<Void>, ring: AsyncStream<Void>.Continuation
    /// Called with the reason when the motion was refused, or something else has ended it.
    private let onInterruption: @Sendable (String) -> Void

    /// The most intents that wait. More come only if the daemon hangs.
    private static let most = 32
    /// How long a call may take, in seconds, and each attempt to stop.
    private static let patience: Seconds = 2, stopPatience: [Seconds] = [0.12, 0.12, 2]
    /// How motions end that go on as wanted.
    private static let expected: Set<String> = ["completed", "superseded", "cancelled", "limited"]

    init(_ dock: Dock, log: ExtensionLog, isDry: Bool, onInterruption: @escaping @Sendable (String) -> Void) {
        (self.dock, self.log, self.isDry, self.onInterruption) = (dock, log, isDry, onInterruption)
        (bell, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Sets the range of the axes.
    func limit(pan: ClosedRange<Double>, tilt: ClosedRange<Double>) { state.withLock { $0.limits = (pan, tilt) } }

    /// Takes where the head is, and how fast it turns; nil if that is not known.
    func learn(_ pose: PanTilt?, velocity: PanTilt, at time: Seconds) {
        state.withLock { state in
            if let pose { state.servo.report(pose, velocity: velocity, at: time) } else { state.servo.forget() }
        }
    }

    /// Takes how the last motions have ended.
    func ended(_ endings: [(id: Int, outcome: String)]) {
        let why = state.withLock { state in
            endings.first { $0.id == state.motion && !Self.expected.contains($0.outcome) }?.outcome
        }
        if let why { interrupt("the motion was ended (\(why))") }
    }

    /// Takes intents, in order.
    func perform(_ intents: [GestureIntent]) {
        for intent in intents {
            switch intent {
            case .note(let note): if isDry || TextOutput.hasRoom(2) { log.note(note.text) }
            case _ where isDry: describe(intent)
            case .stop: stop()
            default: state.withLock { Self.add(intent, to: &$0.waiting) }
            }
        }
        ring.yield()
    }

    private static func add(_ intent: GestureIntent, to waiting: inout [GestureIntent]) {
        switch (intent, waiting.last) {
        case (.aim, .aim), (.drag, .drag), (.wait, .drag): waiting.removeLast()
        default: break
        }
        // A release must never be lost, and what is before it in a full queue will not be missed.
        if waiting.count >= most { waiting.removeFirst() }
        waiting.append(intent)
    }

    private func stop() {
        state.withLock { $0.stopCount += 1 }
        let call = Task.immediate {
            for patience in Self.stopPatience {
                do throws(DockError) {
                    _ = try await dock.call("stop", timeout: patience)
                    return
                } catch {
                    guard error.code == .timeout, patience < Self.patience else {
                        log.error("the stop was not confirmed: \(error.message)")
                        return
                    }
                }
            }
        }
        state.withLock { state in
            state.waiting.removeAll { intent in
                switch intent {
                case .engage, .aim, .drag, .animate: true
                default: false
                }
            }
            state.stops = Array((state.stops + [call]).suffix(4))
        }
    }

    /// Carries out what waits, until the end.
    func run() async {
        var grip = GestureGrip(dock)
        for await _ in bell {
            while let (intent, stops) = state.withLock({ next(of: &$0) }) {
                await carryOut(intent, &grip) { self.state.withLock { $0.stopCount != stops } }
                state.withLock { $0.motion = grip.motion }
            }
            if state.withLock({ $0.isOver && $0.waiting.isEmpty }) { break }
        }
        await grip.release()
        for stop in state.withLock({ $0.stops }) { await stop.value }
    }

    private func next(of state: inout State) -> (GestureIntent, stops: Int)? {
        state.waiting.isEmpty ? nil : (state.waiting.removeFirst(), state.stopCount)
    }

    /// Ends `run` after what waits.
    func finish() {
        state.withLock { $0.isOver = true }
        ring.yield()
    }

    private func carryOut(_ intent: GestureIntent, _ grip: inout GestureGrip, isStopped: () -> Bool) async {
        do throws(DockError) {
            switch intent {
            case .engage:
                state.withLock { $0.servo.begin() }
                try await grip.engage(isStopped: isStopped)
            case .aim, .drag: if !isStopped() { try await turn(intent, grip: &grip) }
            case .wait: await grip.wait()
            case .release: await grip.release()
            case .animate(let name): try await grip.animate(name, isStopped: isStopped)
            case .cue(let cue): try await show(cue)
            case .stop, .note: break
            }
        } catch {
            if case .cue = intent { return }
            // The end of the range is no reason to let go.
            if error.code == .limitReached {
                switch intent {
                case .aim, .drag: return
                default: break
                }
            }
            log.warning(error.message + (error.hint.isEmpty ? "" : "; \(error.hint)"))
            await grip.release()
            interrupt(error.message)
        }
    }

    private func turn(_ intent: GestureIntent, grip: inout GestureGrip) async throws(DockError) {
        switch intent {
        case .aim(let pose): try await grip.aim(clamped(pose))
        case .drag(let pose):
            let target = clamped(pose)
            // Without the head's pose it waits for the next frame.
            if let velocity = state.withLock({ $0.servo.velocity(toward: target, now: SystemTime.monotonic) }) {
                try await grip.turn(velocity)
            }
        default: break
        }
    }

    /// Shows that a gesture was understood: a sound, and words on the screen.
    private func show(_ cue: GestureCue) async throws(DockError) {
        try await dock.cue(cue.rawValue)
        try await dock.setIndicator(GestureFeed.indicator, .on, text: GestureNote.understood(cue).text)
    }

    private func interrupt(_ why: String) {
        state.withLock { $0.motion = nil }
        onInterruption(why)
    }

    private func clamped(_ pose: PanTilt) -> PanTilt {
        guard let limits = state.withLock({ $0.limits }) else { return pose }
        return PanTilt(pan: pose.pan.clamped(to: limits.pan), tilt: pose.tilt.clamped(to: limits.tilt))
    }

    private func describe(_ intent: GestureIntent) {
        switch intent {
        case .stop: TextOutput.put("stop\n")
        case .engage: TextOutput.put("engage\n")
        case .aim(let pose): TextOutput.put("aim \(Self.degrees(pose))\n")
        case .drag(let pose): TextOutput.put("drag \(Self.degrees(pose))\n")
        case .wait: TextOutput.put("wait\n")
        case .release: TextOutput.put("release\n")
        case .animate(let name): TextOutput.put("animate \(name)\n")
        case .cue(let cue): TextOutput.put("cue \(cue.rawValue)\n")
        case .note: break
        }
    }

    private static func degrees(_ pose: PanTilt) -> String {
        let tenths = [pose.pan, pose.tilt].map { ($0.inDegrees * 10).rounded() / 10 }
        return "\(tenths[0]) \(tenths[1])"
    }
}
