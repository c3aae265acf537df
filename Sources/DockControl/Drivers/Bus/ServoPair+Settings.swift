/// The settings that the servos keep, and what is wrong before a rig is ready. Nothing that is kept is written.
extension ServoPair {
    /// Handles the arrival of a part of a servo's settings.
    mutating func settingsRead(of index: Int, into reports: inout [DockReport]) {
        let isPartial = talk.plan.contains { if case .memory(index, _) = $0 { true } else { false } }
        if !isPartial { planSession(of: index) }
        // Reported before anything is written, because some servos would not answer a write.
        if !talk.plan.contains(where: \.isAboutMemory) { _ = reportFindings(into: &reports) }
    }

    /// Plans the writes that correct a servo's settings until its supply is interrupted. They come first, because the
    /// answers to the other writes depend on them.
    private mutating func planSession(of index: Int) {
        let writes = findings(in: servos[index].settings, of: index).compactMap(\.session)
        guard !writes.isEmpty, !forbidsMotion else { return }
        guard !torque.isMotionless else {
            setup.isUnfit = true
            return
        }
        talk.plan = writes.map { ServoQuestion.write(index, $0) } + talk.plan
    }

    private static var hidden: ServoObjection {
        ServoObjection(
            text: "does not report its settings, so they are not checked",
            remedy: "check its cable, and look with `dockface servo info`")
    }

    private var allFindings: [ServoFinding] {
        servos.indices.flatMap { findings(in: servos[$0].settings, of: $0) }
    }

    /// Whether a setting of one of the servos forbids motion.
    var forbidsMotion: Bool { allFindings.contains(where: \.forbidsMotion) }

    /// Reports what contradicts the profile in the servos' settings, each finding once. Returns whether one of them
    /// forbids motion.
    mutating func reportFindings(into reports: inout [DockReport]) -> Bool {
        let found = allFindings
        let hidden = servos.filter(\.hidesSettings).map { ServoFinding($0.id, Self.hidden) }
        setup.findings = (found + hidden).map(\.text)
        for finding in found + hidden where setup.report(finding.text) {
            reports.append(
                finding.forbidsMotion ? .refused("to be moved: \(finding.text)") : .advice(finding.text))
        }
        return found.contains(where: \.forbidsMotion)
    }

    /// Reports that only one of the servos answers.
    mutating func reportSilence(of index: Int, into reports: inout [DockReport]) {
        guard setup.isSilent(misses: servos[index].misses) else { return }
        let (silent, other) = (servos[index].id, servos[1 - index].id)
        let report = setup.advice(
            "servo \(other) answers, and servo \(silent) does not: check the plug of servo \(silent), and its id and "
                + "speed with `dockface servo scan`")
        if let report { reports.append(report) }
    }

    /// Reports that the answers to greetings are damaged.
    mutating func reportDamage(into reports: inout [DockReport]) {
        guard case .identity(let index)? = talk.asked,
            setup.areDamaged(misses: servos[index].misses, invalidBytes: invalidBytes)
        else { return }
        let report = setup.advice(
            "the answers from id \(servos[index].id) are damaged: several servos have this id, as new ones all have 1, "
                + "or it is another device or another speed; look with `dockface servo scan`")
        if let report { reports.append(report) }
    }

    /// Reports that a servo refuses a write, which is then sent again.
    mutating func reportRefusal(
        of question: ServoQuestion, by index: Int, _ why: String, into reports: inout [DockReport]
    ) {
        let what =
            switch question {
            case .write(_, let row): "the setting at address \(row.memory.address)"
            case .pin: "to hold its place"
            default: "to switch its torque"
            }
        let id = servos[index].id
        let text = "servo \(id) refuses \(what): \(why); look with `dockface servo info \(id)`"
        if !setup.findings.contains(text) { setup.findings.append(text) }
        if setup.report(text) { reports.append(.advice(text)) }
    }

    /// The first servo that would swing if its torque came on, and why: its position is outside those of the profile's
    /// series, or outside the servo's own limits. It is nil if both can hold.
    var misplaced: String? {
        for servo in servos {
            guard let position = servo.reading?.position else { continue }
            let id = servo.id, margin = bus.countsPerTurn / 360
            func isInside(_ low: Double, _ high: Double) -> Bool { (low - margin...high + margin).contains(position) }
            guard isInside(0, bus.lastPosition) else {
                return
                    "servo \(id) reports the position \(Int(position)), outside 0...\(Int(bus.lastPosition)); is it of "
                    + "the series that the profile names, and is it turned beyond its end?"
            }
            guard let low = servo.settings[.lowestPosition], let high = servo.settings[.highestPosition], low < high,
                !isInside(Double(low), Double(high))
            else { continue }
            return "servo \(id) stands at \(Int(position)), outside its own limits \(low)...\(high), and would turn "
                + "there: turn the head by hand, or correct them with `dockface servo reset \(id)`"
        }
        return nil
    }

    /// Reports that a servo would swing if its torque came on. Returns whether that is so.
    mutating func reportPlace(into reports: inout [DockReport]) -> Bool {
        guard let text = misplaced else { return false }
        setup.findings.append(text)
        // The position changes while a hand turns the head, and is reported once.
        if setup.report("misplaced") { reports.append(.refused("to hold: \(text)")) }
        return true
    }

    /// Whether a fault has shut a servo down, or its details are not known yet.
    func hasFault(_ index: Int) -> Bool {
        let servo = servos[index]
        let isUnknown = bus.faultDetail != nil && servo.errors & 0x80 != 0 && servo.detail == nil
        return isUnknown || bus.fault(servo.errors, detail: servo.detail) != nil
    }
}
