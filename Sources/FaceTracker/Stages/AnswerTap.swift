internal import Processes
internal import Synchronization

/// One answer of a detector, whether tracking uses it or not.
public struct DetectorAnswer: Sendable, Equatable {
    /// The name of the detector's source.
    public var source: String
    /// Whether this source steers.
    public var isActive: Bool
    /// The faces, in this library's convention. The exposure is not a number if it is unknown.
    public var frame: DetectionFrame
    /// Why tracking does not use the frame, or nil if it may.
    public var drop: DropReason?
    /// The line as the detector wrote it, for what this library does not read.
    public var line: [UInt8]

    /// The longest line that is passed on, in bytes. Of a longer one, only the faces are.
    public static let longest = 1 << 15

    /// Creates an answer.
    public init(
        source: String, isActive: Bool, frame: DetectionFrame, drop: DropReason? = nil, line: [UInt8] = []
    ) {
        (self.source, self.isActive, self.frame) = (source, isActive, frame)
        (self.drop, self.line) = (drop, line.count <= Self.longest ? line : [])
    }
}

/// Passes on the answers of all detectors, if a listener wants them.
public final class AnswerTap: Sendable {
    private let wanted = Atomic<Bool>(false)
    private let listener = Locked<@Sendable (DetectorAnswer) -> Void>({ _ in })

    /// Creates a tap without a listener.
    public init() {}

    /// Whether a listener wants the answers. Until then they are not even copied.
    public var isWanted: Bool {
        get { wanted.load(ordering: .relaxed) }
        set { wanted.store(newValue, ordering: .relaxed) }
    }

    /// Sets the listener. It is called on the threads of the detectors, and must not block.
    public func listen(_ new: @escaping @Sendable (DetectorAnswer) -> Void) { listener.withLock { $0 = new } }

    /// Passes an answer on.
    public func tell(_ answer: DetectorAnswer) { listener.withLock { $0 }(answer) }
}
