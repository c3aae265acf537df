import Geometry

/// The distance that the stationary world moved in the frame since the previous one, because the camera turned.
public struct PictureShift: Sendable, Equatable {
    /// The shift to the right, in frame widths.
    public var dx: Double
    /// The shift downward, in frame heights.
    public var dy: Double
    /// The uncertainty of the shift, as a fraction of it.
    public var uncertainty: Double

    /// The shift of a camera that did not move.
    public static let zero = PictureShift(dx: 0, dy: 0)

    /// Creates a shift in frame widths and heights, with an uncertainty of a tenth.
    public init(dx: Double, dy: Double, uncertainty: Double = 0.1) {
        self.dx = dx
        self.dy = dy
        self.uncertainty = uncertainty
    }

    /// Whether the shift is plausible and not the result of a bad division.
    var isUsable: Bool { abs(dx) < 10 && abs(dy) < 10 && abs(uncertainty) < 10 }
}
