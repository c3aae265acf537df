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
        guard !writes.isEmpty else { return }
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
        let slow = slowLine
        setup.findings = (found + hidden).map(\.text) + [slow].compactMap { $0 }
        for finding in found + hidden where setup.report(finding.text) {
            reports.append(
                finding.forbidsMotion ? .refused("to be moved: \(finding.text)") : .advice(finding.text))
        }
        if let slow, setup.report(slow) { reports.append(.advice(slow)) }
        return found.contains(where: \.forbidsMotion)
    }

    /// Reports that only one of the servos answers.
    mutating func reportSilence(of index: Int, into reports: inout [DockReport]) {
        guard setup.reportSilence(misses: servos[index].misses) else { return }
        let (silent, other) = (servos[index].id, servos[1 - index].id)
        reports.append(
            setup.advice(
                "servo \(other) answers, and servo \(silent) does not: check the plug of servo \(silent), and its id "
                    + "and speed with `dockface servo scan`"))
    }

    /// Reports that the answers to greetings are damaged.
    mutating func reportDamage(into reports: inout [DockReport]) {
        guard case .identity(let index)? = talk.asked,
            setup.reportDamage(misses: servos[index].misses, invalidBytes: invalidBytes)
        else { return }
        reports.append(
            setup.advice(
                "the answers from id \(servos[index].id) are damaged: several servos have this id, as new ones all "
                    + "have 1, or it is another device or another speed; look with `dockface servo scan`"))
    }
}
