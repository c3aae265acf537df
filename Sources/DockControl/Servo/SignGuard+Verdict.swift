public import Geometry

extension SignGuard {
    /// What was found.
    public struct Verdict: Sendable, Equatable {
        /// Which axis.
        public var axis: Axis
        /// `signSuspect` or `pictureDoesNotFollow`.
        public var fault: DockFault
        /// The picture lies on its side: it moves along this axis when the other one turns.
        public var isCrossed: Bool

        /// An axis and its fault.
        public init(axis: Axis, fault: DockFault, isCrossed: Bool = false) {
            self.axis = axis
            self.fault = fault
            self.isCrossed = isCrossed
        }

        /// The line of the profile that is wrong, the likeliest first.
        public var lines: [String] { isCrossed ? ["camera.rotate"] : Self.lines(fault, axis) }

        static func lines(_ fault: DockFault, _ axis: Axis) -> [String] {
            guard fault == .signSuspect else { return ["camera.mount"] }
            return axis == .pan ? ["pan.invert", "camera.mirror"] : ["tilt.invert", "camera.rotate"]
        }

        /// What to mend, as an imperative; where the axis is not known, for both.
        static func advice(_ fault: DockFault, _ axis: Axis? = nil) -> String {
            func lines(_ axis: Axis) -> String { Self.lines(fault, axis).map { "`\($0)`" }.joined(separator: " or ") }
            let which =
                if let axis { lines(axis) } else if fault == .signSuspect {
                    "\(lines(.pan)) where pan is wrong, \(lines(.tilt)) where tilt is,"
                } else { lines(.pan) }
            return "mend \(which) in the profile (see `dockface check`)"
        }

        /// For the log: what happened and what to mend.
        public var text: String {
            if isCrossed {
                return
                    "the picture lies on its side: stopped; mend `camera.rotate` in the profile (see `dockface check`), "
                    + "then type `clear`"
            }
            let what =
                fault == .signSuspect
                ? "the picture moves with \(axis.rawValue) instead of against it"
                : "the picture does not move although \(axis.rawValue) turns"
            return "\(what): stopped; \(Self.advice(fault, axis)), then type `clear`"
        }
    }
}
