internal import Geometry

/// The parts of a profile that a camera cannot carry out.
extension ViscaDriver {
    /// Returns the units per degree, 14.4 by default: an EVI-D100 or EVI-HD1 counts 1440 units in 100 degrees.
    static func unitsPerDegree(_ axis: Axis, of profile: RigProfile) -> Double {
        profile.options[axis.rawValue + "_units_per_degree"] ?? 14.4
    }

    /// Returns the range of the cameras to which a speed table belongs, in degrees as they count them, or nil if the
    /// table belongs to no camera. EVI-D100 Technical Manual page 45 (the EVI-HD1 has the same positions); Telycam
    /// TLC-700-S manual page 13.
    static func reach(ofTable number: Double, _ axis: Axis) -> (camera: String, degrees: ClosedRange<Double>)? {
        switch (number, axis) {
        case (1, .pan): ("a Sony EVI-D100", -100...100)
        case (1, .tilt): ("a Sony EVI-D100", -25...25)
        case (2, .pan): ("a Telycam TLC-700-S", -170...170)
        case (2, .tilt): ("a Telycam TLC-700-S", -30...90)
        default: nil
        }
    }

    static func contradictions(in profile: RigProfile) -> [ProfileContradiction] {
        profile.baud(outside: 2400...115_200, of: "no camera") + profile.relaxing("a VISCA camera")
            + Axis.allCases.flatMap { axis in
                positions(axis, in: profile) + speeds(axis, in: profile)
            }
    }

    /// Checks that the ends are signed 16-bit positions, and lie where the table's camera can look.
    private static func positions(_ axis: Axis, in profile: RigProfile) -> [ProfileContradiction] {
        let units = unitsPerDegree(axis, of: profile), most = Double(Int16.max) / units
        let beyond = profile.ends(
            of: axis, outside: -most...most,
            why:
                "its position would not fit into 16 bits (options.\(axis.rawValue)_units_per_degree is \(RigProfile.words(units)))"
        )
        guard beyond.isEmpty, let known = reach(ofTable: profile.options["speed_table"] ?? 0, axis) else {
            return beyond
        }
        return profile.ends(
            of: axis, outside: known.degrees,
            why: "\(known.camera) (options.speed_table) cannot look there; for another camera set speed_table = 0")
    }

    /// Checks that the codes reach the speed of the axis, and that no option contradicts the table.
    private static func speeds(_ axis: Axis, in profile: RigProfile) -> [ProfileContradiction] {
        let options = profile.options, name = axis.rawValue, table = Int(options["speed_table"] ?? 0)
        let own = ["_min_speed", "_max_speed", "_codes"].map { name + $0 }
        if table != 0, let key = own.first(where: { options[$0] != nil }) {
            return [
                ProfileContradiction(
                    key: "options.\(key)",
                    text:
                        "\"options.\(key)\" applies only if speed_table is 0, and it is \(table): remove one of the two"
                )
            ]
        }
        let slowest = options[name + "_min_speed"] ?? 1
        let fastest = options[name + "_max_speed"] ?? profile[axis].maxSpeed.inDegrees
        if table == 0, slowest > fastest {
            let key = options[name + "_min_speed"] == nil ? "\(name).max_speed" : "options.\(name)_min_speed"
            return [
                ProfileContradiction(
                    key: key,
                    text: "the slowest code of \(name) is \(RigProfile.words(slowest)) deg/s, and the fastest "
                        + "\(RigProfile.words(fastest)): expected \(name)_min_speed below \(name)_max_speed")
            ]
        }
        let last = SpeedLadder(axis, of: profile).speeds.last ?? 0
        return profile.speed(of: axis, above: last.inDegrees, why: "no code of this camera is faster")
    }
}
