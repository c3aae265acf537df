public import ControlProtocol
public import DockControl
internal import Geometry

extension CalibratedLens {
    /// Reads a lens that a program of the detectors' environment found or read from a file. The result is nil if a number
    /// is missing or impossible.
    public init?(_ json: JSONValue) {
        func number(_ name: String) -> Double? { json[name]?.number.flatMap { $0.isFinite ? $0 : nil } }
        guard let width = number("width"), let height = number("height"), let fx = number("fx"), let fy = number("fy"),
            let cx = number("cx"), let cy = number("cy"), min(width, height) >= 16, max(width, height) <= 16_384
        else { return nil }
        self.init(width: width, height: height, focal: Point(x: fx, y: fy), principal: Point(x: cx, y: cy))
        distortion = LensDistortion(
            k1: number("k1") ?? 0, k2: number("k2") ?? 0, p1: number("p1") ?? 0, p2: number("p2") ?? 0,
            k3: number("k3") ?? 0)
        mount = MountAngles(yaw: number("yaw") ?? 0, pitch: number("pitch") ?? 0, roll: number("roll") ?? 0)
        let bends = [distortion.k1, distortion.k2, distortion.p1, distortion.p2, distortion.k3]
        let turns = [mount.yaw, mount.pitch, mount.roll]
        guard ProfileTable.lensProblem(self) == nil, bends.allSatisfy({ abs($0) <= 20 }),
            turns.allSatisfy({ abs($0) <= .degrees(45) })
        else { return nil }
    }

    /// The lens for a program: pixels and radians.
    public var json: JSONValue {
        .object([
            "width": .number(width), "height": .number(height), "fx": .number(focal.x), "fy": .number(focal.y),
            "cx": .number(principal.x), "cy": .number(principal.y), "k1": .number(distortion.k1),
            "k2": .number(distortion.k2), "p1": .number(distortion.p1), "p2": .number(distortion.p2),
            "k3": .number(distortion.k3), "yaw": .number(mount.yaw), "pitch": .number(mount.pitch),
            "roll": .number(mount.roll),
        ])
    }
}
