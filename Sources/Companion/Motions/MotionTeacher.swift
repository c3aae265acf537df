public import DockControl
public import Geometry

/// Records a motion that a hand makes with the head, torque off, and turns it into a script of few keys.
///
/// A value: poses come as the dock reports them, with their times; nothing is kept but them.
public struct MotionTeacher: Sendable, Equatable {
    /// The motion being recorded; nil: none is.
    public private(set) var name: String?
    /// It lasts as long as a motion may; what comes now is dropped.
    public private(set) var isFull = false
    private var start: Seconds = 0
    private var samples: [KeyReduction.Sample] = []

    /// Less than this is no motion, radians.
    static let least = Double.degrees(1)
    /// A head within this of where it began, or of where it ends, stands still, radians.
    static let stillness = Double.degrees(0.4)
    /// So much of the stillness is kept at both ends, seconds.
    static let pause: Seconds = 0.1
    /// Poses that come faster are dropped, seconds.
    static let fastest: Seconds = 0.005

    /// Records nothing yet.
    public init() {}

    /// Begins to record under a name.
    /// - Throws: `invalidParameter` for the name, `busy` while another motion is recorded.
    public mutating func begin(_ name: String, now: Seconds) throws(DockError) {
        try MotionLibrary.checkTaught(name)
        if let recorded = self.name {
            throw DockError(.busy, "\"\(recorded)\" is being recorded", hint: "finish that first")
        }
        self = MotionTeacher()
        self.name = name
        start = now
    }

    /// Takes a pose (rad) of the dock at a time (s).
    /// - Returns: true once, at the first pose for which there is no room any more: time to tell the person.
    public mutating func take(_ pose: PanTilt, now: Seconds) -> Bool {
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

    /// How long has been recorded, seconds; 0 while nothing is.
    public func elapsed(now: Seconds) -> Seconds {
        name == nil ? 0 : (now - start).clamped(to: 0...MotionLibrary.longest)
    }

    /// Throws the recording away.
    public mutating func cancel() { self = MotionTeacher() }

    /// Ends the recording, whatever came of it.
    /// - Returns: the motion, relative to where it began; `invalidParameter` if nothing was recorded or nothing moved.
    public mutating func finish() -> Result<MotionScript, DockError> {
        defer { cancel() }
        guard let name else {
            return .failure(DockError(.invalidParameter, "nothing is being recorded", hint: "begin with a name"))
        }
        let moving = Self.withoutStillness(samples)
        guard let first = moving.first else {
            return .failure(
                DockError(
                    .invalidParameter, "nothing moved",
                    hint: "turn the head by hand, by more than a degree, while torque is off; is the dock connected?"))
        }
        let keys = KeyReduction().keys(of: moving).map { sample in
            let way = sample.pose - first.pose
            return MotionScript.Key(
                time: Self.rounded(sample.time - first.time), pan: Self.rounded(way.pan.inDegrees),
                tilt: Self.rounded(way.tilt.inDegrees))
        }
        let script = MotionScript(name: name, keys: keys, path: .flowing)
        if let problem = MotionLibrary.problem(of: script) {
            return .failure(DockError(.invalidParameter, "that was no motion: \(problem)", hint: "teach it anew"))
        }
        return .success(script)
    }

    /// What is left without the stillness before and after; empty if nothing moved.
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

    /// As exact as a file keeps it.
    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
