public import Companion
internal import Synchronization

/// A recorded detection stream that looks like a detector at work: it comes out of a pipe, in real time, to and fro.
public final class FaceFeed: Sendable {
    private let feeder: PipeFeeder

    /// A feed of a file; ends the program where that is no recording.
    public init(path: String) {
        do {
            let pacer = Mutex(ReplayPacer(try Recording(path: path), loop: .pingpong))
            let feeder = PipeFeeder { now, lines in
                pacer.withLock { pacer in
                    pacer.take(at: now, into: &lines)
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

    /// Where a session reads it.
    public var detections: SessionConfiguration.Detections { .descriptor(feeder.descriptor) }

    /// Ends it; after the session.
    public func stop() { feeder.stop() }
}
