public import DockControl
public import DockTypes
public import Geometry

/// Records a motion that a person makes with the head by hand while the torque is off, and turns it into a script with
/// few keys.
///
/// A value: it stores only the dock's reported poses and their times.
public struct MotionTeacher: Sendable, Equatable {
    /// The motion that is being recorded, or nil if there is none.
    public private(set) var name: String?
    /// Whether the recording has reached the maximum duration. Later poses are dropped.
    public private(set) var isFull = false
    private var start: Seconds = 0
    private var samples: [KeyReduction.Sample] = []

    /// The distance below which the head counts as not moved, in radians.
    static let least = Double.degrees(1)
    /// The distance from its first or last pose within which the head counts as stationary, in radians.
    static let stillness = Double.degrees(0.4)
    /// The time of stillness that is kept at both ends, in seconds.
    static let pause: Seconds = 0.1
    /// The minimum time between poses, in seconds. Poses that arrive sooner are dropped.
    static let fastest: Seconds = 0.005

    /// Creates a teacher that is not recording.
    public init() {}

    /// Begins to record under a name.
    /// - Throws: `invalidParameter` for an invalid name, `busy` while another motion is recorded.
    public mutating func begin(_ name: String, now: Seconds) throws(DockError) {
        try MotionLibrary.checkTaught(name)
        if let recorded = self.name {
            throw DockError(.busy, "\"\(recorded)\" is being recorded", hint: "finish it first")
        }
        self = MotionTeacher()
        self.name = name
        start = now
    }

    /// Records a pose (rad) of the dock at a time (s).
    /// - Returns: true once, at the first pose that no longer fits, so that the person can be informed.
    public mutating func record(_ pose: PanTilt, now: Seconds) -> Bool {
        guard name != nil, !isFull, pose.pan.isFinite, pose.tilt.isFinite else { return false }
        guard now - start <= MotionLibrary.longest else {
            isFull = true
            return true
        }
        if now >= (samples.last?.time ?? start - 1) + Self.fastest, now >= start {
            samples.append(KeyReduction.Sample(time: now, pose: pose))
        }
        return false
    }

    /// Returns the duration of the recording, in seconds; 0 if there is none.
    public func elapsed(now: Seconds) -> Seconds {
        name == nil ? 0 : (now - start).clamped(to: 0...MotionLibrary.longest)
    }

    /// Discards the recording.
    public mutating func cancel() { self = MotionTeacher() }

    /// Ends the recording, even if it fails.
    /// - Returns: the motion, relative to its start; `invalidParameter` if nothing was recorded or the head did not
    ///   move.
    public mutating func finish() -> Result<MotionScript, DockError> {
        defer { cancel() }
        guard let name else {
            return .failure(DockError(.invalidParameter, "nothing is being recorded", hint: "begin with a name"))
        }
        let moving = Self.withoutStillness(samples)
        guard let first = moving.first else {
            return .failure(
                DockError(
                    .invalidParameter, "the head did not move",
                    hint:
                        "turn the head by hand by more than one degree while the torque is off; check that the dock is connected"
                ))
        }
        let keys = KeyReduction().keys(of: moving).map { sample in
            let way = sample.pose - first.pose
            return MotionScript.Key(
                time: Self.rounded(sample.time - first.time), pan: Self.rounded(way.pan.inDegrees),
                tilt: Self.rounded(way.tilt.inDegrees))
        }
        let script = MotionScript(name: name, keys: keys, path: .flowing)
        if let problem = MotionLibrary.problem(of: script) {
            return .failure(DockError(.invalidParameter, "not a valid motion: \(problem)", hint: "teach it again"))
        }
        return .success(script)
    }

    /// Returns the samples without the stillness before and after the motion; empty if the head did not move.
    private static func withoutStillness(_ samples: [KeyReduction.Sample]) -> [KeyReduction.Sample] {
        guard let first = samples.first, let last = samples.last,
            samples.contains(where: { ($0.pose - first.pose).magnitude > least }),
            let begin = samples.first(where: { ($0.pose - first.pose).magnitude > stillness })?.time,
            let end = samples.last(where: { ($0.pose - last.pose).magnitude > stillness })?.time
        else { return [] }
        let from = samples.lastIndex { $0.time <= begin - pause } ?? 0
        let to = samples.firstIndex { $0.time >= end + pause } ?? samples.count - 1
        return Array(samples[from...to])
    }

    /// Rounds to the precision of the file.
    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
