import Geometry
import Glibc
import SpatialModel

@testable import ThingFinder

/// A room that chance has made: things all round, some of them behind the limits of the head, and a detector that sees
/// and names each of them from some poses only. From one pose it always says the same, as real detectors nearly do.
struct GeneratedRoom: SeenRoom {
    /// Something that the detector reports.
    struct Body: Sendable {
        var truth: RoomRecording.Truth
        var height: Double
        /// How often the detector sees it at all, and how often it then gives the right label, 0...1.
        var seen: Double, named: Double
        /// What it says otherwise.
        var otherwise: [String]

        /// Whether a direction points at it.
        func covers(_ bearing: PanTilt) -> Bool {
            let way = bearing - truth.bearing, aside = way.pan.remainder(dividingBy: 2 * .pi) * cos(truth.bearing.tilt)
            return abs(aside) < truth.width / 2 && abs(way.tilt) < height / 2
        }
    }

    /// What may be wished for, and what else there is.
    static let labels = ["cup", "cat", "dog", "bottle", "book", "chair", "clock", "orange"]
    private static let clutter = ["person", "kite", "tv", "potted plant", "bench", "bird"]
    /// The size of the part of the room in which the head must be for the detector to say the same, in radians.
    private static let cell = Double.degrees(6)

    let bodies: [Body]
    let range: PoseRange
    let eye: FinderEye
    let pace: HeadPace
    /// Where the head is at first.
    let start: PanTilt
    private let seed: Int
    /// How many of the bodies may be wished for; the first ones.
    private let wanted: Int

    var things: [RoomRecording.Truth] { bodies.prefix(wanted).map(\.truth) }

    init(_ seed: Int) {
        var dice = ChaosTests.Dice(seed &* 31 &+ 17)
        func degrees(_ range: ClosedRange<Double>) -> Double { .degrees(.random(in: range, using: &dice)) }
        self.seed = seed
        let side = degrees(60...175)
        range = PoseRange(pan: -side...side, tilt: -degrees(15...40)...degrees(25...70))
        let aspect: Double = [4.0 / 3, 16.0 / 9].randomElement(using: &dice) ?? 1
        eye = FinderEye(PictureLens(horizontalFieldOfView: degrees(50...80), aspect: aspect))
        let speed = degrees(40...150)
        pace = HeadPace(speed: speed, acceleration: 5 * speed)
        start = PanTilt(
            pan: .random(in: range.pan, using: &dice), tilt: .random(in: range.tilt, using: &dice))
        var bodies: [Body] = []
        let count = (things: Int.random(in: 3...8, using: &dice), clutter: Int.random(in: 1...8, using: &dice))
        for number in 0..<(count.things + count.clutter) {
            let isWanted = number < count.things || bodies.isEmpty
            let label = (isWanted ? Self.labels : Self.clutter).randomElement(using: &dice) ?? ""
            let otherwise = (Self.labels + Self.clutter).shuffled(using: &dice).prefix(2)
            let body = Self.body(label, number, Array(otherwise), range, eye, &dice)
            // Things that hide each other are another matter.
            let isFree = bodies.allSatisfy { other in
                let sizes = max(other.truth.width, other.height) + max(body.truth.width, body.height)
                return other.truth.bearing.angle(to: body.truth.bearing) > 0.65 * sizes + .degrees(2)
            }
            if isFree { bodies.append(body) }
        }
        self.bodies = bodies
        wanted = bodies.count { Self.labels.contains($0.truth.label) }
    }

    private static func body(
        _ label: String, _ number: Int, _ otherwise: [String], _ range: PoseRange, _ eye: FinderEye,
        _ dice: inout ChaosTests.Dice
    ) -> Body {
        func within(_ range: ClosedRange<Double>, beyond: Double) -> Double {
            .random(in: (range.lowerBound - beyond)...(range.upperBound + beyond), using: &dice)
        }
        let most = 0.6 * min(eye.field.pan, eye.field.tilt)
        let width = Double.random(in: .degrees(6)...most, using: &dice)
        let height = min(most, width * .random(in: 0.6...1.5, using: &dice))
        let bearing = PanTilt(
            pan: within(range.pan, beyond: .degrees(15)), tilt: within(range.tilt, beyond: .degrees(10)))
        return Body(
            truth: RoomRecording.Truth(name: "\(label) \(number)", label: label, bearing: bearing, width: width),
            height: height, seen: .random(in: 0.6...1, using: &dice), named: .random(in: 0.3...1, using: &dice),
            otherwise: otherwise)
    }

    func boxes(at pose: PanTilt, rate: Double) -> [SeenBox] {
        // A picture of a head that turns is blurred.
        guard rate < .degrees(20) else { return [] }
        let place = (x: Int((pose.pan / Self.cell).rounded()), y: Int((pose.tilt / Self.cell).rounded()))
        func chance(_ number: Int, _ kind: Int) -> Double { Self.chance([seed, place.x, place.y, number, kind]) }
        var boxes: [SeenBox] = []
        for (number, body) in bodies.enumerated() {
            guard
                var rect = eye.rect(of: body.truth.bearing, width: body.truth.width, height: body.height, at: pose)
            else { continue }
            rect = rect.offset(
                dx: (chance(number, 0) - 0.5) * 0.06 * rect.width, dy: (chance(number, 1) - 0.5) * 0.06 * rect.height)
            guard let visible = rect.intersection(.full), visible.area > 0.3 * rect.area else { continue }
            let isWhole = visible.area > 0.95 * rect.area
            guard chance(number, 2) < (isWhole ? body.seen : body.seen / 2) else { continue }
            let isNamed = chance(number, 3) < body.named, which = Int(chance(number, 4) * 2)
            let label = isNamed ? body.truth.label : body.otherwise[which]
            let score = (isNamed ? 0.5 : 0.3) + 0.5 * chance(number, 5)
            boxes.append(SeenBox(label: label, rect: visible, score: score))
        }
        // Now and then there is nothing where it sees something.
        if chance(-1, 0) < 0.15 {
            let label = Self.labels[Int(chance(-1, 1) * Double(Self.labels.count))]
            let rect = Rect(x: 0.8 * chance(-1, 2), y: 0.8 * chance(-1, 3), width: 0.15, height: 0.15)
            boxes.append(SeenBox(label: label, rect: rect, score: 0.3 + 0.3 * chance(-1, 4)))
        }
        return boxes
    }

    /// Returns a number of 0..<1 that depends on nothing but these.
    private static func chance(_ parts: [Int]) -> Double {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for part in parts {
            state = (state ^ UInt64(bitPattern: Int64(part))) &* 0xBF58_476D_1CE4_E5B9
            state ^= state >> 29
            state = state &* 0x94D0_49BB_1331_11EB
            state ^= state >> 32
        }
        return Double(state >> 11) / Double(1 << 53)
    }

    /// Whether the detector names a thing from at least one of the places where a search without distractions looks
    /// within this time, in seconds.
    func canBeFound(_ body: Body, within time: Seconds, settings: FinderSettings) -> Bool {
        var plan = SearchPlan(settings), pose = start, elapsed = 0.0
        while elapsed < time, let place = plan.next(from: pose) {
            elapsed += pace.time(from: pose, to: place) + SearchPlan.lookTime
            plan.looked(at: place)
            pose = place
            let isNamed = boxes(at: place, rate: 0).contains { box in
                box.label == body.truth.label && !box.isCut
                    && eye.bearing(of: box.rect.center, at: place).map(body.covers) == true
            }
            if isNamed { return true }
        }
        return false
    }
}
