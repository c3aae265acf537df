internal import ControlProtocol
internal import DockTypes
internal import EventDevice
internal import ExtensionKit
internal import Gamepad
internal import Geometry

/// The pad's thread: it waits for the pad, the daemon and the time, and has done what the driver wants.
struct PadLoop {
    private let port: PadPort
    private var driver: PadDriver
    private let inbox: PadInbox
    private let desk: PadDesk
    private let report: @Sendable (PadReport) -> Void
    /// When to look for a pad although the system reports none, or nil if that is not necessary.
    private var searchAt: Seconds? = -.infinity

    /// How long it waits after a pad is gone: one that fails at once must not keep it busy, in seconds.
    private static let pause: Seconds = 0.2
    /// How often it looks for devices if the system does not report them, in seconds.
    private static let blindPeriod: Seconds = 2

    init(
        _ port: PadPort, _ driver: PadDriver, _ inbox: PadInbox, _ desk: PadDesk,
        report: @escaping @Sendable (PadReport) -> Void
    ) {
        (self.port, self.driver, self.inbox, self.desk, self.report) = (port, driver, inbox, desk, report)
    }

    /// Runs until the inbox says that the program ends.
    mutating func run() {
        report(.waiting)
        while true {
            if let moment = searchAt, SystemTime.monotonic >= moment { search() }
            let now = SystemTime.monotonic
            // It wakes now and then to show that it goes on.
            let due = min(driver.deadline ?? .infinity, searchAt ?? .infinity, now + ExtensionTimes.report)
            let ready = WorkerThread.wait([inbox.bell.descriptor] + port.descriptors, for: max(0, due - now))
            let hasNews = ready.contains { $0 != inbox.bell.descriptor && $0 != port.feed?.descriptor }
            // The daemon's news first: another person's stop counts more than a stick.
            guard handleNews() else { return }
            readPad(ready)
            desk.perform(driver.tick(now: SystemTime.monotonic), now: SystemTime.monotonic)
            // What is ready besides these two is the folder.
            if hasNews { searchAt = -.infinity }
            report(.working)
        }
    }

    private mutating func search() {
        defer { searchAt = port.isBlind ? SystemTime.monotonic + Self.blindPeriod : nil }
        for news in port.search() {
            switch news {
            case .unusable(let why): report(.unusable(why))
            case .arrived(let feed, let state):
                report(.arrived(PlainLine.of(feed.profile.name)))
                let intents = driver.arrived(
                    state, flats: feed.mapping.flats(of: feed.profile), buttons: feed.mapping.buttons,
                    now: SystemTime.monotonic)
                desk.perform(intents, now: SystemTime.monotonic)
            }
        }
    }

    private mutating func readPad(_ ready: Set<Int32>) {
        guard let feed = port.feed, ready.contains(feed.descriptor) else { return }
        let now = SystemTime.monotonic
        switch feed.read() {
        case .states(let states):
            for state in states { desk.perform(driver.changed(state, now: now), now: now) }
        case .gone(let why):
            desk.perform(driver.lost(now: now), now: now)
            port.drop()
            searchAt = now + Self.pause
            report(.gone(why))
        }
    }

    /// Returns false if the program ends.
    private mutating func handleNews() -> Bool {
        let news = inbox.take(), now = SystemTime.monotonic
        if news.isOver {
            desk.perform(driver.finish(now: now), now: now)
            return false
        }
        if news.isLost { driver.disconnected() }
        if let view = news.daemon { desk.perform(driver.reported(view, now: now), now: now) }
        if let answer = news.answer { driver.wordAnswered(duration: answer, now: now) }
        for outcome in news.outcomes.sorted() { desk.perform(driver.motionEnded(outcome, now: now), now: now) }
        if let refusal = news.refusal { desk.perform(driver.velocityRefused(refusal), now: now) }
        return true
    }
}

/// What the pad's thread reports to the program.
enum PadReport: Sendable {
    /// It has taken another turn.
    case working
    /// There is no pad.
    case waiting
    /// A pad with this name is in use.
    case arrived(String)
    /// The pad is gone, for this reason.
    case gone(String)
    /// A pad cannot be used, for this reason.
    case unusable(String)
}
