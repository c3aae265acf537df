import Aerie
import Codecs
import Geometry
import SpatialModel
import Testing

@testable import Uplink

/// Pictures that are sent without the distortion of the lens, measured on rendered ones.
@Suite struct StraightenerTests {
    private static let width = 640, height = 480
    /// The lines of the scene: one each tenth of the plane at distance 1.
    private static let spacing = 0.1

    private static func lens(_ distortion: LensDistortion) -> PictureLens {
        FrameLens(fx: 540, fy: 541, cx: 326, cy: 235, width: width, height: height, distortion: distortion).normalised
    }

    /// A picture of a grid through a lens: upright lines are red, level ones green, and everything is blue.
    private static func render(_ lens: PictureLens) throws -> RGBPicture {
        func line(_ place: Double) -> UInt8 {
            let off = (place - (place / spacing).rounded() * spacing) * 540 / 1.2
            // A bell of about three pixels.
            return UInt8((255 / (1 + off * off) / (1 + off * off)).rounded())
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * width * height)
        for y in 0..<height {
            for x in 0..<width {
                let shown = Point(
                    x: (Double(x) / Double(width) - lens.principal.x) / lens.focal.x,
                    y: (Double(y) / Double(height) - lens.principal.y) / lens.focal.y)
                let plane = lens.distortion.undistort(shown)
                bytes += plane.map { [line($0.x), line($0.y), 255] } ?? [0, 0, 0]
            }
        }
        return try #require(RGBPicture(width: width, height: height, bytes: bytes))
    }

    /// The greatest distance of a line in a picture from where a lens projects it, in pixels.
    private static func worst(_ picture: RGBPicture, _ lens: PictureLens) throws -> (pixels: Double, count: Int) {
        let sizes = (x: Double(picture.width), y: Double(picture.height))
        var worst = 0.0, count = 0
        for number in -12...12 {
            for step in stride(from: 8, to: min(picture.width, picture.height) - 8, by: 16) {
                for isUpright in [true, false] {
                    // A place of the line that appears in this row, or in this column.
                    let across = (Double(step) / sizes.x - lens.principal.x) / lens.focal.x
                    let down = (Double(step) / sizes.y - lens.principal.y) / lens.focal.y
                    let fixed = Double(number) * spacing
                    let place = isUpright ? HeadModel.Place(fixed, -down, -1) : HeadModel.Place(across, -fixed, -1)
                    let point = try #require(lens.project(place, from: .identity)).point
                    let wanted = isUpright ? point.x * sizes.x : point.y * sizes.y
                    let most = isUpright ? sizes.x : sizes.y
                    guard (7...most - 8).contains(wanted) else { continue }
                    let found = middle(picture, isUpright: isUpright, at: step, near: Int(wanted.rounded()))
                    worst = max(worst, found.map { abs($0 - wanted) } ?? .infinity)
                    count += 1
                }
            }
        }
        return (worst, count)
    }

    /// The middle of a line in a row or a column, near a place, in pixels; nil if there is none.
    private static func middle(_ picture: RGBPicture, isUpright: Bool, at step: Int, near place: Int) -> Double? {
        var sum = 0.0, weighted = 0.0
        for offset in -5...5 {
            let (x, y) = isUpright ? (place + offset, step) : (step, place + offset)
            let value = Double(picture.bytes[3 * (y * picture.width + x) + (isUpright ? 0 : 1)])
            sum += value
            weighted += value * Double(place + offset)
        }
        return sum > 100 ? weighted / sum : nil
    }

    @Test(
        "lines are straight, and where the lens that is sent projects them, to 0.3 pixels",
        arguments: [
            LensDistortion(k1: -0.15, k2: 0.02), LensDistortion(k1: -0.3, k2: 0.09, p1: 0.001, p2: -0.0007),
            LensDistortion(k1: 0.12, k2: -0.03),
        ])
    func straight(_ distortion: LensDistortion) throws {
        let lens = Self.lens(distortion), bent = try Self.render(lens)
        // The measurement itself: exact for the lens that has bent the lines, and not for one that bends none.
        var wrong = lens
        wrong.distortion = .none
        let before = try Self.worst(bent, wrong)
        #expect(before.pixels > 3)
        for width in [640, 480] {
            var straightener = LensStraightener()
            let outcome = straightener.straighten(bent.scaled(toWidth: width), lens, now: 0)
            guard case .straight(let picture, let sent) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(picture.width == width && sent.distortion == .none && sent.principal == lens.principal)
            let after = try Self.worst(picture, sent)
            #expect(after.pixels < 0.3 && after.count > 200, "\(width): \(after)")
            // No corner is empty.
            #expect(picture.bytes.enumerated().allSatisfy { $0.offset % 3 != 2 || $0.element == 255 })
            // The message says so.
            let message = FrameLens(sent, width: picture.width, height: picture.height)
            #expect(message.distortionJSON == nil)
        }
    }

    private static func small(_ width: Int = 40) throws -> RGBPicture {
        try #require(RGBPicture(width: width, height: 30, bytes: [UInt8](repeating: 9, count: 90 * width)))
    }

    private static func isStraight(_ outcome: LensStraightener.Outcome) -> Bool {
        if case .straight = outcome { true } else { false }
    }

    @Test func `a picture stays as it is if its distortion is unknown, or too strong`() throws {
        var straightener = LensStraightener()
        let unknown = straightener.straighten(try Self.small(), Self.lens(.none), now: 0)
        #expect(unknown == .unknown)
        let strong = Self.lens(LensDistortion(k1: -60, k2: 0))
        for now in [1.0, 1.01] {
            let outcome = straightener.straighten(try Self.small(), strong, now: now)
            #expect(outcome == .impossible)
        }
    }

    @Test func `a lens that changes by little keeps its table; one that changes by much waits for another`() throws {
        let lens = Self.lens(LensDistortion(k1: -0.1, k2: 0)), picture = try Self.small()
        var straightener = LensStraightener(), other = lens
        let first = straightener.straighten(picture, lens, now: 5)
        other.focal.x += 0.5e-4
        let second = straightener.straighten(picture, other, now: 5.01)
        #expect(Self.isStraight(first) && second == first)
        other.focal.x += 0.01
        let third = straightener.straighten(picture, other, now: 5.2)
        let fourth = straightener.straighten(picture, other, now: 5.3)
        #expect(third == .changing && Self.isStraight(fourth) && fourth != first)
    }

    @Test func `the tables of the last three sizes are kept`() throws {
        let lens = Self.lens(LensDistortion(k1: -0.1, k2: 0)), sizes = [40, 42, 44, 46]
        var straightener = LensStraightener()
        for (index, width) in sizes.enumerated() {
            let outcome = straightener.straighten(try Self.small(width), lens, now: Double(index))
            #expect(Self.isStraight(outcome))
        }
        for width in sizes.dropFirst() {
            let outcome = straightener.straighten(try Self.small(width), lens, now: 3.01)
            #expect(Self.isStraight(outcome))
        }
        let oldest = straightener.straighten(try Self.small(40), lens, now: 3.02)
        #expect(oldest == .changing)
    }
}
