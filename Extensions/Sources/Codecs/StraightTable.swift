public import Geometry

/// Takes the distortion of a lens out of pictures of one size: lines that are straight in the room become straight.
///
/// Where each pixel comes from is computed once, 8 bytes for each. A picture then costs a mean of four pixels for each
/// of its own. The straight picture has the principal point of the other one. It shows as much as it can without empty
/// corners, so its focal length is another one. Pixels have whole coordinates in their middle, as in OpenCV.
public struct StraightTable: Sendable {
    /// The size of the pictures, in pixels.
    public let width: Int, height: Int
    /// The focal lengths of the straight pictures, in picture widths and heights.
    public let focal: Point

    /// Where a pixel comes from: the first byte of the upper left one of four, and how far it is from that one, in
    /// 256ths of a pixel.
    private struct Source {
        var place: Int32
        var across: UInt16, down: UInt16
    }

    private let sources: [Source]

    /// The greatest coefficient of a distortion, so that no sum is infinite.
    private static let mostBent = 100.0
    /// How much shorter or longer the focal length of a straight picture may be.
    static let scales = 0.4...2.5

    /// Computes the table.
    /// - Parameters:
    ///   - focal: the focal lengths of the bent pictures, in picture widths and heights.
    ///   - principal: where the lens looks straight ahead, normalised.
    /// - Returns: nil if the pictures are smaller than 2 x 2 pixels, or the lens bends them more than can be undone.
    public init?(width: Int, height: Int, focal: Point, principal: Point, distortion: LensDistortion) {
        let sides = 2...PlanarPicture.largest
        guard sides.contains(width), sides.contains(height), focal.x > 0, focal.y > 0 else { return nil }
        let numbers = [distortion.k1, distortion.k2, distortion.k3, distortion.p1, distortion.p2]
        guard numbers.allSatisfy({ abs($0) <= Self.mostBent }) else { return nil }
        let lens = BentLens(
            focal: Point(x: focal.x * Double(width), y: focal.y * Double(height)),
            principal: Point(x: principal.x * Double(width), y: principal.y * Double(height)),
            last: Point(x: Double(width - 1), y: Double(height - 1)), distortion: distortion)
        guard let scale = lens.scale(within: Self.scales) else { return nil }
        (self.width, self.height) = (width, height)
        self.focal = Point(x: focal.x * scale, y: focal.y * scale)
        var sources: [Source] = []
        sources.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width {
                let from = lens.source(of: Point(x: Double(x), y: Double(y)), scale: scale)
                sources.append(Self.source(from, width: width, height: height))
            }
        }
        self.sources = sources
    }

    /// The rounding of a number can leave a place a little outside the picture.
    private static func source(_ from: Point, width: Int, height: Int) -> Source {
        let x = from.x.clamped(to: 0...Double(width - 1)), y = from.y.clamped(to: 0...Double(height - 1))
        let left = min(Int(x), width - 2), top = min(Int(y), height - 2)
        return Source(
            place: Int32(3 * (top * width + left)), across: UInt16(((x - Double(left)) * 256).rounded()),
            down: UInt16(((y - Double(top)) * 256).rounded()))
    }

    /// Returns the picture without the distortion, or nil if it has another size.
    public func straighten(_ picture: RGBPicture) -> RGBPicture? {
        guard picture.width == width, picture.height == height else { return nil }
        let row = 3 * width, size = picture.bytes.count
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
            picture.bytes.withUnsafeBytes { pixels in
                for source in sources {
                    let place = Int(source.place), across = UInt64(source.across), down = UInt64(source.down)
                    let upper = Lanes.mean(Lanes(pixels, place), Lanes(pixels, place + 3), across)
                    let lower = Lanes.mean(Lanes(pixels, place + row), Lanes(pixels, place + row + 3), across)
                    let mean = Lanes.mean(upper, lower, down).bits
                    room[count] = UInt8(truncatingIfNeeded: mean)
                    room[count + 1] = UInt8(truncatingIfNeeded: mean >> 16)
                    room[count + 2] = UInt8(truncatingIfNeeded: mean >> 32)
                    count += 3
                }
            }
        }
        return RGBPicture(width: width, height: height, bytes: bytes)
    }
}

/// The three colours of a pixel, 16 bits each, so that one multiplication serves all of them.
private struct Lanes {
    let bits: UInt64

    private init(bits: UInt64) { self.bits = bits }

    /// Reads a pixel at a place in bytes.
    @inline(__always) init(_ pixels: UnsafeRawBufferPointer, _ place: Int) {
        bits = UInt64(pixels[place]) | UInt64(pixels[place + 1]) << 16 | UInt64(pixels[place + 2]) << 32
    }

    /// Returns a mean, rounded. `share`: how much of the second one, in 256ths. No lane can exceed 255 * 256 + 128.
    @inline(__always) static func mean(_ a: Lanes, _ b: Lanes, _ share: UInt64) -> Lanes {
        let sum = a.bits &* (256 - share) &+ b.bits &* share &+ 0x0080_0080_0080
        return Lanes(bits: sum >> 8 & 0x00FF_00FF_00FF)
    }
}

/// A lens that bends lines, in pixels of its picture.
private struct BentLens {
    let focal: Point, principal: Point
    /// The last pixel.
    let last: Point
    let distortion: LensDistortion

    /// Returns which point of the bent picture a point of the straight one shows.
    /// - Parameter scale: how much longer the focal length of the straight one is.
    func source(of point: Point, scale: Double) -> Point {
        let plane = plane(point, scale), shown = distortion.distort(plane)
        return Point(x: principal.x + focal.x * shown.x, y: principal.y + focal.y * shown.y)
    }

    private func plane(_ point: Point, _ scale: Double) -> Point {
        Point(x: (point.x - principal.x) / (focal.x * scale), y: (point.y - principal.y) / (focal.y * scale))
    }

    /// Returns the least scale of the focal length for which all of the straight picture comes from the bent one.
    func scale(within range: ClosedRange<Double>) -> Double? {
        guard fits(range.upperBound) else { return nil }
        guard !fits(range.lowerBound) else { return range.lowerBound }
        var (tooSmall, enough) = (range.lowerBound, range.upperBound)
        for _ in 0..<24 {
            let middle = (tooSmall + enough) / 2
            if fits(middle) { enough = middle } else { tooSmall = middle }
        }
        return enough
    }

    /// The edge decides: what is inside it comes from inside its image.
    private func fits(_ scale: Double) -> Bool {
        let steps = 32
        return (0...steps).allSatisfy { step in
            let share = Double(step) / Double(steps), x = last.x * share, y = last.y * share
            return [Point(x: x, y: 0), Point(x: x, y: last.y), Point(x: 0, y: y), Point(x: last.x, y: y)].allSatisfy {
                isInside($0, scale)
            }
        }
    }

    private func isInside(_ point: Point, _ scale: Double) -> Bool {
        let plane = plane(point, scale), from = source(of: point, scale: scale)
        return plane.x * plane.x + plane.y * plane.y <= distortion.reach * distortion.reach
            && (0...last.x).contains(from.x) && (0...last.y).contains(from.y)
    }
}
