public import Geometry
internal import Glibc

/// The distance of one person's face over time, as a pure value. It tells a hand in front of the face from the face: the
/// product of distance and width of the box belongs to the person, and a hand makes it smaller.
public struct FaceRange: Sendable, Equatable {
    /// A distance with its uncertainty.
    public struct Estimate: Sendable, Equatable {
        /// Along the axis of the lens, in metres.
        public var metres: Double
        /// The standard deviation, in metres.
        public var deviation: Double
        /// Whether it is an older one, because the face is hidden, or was not measured.
        public var isHeld: Bool
    }

    /// A product below this share of the person's own is another thing in front of the face.
    public static let occluder = 0.8
    /// How long a distance is kept while the face is hidden, in seconds.
    public static let hold: Seconds = 2
    /// After so long without the face, in seconds, its product is learned again.
    public static let forget: Seconds = 5
    /// The time constant of the person's product, in seconds.
    static let learning: Seconds = 2
    /// Real widths of a face as detectors draw it, in metres. A hand that is in front from the beginning has less.
    static let widths = 0.09...0.26
    /// How fast a face may move unseen, in m/s.
    static let speed = 0.5

    private let focal: Double?
    /// The running product of distance in metres and width of the box in widths of the picture.
    private var product: Double?
    private var last: Look?

    private struct Look: Sendable, Equatable {
        var metres: Double, time: Seconds
    }

    /// Creates the distance of a person who has just appeared.
    /// - Parameter focal: the focal length in widths of the picture, or nil if it is not known; then a hand that is in
    ///   front of the face from the beginning is noticed only after it has left.
    public init(focal: Double? = nil) { self.focal = focal.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }

    /// Takes the box of the face and the depth of the same time. `now` is the time of the depth's exposure.
    public mutating func update(_ map: DepthMap, box: Rect, now: Seconds) -> Estimate? {
        update(FaceDistance(in: map, box: box).metres, width: box.width, now: now)
    }

    /// The same with a distance that was measured in the box, or nil if none was. `width` is that of the box.
    public mutating func update(_ metres: Double?, width: Double, now: Seconds) -> Estimate? {
        guard let metres, width > 0 else { return held(now) }
        let new = metres * width
        if let last, now - last.time > Self.forget { product = nil }
        guard isFace(new) else { return held(now) }
        if let product, new < product / Self.occluder {
            let share = last.map { 1 - exp(-max(0, now - $0.time) / Self.learning) } ?? 1
            self.product = product + share * (new - product)
        } else {
            // The first one; or what was taken for the face was in front of it.
            product = new
        }
        last = Look(metres: metres, time: now)
        return Estimate(metres: metres, deviation: Self.deviation(metres), isHeld: false)
    }

    /// Whether the person was last measured more than `forget` ago, so that the distance is learned again.
    public func isForgotten(now: Seconds) -> Bool { last.map { now - $0.time > Self.forget } ?? true }

    private func isFace(_ new: Double) -> Bool {
        if let focal, !Self.widths.contains(new / focal) { return false }
        return product.map { new >= Self.occluder * $0 } ?? true
    }

    private func held(_ now: Seconds) -> Estimate? {
        guard let last, (0...Self.hold).contains(now - last.time) else { return nil }
        let own = Self.deviation(last.metres), unseen = Self.speed * (now - last.time)
        return Estimate(
            metres: last.metres, deviation: (own * own + unseen * unseen).squareRoot(), isHeld: true)
    }

    /// The deviation of a measured distance: the shape of heads, and noise that grows with the distance.
    private static func deviation(_ metres: Double) -> Double { 0.01 + 0.01 * metres }
}
