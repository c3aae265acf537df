import Codecs

/// Pictures with known samples.
enum Samples {
    /// The dark and the bright samples of `checkered`. Every mean of two neighbours lies between them.
    static let dark: UInt8 = 16, bright: UInt8 = 240

    /// A picture whose neighbouring samples are dark and bright in turn, in every plane.
    static func checkered(_ width: Int, _ height: Int) -> PlanarPicture? {
        make(width, height) { _, x, y in (x + y).isMultiple(of: 2) ? dark : bright }
    }

    /// A picture with one function of plane, column and row.
    static func make(
        _ width: Int, _ height: Int, _ sample: (PlanarPicture.Plane, Int, Int) -> UInt8
    ) -> PlanarPicture? {
        let half = ((width + 1) / 2, (height + 1) / 2)
        var bytes: [UInt8] = []
        for plane in PlanarPicture.Plane.allCases {
            let size = plane == .luma ? (width, height) : half
            for y in 0..<size.1 { for x in 0..<size.0 { bytes.append(sample(plane, x, y)) } }
        }
        return PlanarPicture(width: width, height: height, bytes: bytes)
    }
}
