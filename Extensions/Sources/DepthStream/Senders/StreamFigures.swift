public import Geometry

/// What the newest picture of the steering sender was like.
public struct PictureFacts: Sendable, Equatable {
    /// When it was exposed, and when its last byte arrived, CLOCK_MONOTONIC.
    public var exposure: Seconds, arrival: Seconds
    /// The size of the picture in pixels.
    public var width: Int, height: Int
    /// The unit of its depth, and why; nil without depth.
    public var unit: UnitDecision?
    /// The order of the bytes of its depth.
    public var order = SampleOrder.big
    /// Whether the unit is doubtful.
    public var isDoubtful = false
    /// How much later the depth was exposed than the picture, in seconds, if the sender says it.
    public var skew: Seconds?
    /// Whether the exposure is estimated from the arrival, because the sender's clock is not ours.
    public var isEstimated = true
    /// The lens of the depth picture, if the sender says it.
    public var lens: SenderNote.Lens?

    /// Creates facts.
    public init(exposure: Seconds, arrival: Seconds, width: Int, height: Int) {
        (self.exposure, self.arrival, self.width, self.height) = (exposure, arrival, width, height)
    }

    /// Whether picture and depth belong together, for a sender of this many pictures a second: they are at most half a
    /// picture apart. Without a word of the sender they count as together.
    public func isTogether(rate: Double) -> Bool {
        guard let skew, rate > 0 else { return true }
        return abs(skew) <= 0.5 / rate
    }
}

/// What people see of the stream.
public struct StreamWords: Sendable, Equatable {
    /// Whether pictures arrive.
    public let isLive: Bool
    /// What arrives and from where, without figures that change with each picture.
    public let subject: String
    /// The same with the figures, in one line of at most 80 bytes where numbers are usual.
    public let text: String
    /// Why no pictures arrive; nil if they do.
    public let waitReason: String?

    /// Describes the stream.
    /// - Parameter place: where the program listens.
    public init(_ board: SenderBoard, _ facts: PictureFacts?, listening place: String, now: Seconds) {
        guard let sender = board.steeringSender, now - sender.heard <= SenderBoard.silence, let facts else {
            let count = board.all.count
            text = count == 0 ? "waiting for a sender at \(place)" : "\(count) connected, but no pictures arrive"
            (isLive, subject, waitReason) = (false, text, count == 0 ? "no sender at \(place)" : text)
            return
        }
        let rate = sender.rate(at: now)
        let depth = facts.unit.map { "unit \($0.unit.text)" + (facts.isDoubtful ? "?" : "") } ?? "no depth"
        let what = "from \(sender.address), \(facts.width)x\(facts.height), \(depth)"
        var parts = ["\(Self.tenth(rate))/s \(what)", "\(Int(((now - facts.exposure) * 1000).rounded())) ms old"]
        parts.append("\(sender.dropped) dropped")
        if sender.flawed > 0 { parts.append("\(sender.flawed) flawed") }
        if !facts.isTogether(rate: rate) { parts.append("depth apart") }
        (isLive, subject, text, waitReason) = (true, "pictures arrive \(what)", parts.joined(separator: ", "), nil)
    }

    private static func tenth(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
