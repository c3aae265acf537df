import DockClient
import Synchronization
import VideoRecorder

/// Whether a person wants a recording: they say so with the start of the program and with the dock's shutter. It is
/// watched all the time, also while the folder of the recordings is away.
final class PersonRequest: Sendable {
    private struct Shared {
        var isWanted: Bool
        /// The recorder that follows it, and its log.
        var recorder: Recorder?
        var lines: LogLines?
        var watch: Task<Void, Never>?
    }

    private let shared: Mutex<Shared>

    init(isWanted: Bool) { shared = Mutex(Shared(isWanted: isWanted)) }

    /// Tells a recorder, now and at each change.
    func attach(_ recorder: Recorder, _ lines: LogLines) {
        shared.withLock { shared in
            (shared.recorder, shared.lines) = (recorder, lines)
            // In the lock, so that no change overtakes it.
            if shared.isWanted { recorder.start(.person) }
        }
    }

    /// Tells the recorder no more.
    func detach() { shared.withLock { ($0.recorder, $0.lines) = (nil, nil) } }

    /// Watches the shutter of a dock, if it does not do so yet.
    func watch(_ dock: Dock) {
        shared.withLock { shared in
            if shared.watch == nil { shared.watch = Task { await follow(dock) } }
        }
    }

    func end() { shared.withLock { $0.watch?.cancel() } }

    private func follow(_ dock: Dock) async {
        guard let events = try? dock.updates(.events) else { return }
        for await update in events where !update.isSnapshot {
            if update.lost > 0 {
                // One of them may have asked for an end.
                let lines = shared.withLock { $0.lines }
                lines?.add("events were lost; press the shutter again if it did nothing", isWarning: true)
            }
            if case .recording(let isWanted) = update.value { set(isWanted) }
        }
    }

    private func set(_ isWanted: Bool) {
        shared.withLock { shared in
            shared.isWanted = isWanted
            if isWanted { shared.recorder?.start(.person) } else { shared.recorder?.stop(.person) }
        }
    }
}
