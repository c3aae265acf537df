public import Geometry

/// Says when a picture was taken on CLOCK_MONOTONIC, from the time that came with it.
///
/// A V4L2 device stamps its pictures on CLOCK_MONOTONIC when it begins to hand them over (the kernel's documentation of
/// `v4l2_buffer.timestamp`); whether it does is checked with the first picture. A film has no time but the one at which it is played.
/// From a network only the distances between pictures can be believed: then a picture was taken one latency before the quickest
/// of the last ones arrived, and that is an estimate.
public struct ExposureClock: Sendable {
    /// Which clock the times are on.
    public enum Kind: Sendable, Equatable {
        /// CLOCK_MONOTONIC, if the first picture bears that out.
        case device
        /// Its own, played at its own pace here.
        case film
        /// Its own, and left as it is: nothing is played.
        case recorded
        /// Its own, and the way here takes unequally long.
        case network
    }

    /// A device's time is believed if the picture is not older than this when it arrives, and not newer than it arrives; seconds.
    static let oldest: Seconds = 0.5, newest: Seconds = 0.005

    private let kind: Kind
    private let latency: Seconds
    private var isBelieved: Bool?
    private var offsets = QuickestArrival()
    private var last: Seconds?

    /// `latency` is how long a picture is on its way if nothing else is known, seconds.
    public init(_ kind: Kind, latency: Seconds) {
        self.kind = kind
        self.latency = latency
    }

    /// Whether the times are estimates; nil before the first picture.
    public var isEstimated: Bool? {
        switch kind {
        case .device: isBelieved.map { !$0 }
        case .film, .recorded: false
        case .network: true
        }
    }

    /// When a picture was taken whose own time is `time` and which was there at `arrival`; always later than the last one.
    public mutating func exposure(time: Seconds, arrival: Seconds) -> Seconds {
        if kind == .recorded { return time }
        let found = min(unordered(time: time, arrival: arrival), arrival)
        let result = last.map { max(found, $0 + 1e-6) } ?? found
        last = result
        return result
    }

    private mutating func unordered(time: Seconds, arrival: Seconds) -> Seconds {
        if kind == .device {
            let age = arrival - time
            let isPlausible = age > -Self.newest && age < Self.oldest
            if isBelieved == nil { isBelieved = isPlausible }
            // One that is out of bounds later is that picture's own misfortune.
            if isBelieved == true, isPlausible { return time }
        }
        let offset = offsets.add(arrival - time, at: arrival)
        return kind == .film ? time + offset : time + offset - latency
    }
}

/// The smallest of what was seen within the last ten seconds, in steps of one.
private struct QuickestArrival: Sendable {
    private var slots: [(second: Int, value: Double)] = []

    mutating func add(_ value: Double, at now: Seconds) -> Double {
        let second = Int(now.clamped(to: -1e9...1e9))
        // A clock that has jumped by more than a second is another clock.
        if let best = slots.map(\.value).min(), value - best > 1 || best - value > 1 { slots = [] }
        slots.removeAll { $0.second <= second - 10 || $0.second > second }
        if let index = slots.firstIndex(where: { $0.second == second }) {
            slots[index].value = min(slots[index].value, value)
        } else {
            slots.append((second, value))
        }
        return slots.map(\.value).min() ?? value
    }
}
