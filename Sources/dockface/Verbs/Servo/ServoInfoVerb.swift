import ArgumentParser
import ControlProtocol
import DockControl

extension ServoVerb {
    /// `dockface servo info`: the settings that a servo keeps.
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Show the settings that a servo keeps, and what contradicts the rig's profile. Nothing is written.")

        @Argument(help: "The servo's id.")
        var id: Int

        @OptionGroup var place: ServoOptions

        @Flag(help: "Print one JSON line; everything else goes to standard error.")
        var json = false

        mutating func validate() throws { try ServoVerb.check(id) }

        func run() throws { try ServoVerb.withBus(place, usesErrors: json) { try show($0, $1) } }

        private func show(_ bus: ServoBus, _ desk: CheckDesk) throws {
            let servo = try bus.locate(UInt8(clamping: id)), family = servo.family
            let reader = try bus.carryOut(SettingsReader(family, baud: servo.baud, id: servo.id))
            let settings = reader.settings
            let findings = bus.profile.map { ServoFinding.all(in: settings, of: servo.id, for: $0) } ?? []
            if json {
                let rows = family.settings.map { Self.json($0, settings, family) }
                let found = findings.map {
                    JSONValue.object(["text": .string($0.text), "forbidsMotion": .bool($0.forbidsMotion)])
                }
                return ServoText.printJSON([
                    "port": .string(bus.port), "servo": ServoText.json(servo), "settings": .array(rows),
                    "findings": .array(found),
                ])
            }
            desk.say(ServoText.line(servo))
            for setting in family.settings { desk.say("  " + Self.line(setting, settings, family)) }
            if !reader.isComplete { desk.say("some settings could not be read: \(Self.level(settings))") }
            for finding in findings { desk.say("-> \(finding.text)") }
            guard let profile = bus.profile else { return }
            if !ServoText.ids(of: profile).contains(servo.id) {
                desk.say("servo \(servo.id) is not part of the rig \"\(profile.name)\"")
            } else if findings.isEmpty, reader.isComplete {
                desk.say("nothing contradicts the profile")
            }
        }

        private static func level(_ settings: StoredSettings) -> String {
            settings[.statusLevel] == 0
                ? "the servo answers pings only" : "the line is bad, or the model has less memory"
        }

        /// Returns a row of the table: the setting, its number in words, and the factory's if it differs.
        private static func line(
            _ setting: StoredSetting, _ settings: StoredSettings, _ family: ServoFamily
        ) -> String {
            let name = setting.name.padded(22)
            guard let number = settings[setting] else { return name + "not read" }
            let text = family.words(number, of: setting)
            guard let factory = family.factory(setting), factory != number else { return name + text }
            return name + text.padded(16) + "factory: \(family.words(factory, of: setting))"
        }

        private static func json(
            _ setting: StoredSetting, _ settings: StoredSettings, _ family: ServoFamily
        ) -> JSONValue {
            let number = settings[setting]
            return .object([
                "name": .string(setting.name), "number": .number(orNull: number.map { Double($0) }),
                "text": .string(orNull: number.map { family.words($0, of: setting) }),
                "factory": .number(orNull: family.factory(setting).map { Double($0) }),
            ])
        }
    }

    /// Checks that a servo can have an id.
    static func check(_ id: Int) throws {
        guard (0...253).contains(id) else { throw ValidationError("An id is 0 to 253 (Dynamixel: 0 to 252).") }
    }
}
