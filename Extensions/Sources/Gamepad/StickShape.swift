/// What a stick's position means for a speed: nothing near the middle, little at first, everything at the end.
public struct StickShape: Sendable, Equatable {
    /// The share of the way within which the stick counts as at rest.
    public let deadZone: Double
    /// How much of the curve is cubic, 0...1: 0 is a straight line.
    public let expo: Double

    /// The least and the greatest dead zone.
    public static let zones = 0.08...0.5

    /// Creates a shape. Values out of range are limited; what is not a number counts as the least.
    public init(deadZone: Double, expo: Double = 0.6) {
        self.deadZone = deadZone.isFinite ? Self.zones.limiting(deadZone) : Self.zones.lowerBound
        self.expo = expo.isFinite ? (0...1).limiting(expo) : 0
    }

    /// Returns the speed for a position, as a share of the greatest, at most 1 long. The direction is kept. Many sticks
    /// reach further than 1 in the corners.
    public func speed(_ position: SIMD2<Double>) -> SIMD2<Double> {
        let length = (position.x * position.x + position.y * position.y).squareRoot()
        guard length.isFinite, length > deadZone else { return .zero }
        let way = (min(1, length) - deadZone) / (1 - deadZone)
        return position / length * ((1 - expo) * way + expo * way * way * way)
    }

    /// Whether the stick is at rest.
    public func isCentred(_ position: SIMD2<Double>) -> Bool { speed(position) == .zero }
}

extension ClosedRange<Double> {
    fileprivate func limiting(_ value: Double) -> Double { Swift.min(upperBound, Swift.max(lowerBound, value)) }
}
