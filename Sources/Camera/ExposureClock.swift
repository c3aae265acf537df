public import Geometry

/// Determines the exposure of a frame on CLOCK_MONOTONIC, from the time that came with it.
///
/// A V4L2 device stamps its frames on CLOCK_MONOTONIC when it starts to deliver them (the kernel's documentation of
/// `v4l2_buffer.timestamp`); the first frame shows whether it really does. For a file, the time is the one at which it
/// is played. From a network, only the intervals between frames are reliable: the exposure is taken as one latency
/// before the fastest recent arrival, and that is an estimate. A program may state CLOCK_MONOTONIC; otherwise the exposure
/// is taken as one latency before the arrival.
public struct ExposureClock: Sendable {
    /// The clock of the times.
    public enum Kind: Sendable, Equatable {
        /// CLOCK_MONOTONIC, if the first frame confirms it.
        case device
        /// The file's own clock, played here at its own speed.
        case film
        /// The file's own clock, unchanged: nothing is played.
        case recorded
        /// The sender's own clock, with a varying transmission time.
        case network
        /// CLOCK_MONOTONIC, for each frame whose time can be that. Any other time means nothing, not even in intervals:
        /// bare H.264 and MJPEG have none, so ffmpeg counts frames at a rate that it assumes.
        case program
    }

    /// A device's time is accepted if it is at most `oldest` before the arrival and at most `newest` after it; seconds.
    static let oldest: Seconds = 0.5, newest: Seconds = 0.005

    /// A program may have waited for its frames, from a phone for instance, for this long; seconds.
    static let oldestOfProgram: Seconds = 5

    private let kind: Kind
    private let latency: Seconds
    private var isBelieved: Bool?
    private var offsets = QuickestArrival()
    private var last: Seconds?

    /// Creates a clock. `latency` is the usual time from exposure to arrival if nothing else is known, in seconds.
    public init(_ kind: Kind, latency: Seconds) {
        self.kind = kind
        self.latency = latency
    }

    /// Whether the times are estimates. It is nil before the first frame.
    public var isEstimated: Bool? {
        switch kind {
        case .device, .program: isBelieved.map { !$0 }
        case .film, .recorded: false
        case .network: true
        }
    }

    /// Returns the exposure of a frame with its own time `time` that arrived at `arrival`; always later than the
    /// previous one.
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
            // A later frame that is out of bounds affects only itself.
            if isBelieved == true, isPlausible { return time }
        }
        if kind == .program {
            let age = arrival - time, isPlausible = age > -Self.newest && age < Self.oldestOfProgram
            isBelieved = isPlausible
            return isPlausible ? time : arrival - latency
        }
        let offset = offsets.add(arrival - time, at: arrival)
        return kind == .film ? time + offset : time + offset - latency
    }
}

/// The smallest value of the last ten seconds, in steps of one second.
private struct QuickestArrival: Sendable {
    private var slots: [(second: Int, value: Double)] = []

    mutating func add(_ value: Double, at now: Seconds) -> Double {
        let second = Int(now.clamped(to: -1e9...1e9))
        // A clock that jumped by more than a second is another clock.
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
