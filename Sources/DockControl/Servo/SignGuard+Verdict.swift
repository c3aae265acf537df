public import Geometry

extension SignGuard {
    /// The verdict of the guard.
    public struct Verdict: Sendable, Equatable {
        /// The axis.
        public var axis: Axis
        /// The fault: `signSuspect` or `pictureDoesNotFollow`.
        public var fault: DockFault
        /// Whether the camera lies on its side: the image moves along this axis when the other one turns.
        public var isCrossed: Bool

        /// Creates a verdict from an axis and its fault.
        public init(axis: Axis, fault: DockFault, isCrossed: Bool = false) {
            self.axis = axis
            self.fault = fault
            self.isCrossed = isCrossed
        }

        /// The keys of the profile that may be wrong, the most likely first.
        public var lines: [String] { isCrossed ? ["camera.rotate"] : Self.lines(fault, axis) }

        static func lines(_ fault: DockFault, _ axis: Axis) -> [String] {
            guard fault == .signSuspect else { return ["camera.mount"] }
            return axis == .pan ? ["pan.invert", "camera.mirror"] : ["tilt.invert", "camera.rotate"]
        }

        /// Returns what to correct, as an imperative; for both axes if the axis is unknown.
        static func advice(_ fault: DockFault, _ axis: Axis? = nil) -> String {
            func lines(_ axis: Axis) -> String { Self.lines(fault, axis).map { "`\($0)`" }.joined(separator: " or ") }
            let which =
                if let axis { lines(axis) } else if fault == .signSuspect {
                    "\(lines(.pan)) if pan is reversed, \(lines(.tilt)) if tilt is reversed"
                } else { lines(.pan) }
            guard fault == .signSuspect else {
                return
                    "if the camera does not sit on the head, set `camera.mount` to \"fixed\" in a copy of the profile "
                    + "(`dockface profiles show NAME --toml > my.toml`, then `--profile my.toml`); "
                    + "otherwise see that the head really turns (`dockface check`)"
            }
            return "in the profile, correct \(which) (see `dockface check`)"
        }

        /// The text for the log: what happened and what to correct.
        public var text: String {
            if isCrossed {
                return
                    "the image lies on its side: stopped; in the profile, correct `camera.rotate` (see `dockface check`), "
                    + "then type `dockface clear`"
            }
            let what =
                fault == .signSuspect
                ? "the image moves with \(axis.rawValue) instead of against it"
                : "the image does not move although \(axis.rawValue) turns"
            return "\(what): stopped; \(Self.advice(fault, axis)), then type `dockface clear`"
        }
    }
}
