import ArgumentParser
import DockControl

extension ServoVerb {
    /// `dockface servo id`: gives one servo its id.
    struct NewID: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "id",
            abstract: "Give a servo another id, and another speed if you want: the only one that is plugged in.",
            discussion: """
                Says what to unplug, finds the servo at whatever speed, shows what will be written, and asks. The \
                servo's torque is switched off for the write, so a head that it holds may sink. Afterwards the servo \
                must answer to its new id. Then plug in the next servo.
                """)

        @Argument(help: "The new id.")
        var id: Int

        @OptionGroup var place: ServoOptions

        @Option(help: "Also set the servo to this speed of the line, in bits per second. Default: its speed remains.")
        var speed: Int?

        @Flag(help: "Write without asking, if exactly one servo answers.")
        var yes = false

        @Flag(help: "Show what would be written, and write nothing.")
        var dryRun = false

        mutating func validate() throws { try ServoVerb.check(id) }

        func run() throws { try ServoVerb.withBus(place) { try change($0, $1) } }

        private func change(_ bus: ServoBus, _ desk: CheckDesk) throws {
            if !yes {
                desk.say("Unplug every servo but the one that gets the id \(id).")
                desk.say(ServoText.picture(id))
                desk.ask("Then press return.")
                let hasAnswered = desk.line() != nil
                if desk.wasStopped { throw DeskMover.Stopped() }
                guard hasAnswered else { throw fail("nothing was written", status: 75) }
            }
            desk.say("looking for the servo at \(bus.port); nothing moves ...")
            let servo = try only(bus.search(ids: ServoSearch.usualIDs), bus)
            desk.say("it answers: " + ServoText.line(servo))
            var numbers = try plan(servo)
            guard !numbers.isEmpty else { return desk.say("it has this id and this speed already") }
            if let speed, numbers[.baud] != nil { try bus.checkSpeed(speed) }
            let settings = try bus.carryOut(SettingsReader(servo.family, baud: servo.baud, id: servo.id)).settings
            // The result of a write must be visible.
            numbers.merge(settings.changed([.statusLevel], in: servo.family)) { own, _ in own }
            let words = StoredSetting.allCases.compactMap { setting in
                numbers[setting].map { "\(setting.name) \(servo.family.words($0, of: setting))" }
            }
            desk.say("it gets: \(words.joined(separator: ", "))")
            desk.say("its torque is switched off for this: a head that it holds may sink.")
            if dryRun { return desk.say("dry run: nothing was written") }
            if !yes { try ServoVerb.confirm("write this?", desk) }
            let change = try bus.carryOut(
                SettingsChange(servo.family, id: servo.id, baud: servo.baud, to: numbers), isWhole: true)
            try ServoVerb.finish(change, bus)
            desk.say("the servo has the id \(change.id) at \(change.baud) baud from now on.")
            desk.say("Now plug in the next one. When all have their ids: dockface servo scan --port \(bus.port)")
        }

        /// Returns the one servo that was found.
        /// - Throws: an exit if none or several answered, because the wrong one could get the id.
        private func only(_ found: [FoundServo], _ bus: ServoBus) throws -> FoundServo {
            guard let servo = found.first else {
                throw fail(
                    "no servo answers at \(bus.port): check its supply and its plug; "
                        + "`dockface servo scan --all` asks every id", status: 69)
            }
            guard found.count == 1, !servo.isDamaged else {
                let ids = found.map { "\($0.id)" }.joined(separator: ", ")
                throw fail(
                    "more than one servo answers (id \(ids)), and the wrong one could get the id \(id): "
                        + "unplug all but one, and run the command again", status: 69)
            }
            return servo
        }

        /// Returns the settings that change. It is empty if the servo has them already.
        private func plan(_ servo: FoundServo) throws -> [StoredSetting: Int] {
            guard id <= servo.family.lastID else {
                throw fail("the last id of a \(servo.family.name) servo is \(servo.family.lastID)", status: 64)
            }
            var numbers: [StoredSetting: Int] = [:]
            if id != Int(servo.id) { numbers[.id] = id }
            guard let speed, speed != servo.baud else { return numbers }
            guard let code = servo.family.bauds.firstIndex(of: speed) else {
                let known = servo.family.bauds.map { "\($0)" }.joined(separator: ", ")
                throw fail(
                    "a \(servo.family.name) servo cannot be set to \(speed) baud; its speeds: \(known)", status: 64)
            }
            numbers[.baud] = code
            return numbers
        }
    }

    /// Checks that a change was made.
    /// - Throws: an exit that says what is known.
    static func finish(_ change: SettingsChange, _ bus: ServoBus) throws {
        guard !change.isDone else { return }
        let what = change.problem ?? "the port does not support the servo's new speed, \(change.baud) baud"
        throw fail(
            "\(what); switch the servo's supply off and on, and look with `dockface servo scan --port \(bus.port)`",
            status: 69)
    }
}
