import DockTestKit
import DockTypes
import ExtensionKit
import Gamepad
import Testing

@testable import dockface_pad

/// The settings, and what `--list` and `--map` show.
@Suite struct ConfigurationTests {
    private static func read(_ text: String, _ variables: [String: String] = [:]) throws -> PadConfiguration {
        let folder = TemporaryFolder()
        folder.write(text, to: "pad.toml")
        return try PadConfiguration.read(
            ExtensionSettings("pad", files: [folder.path + "/pad.toml"], environment: variables))
    }

    @Test func `without settings everything is as usual`() throws {
        #expect(try Self.read("").settings == PadSettings())
    }

    @Test func `every setting is read, in percent and seconds`() throws {
        let configuration = try Self.read(
            """
            speed = 80
            fine-speed = 10
            dead-zone = 12
            expo = 0
            invert-tilt = true
            dead-man = "right-trigger"
            silence = 3
            animations = ["wave"]
            device = "Some Pad"
            database = "/srv/pads.txt"
            [buttons]
            south = "face happy"
            up = "preset go door"
            start = "none"
            """)
        let settings = configuration.settings
        #expect(abs(settings.speed - 0.8) < 1e-9 && abs(settings.fineSpeed - 0.1) < 1e-9 && settings.expo == 0)
        #expect(abs(settings.deadZone - 0.12) < 1e-9 && settings.invertsTilt && settings.deadMan == .rightTrigger)
        #expect(settings.silence == 3 && settings.animations == ["wave"])
        #expect(configuration.device == "Some Pad" && configuration.database == "/srv/pads.txt")
        #expect(settings.actions[.south] == .word("face happy") && settings.actions[.start] == PadAction.none)
        #expect(settings.actions[.up] == .motion("preset go door", needsManual: true))
        #expect(settings.actions[.east] == .stop, "the others stay")
    }

    @Test func `variables go before the file`() throws {
        let settings = try Self.read(
            "speed = 80", ["DOCKFACE_PAD_SPEED": "20", "DOCKFACE_PAD_BUTTONS_SOUTH": "stop"]
        ).settings
        #expect(abs(settings.speed - 0.2) < 1e-9 && settings.actions[.south] == .stop)
    }

    @Test(arguments: [
        "speed = 0", "speed = 101", "dead-zone = 2", "dead-man = \"LB\"", "silence = 0", "sped = 5",
        "[buttons]\nsouth = \"quit\"", "[buttons]\nsouth = \"velocity 10 0 for 60\"", "[buttons]\na = \"stop\"",
        "silence = nan",
    ])
    func `a wrong setting is refused with its name`(_ text: String) {
        #expect(throws: DockError.self) { try Self.read(text) }
    }

    @Test func `a database is read from the file that was named, and only from a file`() throws {
        let folder = TemporaryFolder()
        let row = "030000005e0400008e02000010010000,Some Pad,a:b0,leftx:a0,lefty:a1,platform:Linux,\n"
        folder.write(row, to: "pads.txt")
        let (database, path) = try PadDatabaseFile.read(folder.path + "/pads.txt")
        #expect(database.count == 1 && path == folder.path + "/pads.txt")
        for wrong in ["/no/such/file", "/dev/zero", folder.path] {
            #expect(throws: DockError.self) { try PadDatabaseFile.read(wrong) }
        }
    }

    @Test func `the table names every button once, and where it is on a pad`() {
        let mapping = PadMapping(of: PipeDevice.profile, in: PadDatabase())
        let lines = PadList.table(PadSettings(), mapping)
        #expect(lines.contains { $0.hasPrefix("left-shoulder") && $0.contains("dead-man") && $0.contains("key 0x136") })
        #expect(lines.contains { $0.hasPrefix("east ") && $0.contains("stop") && $0.contains("key 0x131") })
        #expect(lines.contains { $0.hasPrefix("south ") && $0.contains("animate yes (with the dead-man)") })
        #expect(lines.contains { $0.hasPrefix("left stick") && $0.contains("axis 0, axis 1") })
        #expect(lines.allSatisfy { $0.count < 100 })
    }

    @Test func `what is pressed is explained, and nothing else`() {
        var view = PadMapView(PadSettings())
        #expect(
            view.lines(for: PadState(buttons: [.leftShoulder, .south])) == [
                "south: animate yes (with the dead-man)", "left-shoulder: dead-man",
            ])
        #expect(view.lines(for: PadState(left: SIMD2(0.01, 0))).isEmpty)
        #expect(view.lines(for: PadState(left: SIMD2(1, 0))) == ["left stick: 100 % of its speed, right"])
        #expect(
            view.lines(for: PadState(left: SIMD2(1, 0), right: SIMD2(0, -1))) == ["right stick: 100 % of its speed, up"]
        )
    }
}
