internal import Geometry

/// The server's clock beside this machine's, from the quickest of the last answers. The error is at most half its time.
struct ServerClock: Sendable, Equatable {
    private var samples: [(offset: Double, roundTrip: Seconds)] = []
    private static let most = 30

    mutating func learn(offset: Double, roundTrip: Seconds) {
        guard offset.isFinite else { return }
        if samples.count == Self.most { samples.removeFirst() }
        samples.append((offset, roundTrip))
    }

    private var best: (offset: Double, roundTrip: Seconds)? { samples.min { $0.roundTrip < $1.roundTrip } }

    /// How far the server's clock is ahead, in seconds; nil before the first answer.
    var offset: Double? { best?.offset }

    /// The shortest round trip of the last answers.
    var roundTrip: Seconds? { best?.roundTrip }

    static func == (a: ServerClock, b: ServerClock) -> Bool {
        a.samples.map(\.offset) == b.samples.map(\.offset) && a.samples.map(\.roundTrip) == b.samples.map(\.roundTrip)
    }
}
