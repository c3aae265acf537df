import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import Geometry
import Synchronization
import ThingFinder

/// What the daemon reports, as events of a search. A reader that is slow gets the newest 256; the search notices a gap
/// in pictures itself. Each event wakes the search, so that only those that it needs are passed on.
final class FindFeed: Sendable {
    let events: AsyncStream<FinderEvent>
    private let input: AsyncStream<FinderEvent>.Continuation
    private let sight: RigSight
    private let source: String
    /// The number of the last motion of this search.
    private let motion = Mutex<Int?>(nil)
    private let sieve = Mutex(PoseSieve())
    /// When the last event was passed on, CLOCK_MONOTONIC.
    private let passed = Mutex<Seconds>(-.infinity)

    /// After this time without another event, time passes for the search, in seconds.
    private static let period: Seconds = 0.1
    /// How old a picture without a time is taken to be, in seconds.
    private static let usualAge: Seconds = 0.3

    /// Creates the feed for one detector.
    init(_ sight: RigSight, source: String) {
        (self.sight, self.source) = (sight, source)
        (events, input) = AsyncStream<FinderEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    /// Tells the number of the motion that the search has begun.
    func began(_ id: Int) { motion.withLock { $0 = id } }

    /// Adds an event of the program itself.
    func put(_ event: FinderEvent) {
        passed.withLock { $0 = SystemTime.monotonic }
        input.yield(event)
    }

    /// Reads the daemon's topics until the task is cancelled or the connection ends.
    func run(_ dock: Dock, _ lease: DockLease) async throws(DockError) {
        let detections = try dock.updates(.detections), motions = try dock.updates(.motion)
        let accessory = try dock.updates(.accessory)
        await withTaskGroup { group in
            group.addTask { for await update in detections { self.receive(update.value) } }
            group.addTask { for await update in motions { self.receive(update.value) } }
            group.addTask { for await update in accessory { self.receive(update.value) } }
            group.addTask {
                if let error = await lease.lost() { self.put(.interrupted(error.message)) }
                // The end of the lease is an event, not the end of the feed.
                await Self.waitForever()
            }
            group.addTask {
                while (try? await Task.sleep(for: .seconds(Self.period))) != nil {
                    // Any other event brings the time with it.
                    let isQuiet = self.passed.withLock { SystemTime.monotonic - $0 >= Self.period }
                    if isQuiet { self.put(.tick) }
                }
            }
            await group.next()
            group.cancelAll()
        }
        input.finish()
    }

    private static func waitForever() async {
        while (try? await Task.sleep(for: .seconds(3600))) != nil {}
    }

    private func receive(_ answer: DetectionsReading) {
        guard answer.source == source, answer.dropped == nil || answer.dropped == "tooOld", sight.fits(answer) else {
            return
        }
        put(
            .view(
                FinderView(
                    sequence: answer.sequence, time: answer.time ?? answer.arrival - Self.usualAge,
                    boxes: SeenBox.read(answer.objects))))
    }

    private func receive(_ reading: MotionReading) {
        let mine = motion.withLock { $0 }
        if let ending = reading.endings.last(where: { $0.id == mine }), let why = FindFeed.words(of: ending.outcome) {
            put(.interrupted(why))
        }
        guard let pose = reading.position else { return }
        let report = HeadPose(time: reading.time, pose: pose, rate: reading.velocity.magnitude)
        if sieve.withLock({ $0.passes(report) }) { put(.head(report)) }
    }

    private func receive(_ reading: AccessoryReading) {
        if let why = Self.interruption(reading) { put(.interrupted(why)) }
    }

    /// Why a search may not turn the head, or nil if it may.
    static func interruption(_ reading: AccessoryReading) -> String? {
        if reading.dock != "ready" { return "the dock is \(reading.dock)" + (reading.reason.map { ": \($0)" } ?? "") }
        if let who = reading.stoppedBy { return "a \(who) has stopped the dock" }
        if reading.control == "keys" || reading.control == "words" { return "a person has the head" }
        if !reading.hasTorque { return "the torque is off" }
        return reading.mode == .manual ? nil : "the mode was set to \(reading.mode.rawValue)"
    }

    /// Why the end of a motion ends the search, or nil if it does not.
    private static func words(of outcome: String) -> String? {
        switch outcome {
        case "takenOver": "a person took the head"
        case "stopped", "cancelled": "the head was stopped"
        case "emergencyStopped": "the emergency stop was pressed"
        case "faulted": "the dock has a fault"
        case "unplugged": "the dock was unplugged"
        case "modeChanged": "the mode was changed"
        case "leaseLost": "the right to move the head was lost"
        default: nil
        }
    }
}
