internal import ControlProtocol
internal import DockClient
internal import DockTypes
internal import ExtensionKit
internal import Geometry
internal import Gestures
internal import Synchronization

/// Why the work ends.
enum GestureEnding: Sendable {
    /// Gestures were disarmed, because they were not used or the time was over.
    case disarmed
    /// The daemon is gone.
    case connection
}

/// What the daemon says, brought to the reader, and what the reader wants, brought to the desk. The lock keeps both in order.
final class GestureFeed: Sendable {
    private let dock: Dock
    private let session: ExtensionSession
    private let isDry: Bool
    private let view = Mutex(GestureView())
    private let desk: GestureDesk
    /// The reasons why motions were ended by others. Of several at once, one is enough.
    private let interruptions: AsyncStream<String>

    /// The time between two looks at the clock, and the time without a hand after which a reason is named, in seconds.
    private static let pause: Seconds = 0.05, patience: Seconds = 5
    /// The name of the indicator, which is shown while it is armed.
    static let indicator = "gesture"

    init(_ dock: Dock, _ session: ExtensionSession, isDry: Bool) {
        (self.dock, self.session, self.isDry) = (dock, session, isDry)
        let (interruptions, tell) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.interruptions = interruptions
        desk = GestureDesk(dock, log: session.log, isDry: isDry) { tell.yield($0) }
    }

    /// Runs until gestures are disarmed, or the daemon ends. `limit`: for how long at most, in seconds.
    func run(for limit: Seconds?) async throws -> GestureEnding {
        let start = SystemTime.monotonic, updates = try topics()
        view.withLock { $0.arm(now: start) }
        if !isDry { try await dock.setIndicator(Self.indicator, .on, text: "an open palm stops") }
        session.report(.ready, isDry ? "dry run" : "armed")
        session.log.note("armed: an open palm stops the head; without a gesture for a minute this ends")
        // A task of its own, so that the head is released although this task was cancelled.
        let worker = Task { await desk.run() }
        let ending = await withTaskGroup(of: GestureEnding?.self) { group in
            group.addTask { await self.readDetections(updates.detections) }
            group.addTask { await self.readMotion(updates.motion) }
            group.addTask { await self.readTracking(updates.tracking) }
            group.addTask { await self.readAccessory(updates.accessory) }
            group.addTask { await self.readInterruptions() }
            group.addTask { await self.watch(from: start, until: limit.map { start + $0 }) }
            group.addTask { await self.warn() }
            var ending: GestureEnding?
            while ending == nil, let next = await group.next() { ending = next }
            group.cancelAll()
            return ending
        }
        update { $0.disarm() }
        desk.finish()
        await worker.value
        if !isDry {
            let dock = dock
            await Task { _ = try? await dock.setIndicator(Self.indicator, .off) }.value
        }
        return ending ?? .connection
    }

    private func topics() throws(DockError) -> (
        detections: TopicUpdates<DetectionsReading>, motion: TopicUpdates<MotionReading>,
        tracking: TopicUpdates<TrackingReading>, accessory: TopicUpdates<AccessoryReading>
    ) {
        (
            try dock.updates(.detections), try dock.updates(.motion), try dock.updates(.tracking, everyFrame: true),
            try dock.updates(.accessory)
        )
    }

    private func update(_ change: (inout sending GestureView) -> [GestureIntent]) {
        view.withLock { desk.perform(change(&$0)) }
    }

    private func readDetections(_ updates: TopicUpdates<DetectionsReading>) async -> GestureEnding? {
        for await update in updates where !update.isSnapshot || update.value.arrival > 0 {
            self.update { $0.update(update.value, now: SystemTime.monotonic) }
        }
        return Task.isCancelled ? nil : .connection
    }

    private func readMotion(_ updates: TopicUpdates<MotionReading>) async -> GestureEnding? {
        for await update in updates {
            view.withLock { $0.update(update.value) }
            let motion = update.value
            desk.learn(motion.position, velocity: motion.velocity, at: motion.time)
            desk.ended(update.value.endings.map { ($0.id, $0.outcome) })
        }
        return Task.isCancelled ? nil : .connection
    }

    private func readTracking(_ updates: TopicUpdates<TrackingReading>) async -> GestureEnding? {
        for await update in updates { view.withLock { $0.update(update.value) } }
        return Task.isCancelled ? nil : .connection
    }

    private func readAccessory(_ updates: TopicUpdates<AccessoryReading>) async -> GestureEnding? {
        for await update in updates {
            guard let limits = update.value.limits, limits.pan.low <= limits.pan.high,
                limits.tilt.low <= limits.tilt.high
            else { continue }
            desk.limit(pan: limits.pan.low...limits.pan.high, tilt: limits.tilt.low...limits.tilt.high)
        }
        return Task.isCancelled ? nil : .connection
    }

    private func readInterruptions() async -> GestureEnding? {
        for await why in interruptions { update { $0.interrupted(why) } }
        return nil
    }

    /// Does what is due without frames, and ends when gestures are disarmed.
    private func watch(from start: Seconds, until end: Seconds?) async -> GestureEnding? {
        while view.withLock({ $0.reader.isArmed }) {
            let now = SystemTime.monotonic
            if let end, now >= end { break }
            update { $0.tick(now: now) }
            session.beat()
            guard (try? await Task.sleep(for: .seconds(Self.pause))) != nil else { return nil }
        }
        return .disarmed
    }

    /// Names the reason if no hand comes because no detector reports any.
    private func warn() async -> GestureEnding? {
        guard (try? await Task.sleep(for: .seconds(Self.patience))) != nil, !view.withLock({ $0.hasSeenHands }),
            let status = try? await dock.status()
        else { return nil }
        let sources = status.json["detector"]?["sources"]?.array ?? []
        let reportsHands = sources.contains { $0["detector"]?.string?.hasPrefix("hands") ?? false }
        if !reportsHands {
            session.log.warning(
                "no detector of the daemon is known to report hands; start it with `--camera ... --detector hands`")
        }
        return nil
    }
}
