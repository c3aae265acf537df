public import DockControl
public import Files
internal import Geometry

/// The results of a calibration, value by value, and the profile with these values.
public struct CalibrationReport: Sendable, Equatable {
    /// One value of the report.
    public struct Row: Sendable, Equatable {
        /// Its key in the profile; a description if no profile key holds it.
        public var name: String
        /// The value in the old profile; empty if there is none.
        public var old: String
        /// The measured value.
        public var measured: String
        /// Whether the new profile differs from the old one.
        public var isChange: Bool
    }

    /// Everything that was measured.
    public private(set) var rows: [Row] = []
    /// What was not measured, the reasons, and what to check.
    public internal(set) var notes: [String] = []
    /// The profile with the measured values.
    public internal(set) var profile: RigProfile

    /// Evaluates findings. `camera`: nil if no measurement of the camera was requested. `date`: the day, as 2026-01-31.
    /// `isReal`: whether the rig is real, not simulated.
    public init(_ findings: CalibrationFindings, camera: CameraFinding? = nil, date: String, isReal: Bool) {
        profile = findings.profile
        if findings.feedback == .modelled {
            notes.append(
                "nothing measures how this rig moves: its driver (\(profile.driver)) reports the commanded position, so latency, lag "
                    + "and limits stay as in the profile")
        }
        if let latency = findings.latency {
            // Rounded down: an overestimated latency makes the loop oscillate, an underestimated one only makes it lag.
            change("link.latency_ms", Self.milliseconds(profile.commandLatency), Self.milliseconds(latency))
            profile.commandLatency = Self.whole(latency)
        }
        for axis in Axis.allCases { add(findings, axis) }
        if findings.feedback == .measured, findings.latency == nil {
            notes.append("no first-order response fits the recordings: latency and lag stay as in the profile")
        }
        if let camera { add(camera, panIsRight: findings.pan.isSenseRight == true) }
        let changed = rows.filter(\.isChange).map(\.name)
        let own = "; measured by dockface calibrate on "
        let before = findings.profile.source.part(before: own)
        profile.source =
            before + own + date + (changed.isEmpty ? " (nothing changed)" : " (\(changed.joined(separator: ", ")))")
        profile.verified = findings.isComplete && isReal
        for found in contradictions {
            notes.append("correct this in the profile before you use it: \(found.text)")
        }
    }

    /// Returns the text of the profile file. Its title differs from that of the profile it was measured from, because
    /// lists show both.
    /// - Throws: `FileError` if the reader would reject the text, so it must not be written.
    public func text(comment: [String]) throws(FileError) -> String {
        var titled = profile
        let mark = " (measured)"
        if !titled.name.isEmpty, !titled.name.hasSuffix(mark) { titled.name += mark }
        return try ProfileWriter.checked(titled, comment: comment)
    }

    private var contradictions: [ProfileContradiction] {
        DriverTable.driver(named: profile.driver)?.contradictions(in: profile) ?? []
    }

    /// Mirrors the range of an axis whose direction was inverted, because inverting also mirrors the limits of the
    /// device. This happens only if the old range no longer fits the device and the mirrored one does.
    private mutating func mirrorRange(_ axis: Axis) {
        let name = axis.rawValue, old = profile[axis]
        func isOutside(_ report: Self) -> Bool {
            report.contradictions.contains { $0.key == "\(name).min" || $0.key == "\(name).max" }
        }
        guard isOutside(self) else { return }
        var mirrored = self
        mirrored.edit(axis) {
            $0.range = -old.range.upperBound ... -old.range.lowerBound
            if !$0.softRange.contains($0.home) { $0.home = -old.home }
        }
        guard !isOutside(mirrored) else { return }
        func tell(_ key: String, _ before: Double, _ after: Double) {
            change("\(name).\(key)", Self.decimals(before.inDegrees), Self.decimals(after.inDegrees))
        }
        tell("min", old.range.lowerBound, -old.range.upperBound)
        tell("max", old.range.upperBound, -old.range.lowerBound)
        let home = mirrored.profile[axis].home
        if home != old.home { tell("home", old.home, home) }
        profile = mirrored.profile
        notes.append(
            "\(name).min and \(name).max are mirrored: with the axis inverted, the rig cannot turn from "
                + "\(Self.decimals(old.range.lowerBound.inDegrees)) to \(Self.decimals(old.range.upperBound.inDegrees)) degrees"
        )
    }

    private mutating func add(_ findings: CalibrationFindings, _ axis: Axis) {
        let name = axis.rawValue, found = findings[axis], old = findings.profile[axis]
        guard found.hasRoom else {
            return notes.append(
                "\(name) was not moved: its range leaves no room for \(Int(Wiggle.room.inDegrees)) degrees on each side"
            )
        }
        if let isRight = found.isSenseRight {
            change("\(name).invert", "\(old.invert)", "\(isRight ? old.invert : !old.invert)")
            edit(axis) { $0.invert = isRight ? old.invert : !old.invert }
        }
        if let lag = found.lag {
            change("\(name).lag_ms", Self.milliseconds(old.lag), Self.milliseconds(lag))
            edit(axis) { $0.lag = Self.whole(lag) }
        }
        if let ratio = found.recording?.speedRatio {
            tell(
                "\(name) speed, measured / commanded", "1",
                "\(Self.decimals(ratio.value)) +-\(Self.decimals(ratio.error))")
        } else if let share = found.actualToCommandedRatio {
            tell("\(name) angle, measured / commanded", "1", Self.decimals(share))
        }
        addUnit(findings, axis)
        if let noise = found.recording?.noise {
            tell("\(name) noise at rest, degrees", "", Self.decimals(noise.inDegrees, 3))
        }
        if let range = findings.newRange(axis) {
            change(
                "\(name).min", Self.decimals(old.range.lowerBound.inDegrees), Self.decimals(range.lowerBound.inDegrees))
            change(
                "\(name).max", Self.decimals(old.range.upperBound.inDegrees), Self.decimals(range.upperBound.inDegrees))
            edit(axis) { $0.range = range }
        } else if found.ends != nil {
            notes.append(
                "\(name).min and \(name).max are unchanged: the axis was turned by less than "
                    + "\(Int(CalibrationFindings.leastRange.inDegrees)) degrees, or its home would be outside the new range"
            )
        }
        if found.isSenseRight == false, findings.newRange(axis) == nil { mirrorRange(axis) }
    }

    /// Corrects the profile key that defines the rig's own unit of speed.
    private mutating func addUnit(_ findings: CalibrationFindings, _ axis: Axis) {
        let name = axis.rawValue, options = findings.profile.options
        if profile.driver == "feetech" {
            // This rig is position-controlled, so its speed is right for any unit. The speeds that it reports depend on
            // the unit.
            guard axis == .pan, let ratio = findings.pan.recording?.rateRatio ?? findings.tilt.recording?.rateRatio
            else { return slow(findings, axis) }
            tell("speed, reported / from positions", "1", Self.decimals(ratio))
            if CalibrationFindings.isOff(ratio, error: 0) { scale("speed_unit_steps", 1, 1 / ratio) }
            return slow(findings, axis)
        }
        guard let ratio = findings.wrongSpeed(axis) else { return }
        switch profile.driver {
        case "waveshare":
            // Both axes share one unit. It comes from pan, or from tilt if pan was not measured or is already correct.
            if axis == .pan || findings.wrongSpeed(.pan) == nil { scale("speed_unit_steps", 1, ratio) }
        case "visca" where (options["speed_table"] ?? 0) == 0:
            scale("\(name)_min_speed", 1, ratio)
            scale("\(name)_max_speed", findings.profile[axis].maxSpeed.inDegrees, ratio)
            // An axis cannot be faster than its fastest speed code.
            if let fastest = profile.options["\(name)_max_speed"], fastest < findings.profile[axis].maxSpeed.inDegrees {
                change(
                    "\(name).max_speed", Self.decimals(findings.profile[axis].maxSpeed.inDegrees),
                    Self.decimals(fastest))
                edit(axis) { $0.maxSpeed = .degrees(fastest) }
            }
        case "visca":
            notes.append(
                "\(name) turns \(Self.decimals(ratio)) times as fast as options.speed_table = \(Int(options["speed_table"] ?? 0)) "
                    + "states: the table is for another camera; set speed_table = 0, \(name)_min_speed and \(name)_max_speed"
            )
        case "maestro": scale("\(name)_us_per_degree", options["us_per_degree"] ?? 10, 1 / ratio)
        default: slow(findings, axis)
        }
    }

    /// Adds a note on a wrong speed that no profile key can correct.
    private mutating func slow(_ findings: CalibrationFindings, _ axis: Axis) {
        guard let ratio = findings.wrongSpeed(axis) else { return }
        notes.append(
            "\(axis.rawValue) turns \(Self.decimals(ratio)) times as far as commanded, and no key of a \(profile.driver) profile "
                + "corrects this: check the gears, the supply and the firmware's units")
    }

    // MARK: rows

    /// Multiplies an option by a factor, if the driver allows the result.
    private mutating func scale(_ option: String, _ usual: Double, _ factor: Double) {
        let old = profile.options[option] ?? usual
        let allowed = DriverTable.driver(named: profile.driver)?.options[option]
        let new = ((old * factor * 1000).rounded() / 1000)
        guard let allowed, allowed.allows(new) else {
            return notes.append(
                "options.\(option) would have to be \(Self.decimals(new, 3)), which the driver does not allow")
        }
        change("options.\(option)", Self.decimals(old, 3), Self.decimals(new, 3))
        profile.options[option] = new
    }

    mutating func change(_ name: String, _ old: String, _ new: String) {
        rows.append(Row(name: name, old: old, measured: new, isChange: old != new))
    }

    mutating func tell(_ name: String, _ old: String, _ measured: String) {
        rows.append(Row(name: name, old: old, measured: measured, isChange: false))
    }

    private mutating func edit(_ axis: Axis, _ use: (inout RigProfile.AxisProfile) -> Void) {
        if axis == .pan { use(&profile.pan) } else { use(&profile.tilt) }
    }

    static func whole(_ time: Seconds) -> Seconds { (time * 1000 + 1e-6).rounded(.down) / 1000 }

    static func milliseconds(_ time: Seconds) -> String { decimals((time * 1000 + 1e-6).rounded(.down)) }

    /// Formats a number with at most `count` decimals; "?" if it is not finite or is 1e9 or more.
    static func decimals(_ value: Double, _ count: Int = 2) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "?" }
        var scale = 1.0
        for _ in 0..<count { scale *= 10 }
        let round = (value * scale).rounded() / scale
        return round == round.rounded() ? String(Int(round)) : String(round)
    }
}

extension String {
    /// Returns the part before the first occurrence of a text, or the whole string if it does not occur.
    fileprivate func part(before text: String) -> String {
        firstRange(of: text).map { String(self[..<$0.lowerBound]) } ?? self
    }
}
