public import Geometry

/// The poses from which a calibration looks: a grid whose pictures overlap.
public struct LensViews: Sendable {
    /// The widest and the narrowest grid, in radians.
    let widest: PanTilt, narrowest: PanTilt
    let columns: Int, rows = 3

    /// The views of a scene, for `dockface calibrate --camera`. A narrower grid does not tell the focal length from the
    /// rest: 10 degrees of tilt leave the middle of the lens off by several pixels.
    public static let lens = LensViews(
        widest: .degrees(pan: 50, tilt: 24), narrowest: .degrees(pan: 20, tilt: 12), columns: 5)
    /// Returns the views of a board, for `dockface calibrate --board`: most of it must stay in the picture. From a metre
    /// away it is 16 degrees wide and 11 high. Farther views would tell more, but 36 and 20 degrees are enough for 2 mm.
    /// - Parameter fieldOfView: that of the camera, in radians.
    public static func board(in fieldOfView: PanTilt) -> LensViews {
        let least = PanTilt.degrees(pan: 12, tilt: 6), room = fieldOfView - .degrees(pan: 20, tilt: 14)
        return LensViews(
            widest: PanTilt(
                pan: room.pan.clamped(to: least.pan...Double.degrees(36)),
                tilt: room.tilt.clamped(to: least.tilt...Double.degrees(20))),
            narrowest: least, columns: 5)
    }

    /// Returns the poses in the order of the way, row by row, or nil if the range of an axis is too narrow.
    /// - Parameters:
    ///   - pan: the range of pan, in radians.
    ///   - tilt: the range of tilt, in radians.
    ///   - pose: where the head looks now: the middle of the grid, as far as the ranges permit.
    public func plan(
        pan: ClosedRange<Double>, tilt: ClosedRange<Double>, around pose: PanTilt
    ) -> [PanTilt]? {
        guard let across = steps(columns, pan, pose.pan, widest.pan, narrowest.pan),
            let down = steps(rows, tilt, pose.tilt, widest.tilt, narrowest.tilt)
        else { return nil }
        return down.enumerated().flatMap { row, tilt in
            (row % 2 == 0 ? across : across.reversed()).map { PanTilt(pan: $0, tilt: tilt) }
        }
    }

    private func steps(
        _ count: Int, _ range: ClosedRange<Double>, _ middle: Double, _ widest: Double, _ narrowest: Double
    ) -> [Double]? {
        let room = range.upperBound - range.lowerBound, width = min(widest, room)
        guard width >= narrowest else { return nil }
        let first = (middle - width / 2).clamped(to: range.lowerBound...max(range.lowerBound, range.upperBound - width))
        return (0..<count).map { min(range.upperBound, first + width * Double($0) / Double(count - 1)) }
    }
}
