import ControlProtocol
import DockControl

/// What `dockface servo` says about servos, and its JSON.
enum ServoText {
    /// Describes a servo in one line.
    static func line(_ servo: FoundServo) -> String {
        let place = "id \(servo.id) at \(servo.baud) baud"
        return servo.isDamaged
            ? "\(place): \(servo.family.name), but the answers are damaged"
            : "\(place): \(servo.model), firmware \(servo.firmware) (\(servo.family.name))"
    }

    /// Says what damaged answers mean.
    static func disturbed(_ servo: FoundServo, _ port: String) -> String {
        "the answers from id \(servo.id) at \(servo.baud) baud are damaged: several servos have this id, as new ones "
            + "all have 1, or the cable is bad; give them different ids, one at a time: "
            + "dockface servo id 2 --port \(port)"
    }

    /// Returns what the servos that were found mean for a rig, and the next command. `profile`: nil if none was named.
    static func advice(_ found: [FoundServo], _ profile: RigProfile?, _ port: String) -> [String] {
        if let servo = found.first(where: \.isDamaged) { return [disturbed(servo, port)] }
        guard let profile else {
            return found.count == 1
                ? ["one servo answers; if there are more, plug them in one by one: dockface servo id 2 --port \(port)"]
                : ["next: dockface adopt --port \(port)"]
        }
        let wanted = ids(of: profile), baud = profile.serial.baud
        let present = Set(found.map(\.id)), missing = wanted.filter { !present.contains($0) }
        let words = wanted.map { "\($0) \(present.contains($0) ? "answers" : "does not")" }.joined(separator: ", ")
        var lines = ["\"\(profile.name)\" needs the ids \(wanted[0]) and \(wanted[1]): \(words)"]
        lines += found.filter { wanted.contains($0.id) && $0.baud != baud }.map {
            "servo \($0.id) is set to \($0.baud) baud, and the profile to \(baud): plug it in alone, and run "
                + "`dockface servo id \($0.id) --speed \(baud) --port \(port)`, or correct serial.baud"
        }
        guard lines.count == 1 else { return lines }
        lines += missing.map {
            "plug in alone the servo that gets the id \($0): dockface servo id \($0) --port \(port)"
        }
        return missing.isEmpty ? lines + ["next: dockface adopt --port \(port)"] : lines
    }

    /// The ids in a profile's options, of pan and tilt.
    static func ids(of profile: RigProfile) -> [UInt8] {
        [profile.options["pan_id"] ?? 1, profile.options["tilt_id"] ?? 2].map { UInt8(clamping: Int($0)) }
    }

    /// A picture of what to unplug before a servo gets this id.
    static func picture(_ id: Int) -> String {
        let servo = "gets id \(id)".padded(12)
        return """
              +---------+     +--------------+           +--------------+
              | adapter |-----| \(servo) |---    ---| other servos |
              +---------+     +--------------+           +--------------+
                   |                                unplugged
                 supply
            """
    }

    // MARK: JSON

    static func json(_ servo: FoundServo) -> JSONValue {
        .object([
            "family": .string(servo.family.rawValue), "baud": .number(servo.baud), "id": .number(Int(servo.id)),
            "model": servo.isDamaged ? .null : .string(servo.model),
            "firmware": servo.isDamaged ? .null : .string(servo.firmware), "damaged": .bool(servo.isDamaged),
        ])
    }

    /// Prints a line for programs.
    static func printJSON(_ members: [String: JSONValue]) {
        printLine(String(decoding: JSONValue.object(members).bytes, as: UTF8.self))
    }
}
