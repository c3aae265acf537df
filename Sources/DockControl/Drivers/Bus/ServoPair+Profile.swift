internal import Geometry

/// Options of both kinds of servos, and the parts of a profile that the servos cannot carry out.
extension ServoPair {
    static func options(lastID: Double, lastPosition: Double) -> [String: DriverOption] {
        [
            "pan_id": .whole(0...lastID), "tilt_id": .whole(0...lastID), "pan_center": .number(0...lastPosition),
            "tilt_center": .number(0...lastPosition),
        ]
    }

    /// Checks that the centres and the ends of the axes are positions that the servos have.
    static func contradictions(in profile: RigProfile, lastID: Double) -> [ProfileContradiction] {
        let pair = ServoPair(profile: profile, lastID: lastID), bus = pair.bus
        var found = profile.baud(outside: bus.bauds, of: "no such servo") + profile.sameNumber("id", pan: 1, tilt: 2)
        for servo in pair.servos {
            let name = servo.axis.rawValue, last = RigProfile.words(bus.lastPosition)
            guard servo.center <= bus.lastPosition else {
                found.append(
                    ProfileContradiction(
                        key: "options.\(name)_center",
                        text:
                            "\"options.\(name)_center\" is \(RigProfile.words(servo.center)), and the last position of this series "
                            + "is \(last): expected 0 to \(last)"))
                continue
            }
            let perDegree = bus.countsPerTurn / 360
            found += profile.ends(
                of: servo.axis, outside: -servo.center / perDegree...(bus.lastPosition - servo.center) / perDegree,
                why: "the servo's positions are 0 to \(last), \(RigProfile.words(servo.center)) at 0 degrees")
            found += profile.speed(
                of: servo.axis, above: bus.mostSpeed / perDegree, why: "the servo's unit of speed allows no more")
        }
        return found
    }
}
