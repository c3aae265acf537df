import ArgumentParser
import DockControl

extension ServoVerb {
    /// `dockface servo reset`: restores settings that other programs have changed.
    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reset a servo's limits, offset, modes, status level and return delay as they left the factory.",
            discussion: """
                For a servo that another program has set up for another rig. Shows each setting before and after, and \
                asks. The id and the speed remain unless you name them. The servo's torque is switched off for the \
                write, so a head that it holds may sink.
                """)

        @Argument(help: "The servo's id.")
        var id: Int

        @OptionGroup var place: ServoOptions

        @Flag(help: "Also reset the id. New servos have 1.")
        var alsoID = false

        @Flag(help: "Also reset the speed of the line.")
        var alsoBaud = false

        @Flag(help: "Write without asking.")
        var yes = false

        @Flag(help: "Show what would be written, and write nothing.")
        var dryRun = false

        mutating func validate() throws { try ServoVerb.check(id) }

        func run() throws { try ServoVerb.withBus(place) { try reset($0, $1) } }

        private func reset(_ bus: ServoBus, _ desk: CheckDesk) throws {
            let wanted = StoredSetting.resettable + (alsoID ? [.id] : []) + (alsoBaud ? [.baud] : [])
            let servo = try bus.locate(UInt8(clamping: id)), family = servo.family
            desk.say(ServoText.line(servo))
            // They change if they are reset, too.
            var (id, baud) = (servo.id, servo.baud)
            // A servo that answers pings only shows its other settings after the first round.
            for round in 0..<2 {
                let reader = try bus.carryOut(SettingsReader(family, baud: baud, id: id))
                let numbers = reader.settings.changed(wanted, in: family)
                guard !numbers.isEmpty else {
                    guard reader.isComplete else { throw Self.unreadable(servo, bus) }
                    return desk.say("\(round == 0 ? "all" : "all other") settings are as they left the factory")
                }
                for setting in StoredSetting.allCases {
                    guard let after = numbers[setting], let before = reader.settings[setting] else { continue }
                    let words = [before, after].map { family.words($0, of: setting) }
                    desk.say("  \(setting.name.padded(22))\(words[0].padded(16))-> \(words[1])")
                }
                if let code = numbers[.baud], family.bauds.indices.contains(code) {
                    try bus.checkSpeed(family.bauds[code])
                }
                desk.say("its torque is switched off for this: a head that it holds may sink.")
                if dryRun { return desk.say("dry run: nothing was written") }
                if !yes { try ServoVerb.confirm("write this?", desk) }
                let change = try bus.carryOut(
                    SettingsChange(family, id: id, baud: baud, to: numbers), isWhole: true)
                try ServoVerb.finish(change, bus)
                desk.say("servo \(change.id) keeps these settings at \(change.baud) baud.")
                if reader.isComplete { return }
                (id, baud) = (change.id, change.baud)
            }
        }

        private static func unreadable(_ servo: FoundServo, _ bus: ServoBus) -> ExitCode {
            fail(
                "servo \(servo.id) at \(bus.port) does not report its settings: check its cable and its supply, and run "
                    + "the command again", status: 69)
        }
    }
}
