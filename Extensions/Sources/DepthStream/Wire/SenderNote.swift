internal import ControlProtocol
public import Geometry

/// What a sender says about a depth picture, in a part of the PNG that other readers skip: one JSON object. Each member
/// may be missing; one with an impossible value counts as missing.
public struct SenderNote: Sendable, Equatable {
    /// The number of the picture.
    public var sequence: Int?
    /// When the picture was exposed, in seconds of the sender's clock.
    public var time: Seconds?
    /// Whether that clock is CLOCK_MONOTONIC.
    public var isMonotonic = false
    /// How much later the depth was exposed than the picture, in seconds.
    public var skew: Seconds?
    /// Metres per count of the samples.
    public var unit: Double?
    /// The lens of the depth picture.
    public var lens: Lens?

    /// A lens, in pixels: focal lengths, and where its axis meets the picture.
    public struct Lens: Sendable, Equatable {
        public var fx: Double, fy: Double, cx: Double, cy: Double

        /// Creates a lens.
        public init(fx: Double, fy: Double, cx: Double, cy: Double) {
            (self.fx, self.fy, self.cx, self.cy) = (fx, fy, cx, cy)
        }
    }

    /// Creates a note that says nothing.
    public init() {}

    /// Reads a note of version 1. The result is nil for other bytes.
    public init?(_ bytes: [UInt8]) {
        guard let members = JSONValue(json: bytes)?.object, members["v"]?.integer == 1 else { return nil }
        func number(_ name: String, _ range: ClosedRange<Double>) -> Double? {
            members[name]?.number.flatMap { range.contains($0) ? $0 : nil }
        }
        sequence = members["seq"]?.integer
        time = number("t", 0...1e12)
        isMonotonic = members["clock"]?.string == "monotonic"
        skew = number("skew", -10...10)
        unit = number("unit", DepthUnit.range)
        if let fx = number("fx", 1...1e5), let fy = number("fy", 1...1e5), let cx = number("cx", -1e5...1e5),
            let cy = number("cy", -1e5...1e5)
        {
            lens = Lens(fx: fx, fy: fy, cx: cx, cy: cy)
        }
    }

    /// The note as it is written.
    public var bytes: [UInt8] {
        var members: [String: JSONValue] = ["v": .number(1)]
        if let sequence { members["seq"] = .number(sequence) }
        if let time { members["t"] = .number(time) }
        if isMonotonic { members["clock"] = .string("monotonic") }
        if let skew { members["skew"] = .number(skew) }
        if let unit { members["unit"] = .number(unit) }
        if let lens {
            (members["fx"], members["fy"]) = (.number(lens.fx), .number(lens.fy))
            (members["cx"], members["cy"]) = (.number(lens.cx), .number(lens.cy))
        }
        return JSONValue.object(members).bytes
    }
}
