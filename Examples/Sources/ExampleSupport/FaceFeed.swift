public import Companion
internal import Synchronization

/// A recorded detection stream that behaves like a running detector: it arrives through a pipe in real time, and plays
/// forward and backward in turn.
public final class FaceFeed: Sendable {
    private let feeder: PipeFeeder

    /// Makes a feed from a file. Exits if the file is not a recording.
    public init(path: String) {
        do {
            let pacer = Mutex(ReplayPacer(try Recording(path: path), loop: .pingpong))
            let feeder = PipeFeeder { now, lines in
                pacer.withLock { pacer in
                    pacer.appendDue(at: now, into: &lines)
                    return pacer.deadline
                }
            }
            guard let feeder else { fail("\(path): no pipe is left", status: 71) }
            self.feeder = feeder
            feeder.start()
        } catch {
            fail("\(error)", status: 66)
        }
    }

    /// The detection source for a session.
    public var detections: SessionConfiguration.Detections { .descriptor(feeder.descriptor) }

    /// Stops the feed. Call it after the session has ended.
    public func stop() { feeder.stop() }
}
