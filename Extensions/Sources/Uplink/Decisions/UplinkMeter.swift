internal import Geometry

/// Counts what was sent and read, for the figures of the last two seconds.
struct UplinkMeter: Sendable, Equatable {
    private static let window: Seconds = 2
    private var sent: [(time: Seconds, bytes: Int)] = []
    private var read: [Seconds] = []

    mutating func sent(_ bytes: Int, now: Seconds) {
        sent.append((now, bytes))
        trim(now)
    }

    mutating func read(now: Seconds) {
        read.append(now)
        trim(now)
    }

    private mutating func trim(_ now: Seconds) {
        sent.removeAll { now - $0.time > Self.window }
        read.removeAll { now - $0 > Self.window }
    }

    /// Pictures a second, and millions of bits a second.
    func figures(now: Seconds) -> (rate: Double, megabits: Double) {
        let bytes = sent.reduce(0) { now - $1.time <= Self.window ? $0 + $1.bytes : $0 }
        let pictures = read.count { now - $0 <= Self.window }
        return (Double(pictures) / Self.window, Double(bytes) * 8 / Self.window / 1e6)
    }

    static func == (a: UplinkMeter, b: UplinkMeter) -> Bool {
        a.read == b.read && a.sent.map(\.time) == b.sent.map(\.time) && a.sent.map(\.bytes) == b.sent.map(\.bytes)
    }
}
