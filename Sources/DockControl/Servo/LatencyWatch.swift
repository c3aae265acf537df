internal import Glibc
public import Geometry

/// Measures during tracking how much later frames were taken than their times say, and corrects for it.
///
/// The pose at the exposure converts a rectangle to a position in the room. If the exposure is wrong by 40 ms, a head
/// that turns at 60 deg/s sees the face 2.4 degrees off and chases it, so that the loop oscillates. Several lags are
/// therefore tried at once on the same frames. Each has a filter of the face's path in the room (`RoomPath`). The lag
/// with the smoothest path while the head speeds up and slows down is the right one. A person who walks at a constant
/// speed supports no lag.
public struct LatencyWatch: Sendable, Equatable {
    /// A measured lag.
    public struct Finding: Sendable, Equatable {
        /// How much later the frames were taken than their times say, in seconds; negative if earlier.
        public var lag: Seconds
        /// The standard deviation of the lag, in seconds.
        public var deviation: Seconds

        /// Creates a finding from a lag and its standard deviation.
        public init(lag: Seconds, deviation: Seconds) {
            self.lag = lag
            self.deviation = deviation
        }
    }

    private struct Look: Sendable, Equatable {
        var point: Point
        var time: Seconds
        var noise: Double
        var isNew: Bool
        var stands: Bool
    }

    /// The current finding, or nil if the head has not turned enough.
    public private(set) var finding: Finding?
    /// The value that is added to the times of frames, in seconds. It follows the finding if that is certain.
    public private(set) var correction: Seconds = 0

    private var pan: [RoomPath] = []
    private var tilt: [RoomPath] = []
    /// How badly each lag has fitted so far.
    private var misfits = [Double](repeating: 0, count: LatencyWatch.count)
    /// The pose of the head at each lag, and at one more on either side.
    private var course = [PanTilt](repeating: .zero, count: LatencyWatch.count + 2)
    /// The number of looks in `misfits`.
    private var looks = 0.0
    private var isFollowing = false
    /// The recent speed of the head, in rad/s.
    private var lately = 0.0
    /// The looks for which not all poses are known yet, oldest first.
    private var pending: [Look] = []
    private var subject: Int?
    private var last: (time: Seconds, pose: PanTilt)?

    /// The lags that are tried: their number and spacing, in seconds.
    static let count = 9, spacing: Seconds = 0.02
    /// The largest lag that is corrected, in seconds. If the lag is larger, something else is wrong, and the log says
    /// so.
    public static let most: Seconds = 0.07
    /// The upper bound of the looks that wait for later poses.
    static let capacity = 16
    /// The gap after which the path starts again, in seconds.
    static let longestGap: Seconds = 0.4
    /// The speed (rad/s) above which the finding fades, because cameras change, and the time constant for that
    /// (seconds).
    static let turning = Double.degrees(5), fadeTime: Seconds = 60
    /// The upper bound of the evidence of one look against a lag, because a false face is one look.
    static let mostMisfit = 3.0
    /// The largest standard deviation at which a finding counts, in seconds.
    static let sure: Seconds = 0.007
    /// The same for a finding from a nod, if the lag is at least twice its deviation.
    static let likely: Seconds = 0.016
    /// The correction starts to follow at this distance (seconds), ends at this distance (seconds), and changes at this
    /// pace (seconds per second). A head that nods does not follow a face, so nothing can swing.
    static let patience: Seconds = 0.015, near: Seconds = 0.003, pace = (usual: 0.1, nod: 1.0)
    /// The speed (rad/s) that the head must have reached within this time (seconds) to reveal anything. If it moves
    /// slowly back and forth, play between motor and head looks like a lag.
    static let fast = Double.degrees(20), lull: Seconds = 0.3
    /// The chance difference between lags after one look; after n looks it grows by the square root of n.
    static let chance = 0.03
    /// The average misfit of a look under the correct lag, for both axes together.
    static let fair = 1.0

    /// Creates a watch without evidence.
    public init() { pending.reserveCapacity(Self.capacity) }

    /// Discards everything, because of another camera or another detector.
    public mutating func reset() { self = LatencyWatch() }

    /// Begins another path, because the clock stood still while the machine slept.
    mutating func timeJumped() { subject = nil }

    /// Records that the followed subject was seen completely at a point of the image. `time` is the frame's own,
    /// without `correction`.
    ///
    /// `stands`: the head nods to a person who stands. Their face hardly moves by itself.
    public mutating func saw(_ point: Point, of new: Int, width: Double, at time: Seconds, stands: Bool = false) {
        let isNew = new != subject || pending.isEmpty && last.map { time - $0.time > Self.longestGap } ?? true
        subject = new
        if pending.count == Self.capacity { pending.removeFirst() }
        let noise = max(.degrees(0.4), 0.04 * width)
        pending.append(Look(point: point, time: time, noise: noise, isNew: isNew, stands: stands))
    }

    /// Evaluates the looks for which all poses are known by now.
    public mutating func settle(_ poses: borrowing PoseHistory, camera: CameraModel) {
        guard let known = poses.latest?.time else { return }
        let reach = Double(Self.count / 2 + 1) * Self.spacing
        while let look = pending.first, look.time + reach <= known {
            pending.removeFirst()
            judge(look, poses, camera)
        }
    }

    private static func lag(_ index: Int) -> Seconds { Double(index - count / 2) * spacing }

    private mutating func judge(_ look: Look, _ poses: borrowing PoseHistory, _ camera: CameraModel) {
        guard let now = poses.pose(at: look.time) else { return }
        let elapsed = last.map { look.time - $0.time } ?? 0
        guard elapsed >= 0 else { return }
        let rate = last.map { (now - $0.pose) * (1 / max(elapsed, 0.001)) } ?? .zero
        let isNew = look.isNew || pan.isEmpty || elapsed > Self.longestGap
        last = (look.time, now)
        let noise = look.noise * look.noise
        if isNew {
            pan.removeAll(keepingCapacity: true)
            tilt.removeAll(keepingCapacity: true)
        }
        lately = max(rate.magnitude, lately * exp(-elapsed / Self.lull))
        let tells = lately > Self.fast
        let fade = rate.magnitude > Self.turning ? exp(-elapsed / Self.fadeTime) : 1
        for index in course.indices {
            course[index] = poses.pose(at: look.time + Self.lag(index - 1)) ?? now
        }
        for index in 0..<Self.count {
            // The mean of three is used, because each lag has its own reports and their noise must not favour one of
            // them.
            let pose = (course[index] + course[index + 1] + course[index + 2]) * (1 / 3)
            let place = camera.world(of: look.point, from: pose)
            guard !isNew else {
                pan.append(RoomPath(place.pan, noise: noise))
                tilt.append(RoomPath(place.tilt, noise: noise))
                continue
            }
            let misfit = min(
                Self.mostMisfit,
                pan[index].look(place.pan, after: elapsed, noise: noise, stands: look.stands)
                    + tilt[index].look(place.tilt, after: elapsed, noise: noise, stands: look.stands))
            if tells { misfits[index] = misfits[index] * fade + misfit }
        }
        guard !isNew, tells else { return }
        looks = looks * fade + 1
        conclude(after: elapsed, nods: look.stands)
    }

    /// Fits a parabola through the best lag and two on either side: its minimum is the lag, its width the deviation.
    private mutating func conclude(after elapsed: Seconds, nods: Bool) {
        var best = 2
        for index in 2..<Self.count - 2 where misfits[index] < misfits[best] { best = index }
        let (a, b, c, d, e) = (
            misfits[best - 2], misfits[best - 1], misfits[best], misfits[best + 1], misfits[best + 2]
        )
        let slope = (2 * (e - a) + d - b) / 10, bend = (2 * (a + e - c) - b - d) / 14
        guard bend > 0 else { return }
        // A rig with play or noisy reports fits worse than it should, so its result counts for less.
        let curve = (2 * bend - Self.chance * looks.squareRoot()) / max(1, c / (Self.fair * looks))
        guard curve > 0.1 else { return }
        let off = (-slope / (2 * bend)).clamped(to: -2...2)
        let found = Finding(
            lag: Self.lag(best) + Self.spacing * off, deviation: Self.spacing / curve.squareRoot())
        finding = found
        // A nod is over before it can be certain, but a large lag that is likely is corrected before the head hurries.
        let isLikely = nods && found.deviation < Self.likely && abs(found.lag) > 2 * found.deviation
        guard found.deviation < Self.sure || isLikely, abs(off) < 1.5 else { return }
        let wanted = found.lag.clamped(to: -Self.most...Self.most), rest = wanted - correction
        isFollowing = abs(rest) > (isFollowing ? Self.near : Self.patience)
        let step = (nods ? Self.pace.nod : Self.pace.usual) * elapsed
        if isFollowing { correction += rest.clamped(to: -step...step) }
    }

    /// Returns whether both have the same state.
    public static func == (a: Self, b: Self) -> Bool {
        a.finding == b.finding && a.correction == b.correction && a.misfits == b.misfits
    }
}
