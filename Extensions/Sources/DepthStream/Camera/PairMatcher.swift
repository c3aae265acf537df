public import Geometry

/// Decides which depth belongs to which picture if both come from cameras of their own: those that were exposed nearest to
/// each other, and never those that are farther apart than about half a picture.
///
/// Times are those of the exposures, on one clock; what arrives first does not matter. Each picture and each depth is used
/// once. What waits is bounded, and the oldest goes first.
public struct PairMatcher<Picture: Sendable, Depth: Sendable>: Sendable {
    /// A picture with its depth.
    public struct Pair: Sendable {
        /// Both.
        public let picture: Picture, depth: Depth
        /// When the picture was exposed, and how much later the depth was, in seconds.
        public let exposure: Seconds, skew: Seconds
    }

    /// How far a picture and its depth may be apart, in intervals of the faster camera. Half an interval is what two steady
    /// cameras have at most, and the rest is for their jitter.
    static var apart: Double { 0.6 }

    private var pictures = WaitingPictures<Picture>(), depths = WaitingPictures<Depth>()
    /// The least time between two pairs, in seconds, and the last pair.
    private let pause: Seconds
    private var last: Seconds = -.infinity

    /// Creates a matcher. `rate`: the most pairs in a second, above 0.
    public init(rate: Double) { pause = 0.9 / rate }

    /// Takes a picture. Returns the pairs that are certain now.
    public mutating func add(picture: Picture, at exposure: Seconds) -> [Pair] {
        pictures.add(picture, at: exposure)
        return match()
    }

    /// Takes a depth. Returns the pairs that are certain now.
    public mutating func add(depth: Depth, at exposure: Seconds) -> [Pair] {
        depths.add(depth, at: exposure)
        return match()
    }

    private mutating func match() -> [Pair] {
        var pairs: [Pair] = []
        while let picture = pictures.first, let depth = depths.first {
            let skew = depth.time - picture.time
            // Of the stream that is behind, a later one may be nearer.
            if skew >= 0 {
                if pictures.dropFirst(before: depth.time) { continue }
                guard pictures.isCertain(distance: skew) else { break }
            } else {
                if depths.dropFirst(before: picture.time) { continue }
                guard depths.isCertain(distance: -skew) else { break }
            }
            guard abs(skew) <= Self.apart * min(pictures.interval, depths.interval) else {
                if skew >= 0 { pictures.removeFirst() } else { depths.removeFirst() }
                continue
            }
            pictures.removeFirst()
            depths.removeFirst()
            // A clock that was set back begins again.
            guard picture.time - last >= pause || picture.time < last - 1 else { continue }
            last = picture.time
            pairs.append(Pair(picture: picture.value, depth: depth.value, exposure: picture.time, skew: skew))
        }
        return pairs
    }
}

/// The pictures of one camera that wait for their other half.
private struct WaitingPictures<Value: Sendable>: Sendable {
    private var waiting: [(value: Value, time: Seconds)] = []
    private var last: Seconds?
    /// The usual time between two pictures, in seconds.
    private(set) var interval: Seconds = 1.0 / 30
    private var isMeasured = false

    /// The longest interval that counts, in seconds: more is a pause.
    private static var longest: Seconds { 0.5 }
    /// The most that wait.
    private static var most: Int { 8 }

    var first: (value: Value, time: Seconds)? { waiting.first }

    mutating func add(_ value: Value, at time: Seconds) {
        guard time.isFinite else { return }
        if let last {
            // A picture that comes twice, or too late.
            guard time > last || time < last - 1 else { return }
            if time < last {
                waiting = []
            } else if time - last <= Self.longest {
                interval = isMeasured ? interval + 0.1 * (time - last - interval) : time - last
                isMeasured = true
            }
        }
        last = time
        waiting.append((value, time))
        if waiting.count > Self.most { waiting.removeFirst() }
    }

    mutating func removeFirst() { waiting.removeFirst() }

    /// Removes the first one if the second one is at least as near to a time. Returns whether it was.
    mutating func dropFirst(before time: Seconds) -> Bool {
        guard waiting.count > 1, abs(waiting[1].time - time) <= abs(waiting[0].time - time) else { return false }
        waiting.removeFirst()
        return true
    }

    /// Whether no later one can be nearer than the first one.
    func isCertain(distance: Seconds) -> Bool { waiting.count > 1 || distance <= interval / 2 }
}
