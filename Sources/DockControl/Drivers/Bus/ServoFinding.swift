internal import Geometry

/// What is wrong with a setting, as a clause about the servo.
struct ServoObjection: Sendable, Equatable {
    var text: String
    /// What to do, as an imperative, or nil: a reset of the servo.
    var remedy: String?
    /// Whether the servo must not be moved with this setting.
    var forbidsMotion = false
}

/// A setting in a servo's memory that contradicts the rig's profile.
package struct ServoFinding: Sendable, Equatable {
    /// What is wrong and what to do, in one sentence.
    package let text: String
    /// Whether the servo must not be moved with this setting.
    package let forbidsMotion: Bool
    /// A write that corrects the setting until the supply is interrupted, or nil if only a reset corrects it.
    let session: ServoWrite?

    init(_ id: UInt8, _ objection: ServoObjection, session: ServoWrite? = nil) {
        let remedy = objection.remedy ?? "correct it with `dockface servo reset \(id)`"
        text = "servo \(id) \(objection.text)" + (session == nil ? ": \(remedy)" : "")
        forbidsMotion = objection.forbidsMotion
        self.session = session
    }

    /// Returns what contradicts a profile in the settings of the servo with this ID. A servo that is not part of the
    /// profile's rig contradicts nothing.
    package static func all(in settings: StoredSettings, of id: UInt8, for profile: RigProfile) -> [ServoFinding] {
        func all<Bus: ServoProtocol>(_ pair: ServoPair<Bus>) -> [ServoFinding] {
            pair.servos.firstIndex { $0.id == id }.map { pair.findings(in: settings, of: $0) } ?? []
        }
        switch profile.driver {
        case FeetechDriver.name: return all(FeetechDriver(profile: profile).pair)
        case DynamixelDriver.name: return all(DynamixelDriver(profile: profile).pair)
        default: return []
        }
    }
}

extension ServoPair {
    /// The difference between limits that is not worth a word, in positions.
    private static var negligible: Double { 2 }

    /// Returns what contradicts the profile in the settings of one of the servos.
    func findings(in settings: StoredSettings, of index: Int) -> [ServoFinding] {
        let servo = servos[index]
        // In the other byte order, all other numbers are wrong, too.
        if let order = byteOrder(settings) { return [ServoFinding(servo.id, order)] }
        var found = [statusLevel(settings), limits(settings, servo)].compactMap { $0 }
            .map { ServoFinding(servo.id, $0.objection, session: $0.session) }
        if let mode = settings[.driveMode] {
            found += bus.objections(toDriveMode: mode).map { ServoFinding(servo.id, $0) }
        }
        return found
    }

    private typealias Finding = (objection: ServoObjection, session: ServoWrite?)

    private func byteOrder(_ settings: StoredSettings) -> ServoObjection? {
        guard let order = settings[.byteOrder], (0...1).contains(order), order != bus.row(.byteOrder)?.factory else {
            return nil
        }
        return ServoObjection(
            text: "has the byte order of the \(order == 1 ? "SCS" : "STS") series, and the profile has the other one",
            remedy: "set scs = \(order) in the options of the profile", forbidsMotion: true)
    }

    private func statusLevel(_ settings: StoredSettings) -> Finding? {
        guard let level = settings[.statusLevel], let row = bus.row(.statusLevel), let full = row.factory, level < full
        else { return nil }
        // Above the torque switch nothing is kept without a supply.
        guard row.memory.address > bus.torque.address else {
            return (ServoObjection(text: "does not answer writes (status level \(level))", forbidsMotion: true), nil)
        }
        let objection = ServoObjection(
            text: "does not answer writes by itself (status level \(level)); a run sets it to answer them until its "
                + "supply is interrupted")
        return (objection, ServoWrite(row.memory, bus.encode(full, count: row.memory.count)))
    }

    private func limits(_ settings: StoredSettings, _ servo: Servo) -> Finding? {
        guard let low = settings[.lowestPosition], let high = settings[.highestPosition], low < high else { return nil }
        let range = profile[servo.axis].softRange
        let ends = [range.lowerBound, range.upperBound].map { position($0, servo) }
        let first = (ends.min() ?? 0).rounded(), last = (ends.max() ?? 0).rounded()
        guard Double(low) > first + Self.negligible || Double(high) < last - Self.negligible else { return nil }
        let objection = ServoObjection(
            text: "turns only from position \(low) to \(high), and the profile turns it from \(Int(first)) to "
                + "\(Int(last))",
            remedy: "correct it with `dockface servo reset \(servo.id)`, or narrow the range of \(servo.axis.rawValue)")
        return (objection, nil)
    }
}
