import PictureShare
import Testing

@testable import Camera

@Suite struct PictureCropTests {
    /// A picture whose bytes are a function of the place: plane, row, column, channel.
    private static func picture(
        _ format: PictureFormat, _ width: Int, _ height: Int, _ value: (Int, Int, Int, Int) -> UInt8
    ) -> [UInt8] {
        format.planes(width: width, height: height).enumerated().flatMap { index, plane in
            (0..<plane.height).flatMap { y in
                (0..<plane.width).flatMap { x in (0..<plane.channels).map { value(index, y, x, $0) } }
            }
        }
    }

    private static func magnify(
        _ picture: [UInt8], _ format: PictureFormat, _ width: Int, _ height: Int, by factor: Double
    ) -> [UInt8] {
        var crop = PictureCrop(), result = [UInt8](repeating: 99, count: picture.count)
        picture.withUnsafeBytes { source in
            result.withUnsafeMutableBytes {
                crop.magnify(source, into: $0, format: format, width: width, height: height, by: factor)
            }
        }
        return result
    }

    @Test(arguments: PictureFormat.allCases)
    func `a factor of one changes nothing`(format: PictureFormat) {
        let picture = Self.picture(format, 37, 21) { UInt8(truncatingIfNeeded: $0 * 40 + $1 * 7 + $2 * 3 + $3) }
        #expect(Self.magnify(picture, format, 37, 21, by: 1) == picture)
    }

    /// Along a ramp, interpolation is exact up to rounding: once per direction.
    @Test(arguments: [(640, 480, 2.0), (641, 361, 1.3), (64, 36, 7.9), (2, 2, 3), (1, 1, 2)])
    func `the middle comes, in its right place`(width: Int, height: Int, factor: Double) {
        for format in PictureFormat.allCases {
            let planes = format.planes(width: width, height: height)
            func value(_ plane: PicturePlane, _ x: Double, _ y: Double) -> Double {
                20 + 100 * x / Double(plane.width) + 100 * y / Double(plane.height)
            }
            let picture = Self.picture(format, width, height) { index, y, x, channel in
                UInt8(value(planes[index], Double(x), Double(y)).rounded())
            }
            let result = Self.magnify(picture, format, width, height, by: factor)
            var worst = 0.0
            for plane in planes {
                func source(_ place: Int, _ count: Int) -> Double {
                    let middle = Double(count) / 2
                    return min(max((Double(place) + 0.5 - middle) / factor + middle - 0.5, 0), Double(count - 1))
                }
                for y in 0..<plane.height {
                    for x in 0..<plane.width {
                        let wanted = value(plane, source(x, plane.width), source(y, plane.height))
                        for channel in 0..<plane.channels {
                            let found = result[plane.place + y * plane.rowBytes + x * plane.channels + channel]
                            worst = max(worst, abs(Double(found) - wanted))
                        }
                    }
                }
            }
            #expect(worst < 1.6, "\(format): \(worst)")
        }
    }

    @Test func `channels do not mix`() {
        let picture = Self.picture(.rgb24, 33, 9) { _, _, _, channel in UInt8(channel * 100) }
        #expect(Self.magnify(picture, .rgb24, 33, 9, by: 2.5) == picture)
    }

    @Test func `a picture that is too short is left alone`() {
        let short = [UInt8](repeating: 1, count: 100)
        #expect(Self.magnify(short, .rgb24, 64, 64, by: 2) == [UInt8](repeating: 99, count: 100))
    }
}
