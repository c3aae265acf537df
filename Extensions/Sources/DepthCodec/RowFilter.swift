/// The five ways in which a row of a PNG is stored as differences. Samples have two bytes here, so the byte to the left
/// is two places before.
enum RowFilter: UInt8, CaseIterable {
    case none, sub, up, average, paeth

    /// The bytes of a pixel.
    private static let pixel = 2

    /// Replaces the differences of a row by its bytes. `above` is the row above, or zeros; both have `count` bytes, an
    /// even number.
    func undo(_ row: UnsafeMutablePointer<UInt8>, above: UnsafePointer<UInt8>, count: Int) {
        switch self {
        case .none: break
        case .sub: for at in Self.pixel..<count { row[at] &+= row[at - Self.pixel] }
        case .up: for at in 0..<count { row[at] &+= above[at] }
        case .average:
            for at in 0..<Self.pixel { row[at] &+= above[at] >> 1 }
            for at in Self.pixel..<count {
                row[at] &+= UInt8(truncatingIfNeeded: (UInt16(row[at - Self.pixel]) + UInt16(above[at])) >> 1)
            }
        case .paeth:
            for at in 0..<Self.pixel { row[at] &+= above[at] }
            for at in Self.pixel..<count {
                row[at] &+= Self.nearest(row[at - Self.pixel], above[at], above[at - Self.pixel])
            }
        }
    }

    /// The one of three neighbours that is nearest to left + above - corner; of two, the first.
    private static func nearest(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
        let (a, b, c) = (Int16(left), Int16(above), Int16(corner))
        let toLeft = abs(b - c), toAbove = abs(a - c), toCorner = abs(a + b - 2 * c)
        if toLeft <= toAbove, toLeft <= toCorner { return left }
        return toAbove <= toCorner ? above : corner
    }
}
