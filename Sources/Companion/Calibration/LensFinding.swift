public import ControlProtocol
public import DockControl
internal import Geometry
internal import Glibc

/// What the program that compares the pictures says of the lens, and whether that can be believed.
public struct LensFinding: Sendable, Equatable {
    /// The lens.
    public var lens: CalibratedLens
    /// The standard deviations of the focal length and of the middle, in pixels, and of the mount angles, in radians.
    public var deviation = (focal: 0.0, middle: 0.0, mount: 0.0)
    /// The number of pictures and of points that determined it.
    public var views = 0, points = 0
    /// The share of the observations that fit, 0...1.
    public var inliers = 0.0
    /// Root of the mean square of their errors, in pixels of a picture that is 640 wide.
    public var rms = 0.0
    /// By how much the pictures correct the dock's angles, and how uncertain a direction is; radians.
    public var turned = 0.0, rays = 0.0
    /// The largest share of a picture that changed while the head stood still, 0...1.
    public var moved = 0.0

    /// Why no lens was found, or why it must not be used, and what to do.
    public struct Refusal: Error, Sendable, Equatable {
        /// What is wrong.
        public var text: String
        /// What to do.
        public var hint: String
    }

    /// Reads the last line of the comparing program.
    /// - Throws: `Refusal` if it found no lens, or one that must not be used.
    public init(_ json: JSONValue, date: String) throws(Refusal) {
        guard let lens = json["lens"], !lens.isNull else {
            throw Self.nothingSeen(views: json["views"]?.integer ?? 0, points: json["points"]?.integer ?? 0)
        }
        guard let found = CalibratedLens(lens) else {
            throw Refusal(
                text: "the pictures lead to a lens that cannot exist",
                hint: "aim at another scene, with detail everywhere and nothing nearer than 3 m, and calibrate again")
        }
        func number(_ value: JSONValue?) -> Double { value?.number ?? .infinity }
        self.lens = found
        let errors = json["deviations"]
        deviation.focal = number(errors?["fx"])
        deviation.middle = hypot(number(errors?["cx"]), number(errors?["cy"]))
        deviation.mount = max(number(errors?["pitch"]), number(errors?["yaw"]), number(errors?["roll"]))
        (views, points) = (json["views"]?.integer ?? 0, json["points"]?.integer ?? 0)
        (inliers, rms) = (json["inliers"]?.number ?? 0, number(json["rms"]))
        (turned, rays) = (number(json["turned"]), number(json["rays"]))
        moved = json["moved"]?.number ?? 0
        if let refusal { throw refusal }
        self.lens = self.lens.rounded
        self.lens.source =
            "\(views) views, \(CalibrationReport.decimals(rms)) pixels rms, dockface calibrate --camera on \(date)"
    }

    /// Whether both are the same.
    public static func == (a: Self, b: Self) -> Bool {
        a.lens == b.lens && a.deviation == b.deviation && (a.views, a.points) == (b.views, b.points)
            && (a.inliers, a.rms, a.turned, a.rays, a.moved) == (b.inliers, b.rms, b.turned, b.rays, b.moved)
    }

    // MARK: what cannot be right

    /// The limits that a measurement must keep. Those of inliers and errors come from rendered views: a picture that the
    /// scene shows twice leaves half of the inliers and 1.5 pixels, things 1 to 3 m from a lens 4 cm in front of its axis
    /// 95 % and 1.04 pixels; a good scene 99 % and 0.2 to 0.5.
    private static let leastInliers = 0.9, mostRMS = 0.8, mostMoved = 0.02
    private static let mostUncertain = (focal: 0.005, ray: Double.degrees(0.3)), mostTurned = Double.degrees(2)
    /// The difference from the profile's field of view above which a person is asked.
    private static let surprise = 0.15

    private var refusal: Refusal? {
        let scene = "aim at another scene, with detail everywhere and nothing nearer than 3 m, and calibrate again"
        guard moved <= Self.mostMoved else {
            return Refusal(
                text:
                    "something moved in the pictures while the head stood still (\(Self.percent(moved)) of a picture)",
                hint: "keep people out of view, and calibrate again")
        }
        guard inliers >= Self.leastInliers else {
            return Refusal(
                text:
                    "only \(Self.percent(inliers)) of what the pictures have in common fits one lens: the scene may show "
                    + "the same thing twice, like a pair of posters or windows", hint: scene)
        }
        guard rms <= Self.mostRMS else {
            return Refusal(
                text:
                    "the pictures fit one lens only to \(CalibrationReport.decimals(rms)) pixels: the scene may be too near",
                hint: scene)
        }
        guard turned <= Self.mostTurned else {
            return Refusal(
                text:
                    "the head turned by \(CalibrationReport.decimals(turned.inDegrees)) degrees more or less than it reported",
                hint: "run `dockface calibrate` without --camera first, and look for a loose camera")
        }
        guard deviation.focal <= Self.mostUncertain.focal * lens.focal.x, rays <= Self.mostUncertain.ray else {
            return Refusal(
                text:
                    "the pictures leave a direction uncertain by \(CalibrationReport.decimals(rays.inDegrees)) degrees",
                hint: scene)
        }
        return nil
    }

    private static func nothingSeen(views: Int, points: Int) -> Refusal {
        Refusal(
            text: "there is too little to see: \(points) points in \(views) pictures",
            hint:
                "aim at a scene with detail everywhere (shelves, a window, pictures on a wall), switch on the light, and "
                + "calibrate again")
    }

    private static func percent(_ share: Double) -> String { "\(Int((share.clamped(to: 0...1) * 100).rounded())) %" }

    // MARK: words

    /// The results, line by line.
    public var lines: [String] {
        func number(_ value: Double, _ decimals: Int = 2) -> String { CalibrationReport.decimals(value, decimals) }
        let bends = lens.distortion, mount = lens.mount
        return [
            "focal length  \(number(lens.focal.x, 1)) +-\(number(deviation.focal, 1)) pixels, "
                + "\(number(lens.horizontalFieldOfView.inDegrees, 1)) degrees wide",
            "middle        \(number(lens.principal.x, 1)), \(number(lens.principal.y, 1)) +-\(number(deviation.middle, 1)) "
                + "pixels of \(Int(lens.width))x\(Int(lens.height))",
            "distortion    k1 \(number(bends.k1, 4)), k2 \(number(bends.k2, 4))",
            "mount         \(Self.turn(mount.yaw, "right", "left")), \(Self.turn(mount.pitch, "up", "down")), "
                + "\(Self.turn(mount.roll, "clockwise", "counterclockwise")) +-\(number(deviation.mount.inDegrees)) degrees",
            "\(points) points in \(views) pictures fit to \(number(rms)) pixels; "
                + "a direction is known to \(number(rays.inDegrees)) degrees",
        ]
    }

    private static func turn(_ angle: Double, _ plus: String, _ minus: String) -> String {
        "\(CalibrationReport.decimals(abs(angle.inDegrees))) degrees \(angle < 0 ? minus : plus)"
    }

    /// Returns what is surprising about the lens beside the field of view that the profile states (rad), or nil.
    public func surprise(beside before: Double) -> String? {
        let now = lens.horizontalFieldOfView
        guard abs(tan(now / 2) / tan(before / 2) - 1) > Self.surprise else { return nil }
        return "the profile says \(CalibrationReport.decimals(before.inDegrees, 1)) degrees, and the pictures "
            + "\(CalibrationReport.decimals(now.inDegrees, 1))"
    }

    /// The results for a program.
    public var json: [String: JSONValue] {
        [
            "lens": lens.json, "views": .number(views), "points": .number(points), "inliers": .number(inliers),
            "rms": .number(rms), "rays": .number(rays), "turned": .number(turned),
            "deviations": .object([
                "focal": .number(deviation.focal), "middle": .number(deviation.middle),
                "mount": .number(deviation.mount),
            ]),
        ]
    }
}

extension CalibratedLens {
    /// The same with the decimals that a measurement can have, as a profile shows them.
    fileprivate var rounded: CalibratedLens {
        func angle(_ value: Double) -> Double { .degrees((value.inDegrees * 1000).rounded() / 1000) }
        func pixels(_ point: Point) -> Point {
            Point(x: (point.x * 100).rounded() / 100, y: (point.y * 100).rounded() / 100)
        }
        func share(_ value: Double) -> Double { (value * 100_000).rounded() / 100_000 }
        var result = self
        (result.focal, result.principal) = (pixels(focal), pixels(principal))
        result.distortion = LensDistortion(
            k1: share(distortion.k1), k2: share(distortion.k2), p1: share(distortion.p1), p2: share(distortion.p2),
            k3: share(distortion.k3))
        result.mount = MountAngles(yaw: angle(mount.yaw), pitch: angle(mount.pitch), roll: angle(mount.roll))
        return result
    }
}
