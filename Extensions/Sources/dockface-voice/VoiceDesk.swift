import DockTypes
import ExtensionKit
import Geometry
import Processes
import Synchronization
import Voice

/// What a voice has done.
enum VoiceReport: Sendable, Equatable {
    /// It speaks this sentence.
    case spoken(Utterance)
    /// It plays this sound. `side`: -1 left to 1 right of the listener.
    case played(Earcon, side: Double)
    /// It left something out.
    case dropped(String, VoiceDrop)
    /// Something does not work.
    case trouble(String)
}

/// What a worker is given.
struct VoiceParts: Sendable {
    var inbox: VoiceInbox
    var clock: @Sendable () -> VoiceMoment
    var tell: @Sendable (VoiceReport) -> Void
    var isDry: Bool
}

/// What was offered and is not considered yet: at most 64 entries, the newest.
final class VoiceInbox: Sendable {
    private struct State: Sendable {
        var waiting: [VoiceEvent] = []
        var isIdle = true
        var turned: Seconds = -.infinity
    }

    private let state = Mutex(State())

    private static let most = 64

    func put(_ event: VoiceEvent) {
        state.withLock { state in
            if state.waiting.count >= Self.most { state.waiting.removeFirst() }
            state.waiting.append(event)
            state.isIdle = false
        }
    }

    func take() -> [VoiceEvent] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Whether something waits.
    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// Tells that the thread has turned.
    func turned(now: Seconds, isIdle: Bool) {
        state.withLock { state in
            (state.turned, state.isIdle) = (now, isIdle && state.waiting.isEmpty)
        }
    }

    /// When the thread turned last, CLOCK_MONOTONIC, and whether nothing sounds and nothing waits.
    var latest: (turned: Seconds, isIdle: Bool) { state.withLock { ($0.turned, $0.isIdle) } }
}

/// A voice with its thread.
final class VoiceDesk: Sendable {
    private let inbox = VoiceInbox()
    private let thread: PollThread

    /// Starts a voice.
    /// - Parameter tell: called on the voice's thread.
    /// - Throws: `limitReached` if the system has no thread or descriptor left.
    init(
        _ settings: VoiceSettings, _ configuration: VoiceConfiguration, isDry: Bool,
        tell: @escaping @Sendable (VoiceReport) -> Void
    ) throws(DockError) {
        let parts = VoiceParts(inbox: inbox, clock: LocalClock.moment, tell: tell, isDry: isDry)
        guard let thread = PollThread(name: "voice"),
            thread.start({ VoiceWorker(settings, configuration, parts) })
        else {
            throw DockError(.limitReached, "the system has no thread left", hint: "end other programs")
        }
        self.thread = thread
    }

    /// Offers something.
    func put(_ event: VoiceEvent) {
        inbox.put(event)
        thread.wake()
    }

    /// Whether nothing sounds and nothing waits.
    var isIdle: Bool { inbox.latest.isIdle }

    /// Whether the thread has turned within the last seconds. It also makes it turn.
    func isAlive(within time: Seconds) -> Bool {
        thread.wake()
        return SystemTime.monotonic - inbox.latest.turned < time
    }

    /// Ends the voice: it is silent afterwards.
    func stop() { thread.stop() }
}
