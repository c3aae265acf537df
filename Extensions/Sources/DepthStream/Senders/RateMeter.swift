public import Geometry

/// How many pictures arrive in a second, over the last two seconds.
public struct RateMeter: Sendable, Equatable {
    /// The time over which pictures are counted, in seconds, and the most that are remembered.
    static let window: Seconds = 2, most = 256

    private var times: [Seconds] = []

    /// Creates a meter that has seen none.
    public init() {}

    /// Records a picture.
    public mutating func record(_ time: Seconds) {
        times.append(time)
        times.removeAll { time - $0 > Self.window }
        if times.count > Self.most { times.removeFirst(times.count - Self.most) }
    }

    /// Pictures a second; 0 if there were fewer than two.
    public func rate(at now: Seconds) -> Double {
        let recent = times.filter { now - $0 <= Self.window }
        guard let first = recent.first, let last = recent.last, recent.count > 1, last > first else { return 0 }
        return Double(recent.count - 1) / (last - first)
    }
}
