internal import Geometry

/// A client's clock beside the server's. Each message says when it was sent; the quickest of the last ones shows the
/// difference best. The error is the time of its way.
struct ClientClock: Sendable, Equatable {
    private static let most = 120
    /// A message that seems to have been under way for so much longer than the quickest one, in seconds, may mean that the
    /// client's clock was set. So many of them in a row do mean that.
    private static let odd = 1.0, mostOdd = 5
    private var ways: [Double] = []
    private var oddOnes = 0

    /// Records a message: when it was sent on the client's clock, and when it arrived on the server's.
    mutating func heard(sent: Double, arrived: Double) {
        guard sent.isFinite else { return }
        let isOdd = ways.min().map { arrived - sent > $0 + Self.odd } ?? false
        oddOnes = isOdd ? oddOnes + 1 : 0
        if oddOnes >= Self.mostOdd { (ways, oddOnes) = ([], 0) }
        if ways.count == Self.most { ways.removeFirst() }
        ways.append(arrived - sent)
    }

    /// Returns a time of the client on the server's clock.
    func serverTime(_ time: Double) -> Double { time + (ways.min() ?? 0) }
}
