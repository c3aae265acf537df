import Companion
import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// The first minutes with a rig: what is plugged in, which rig it is, and a run without a word about ports.
    @Suite(.timeLimit(.minutes(1))) struct FirstMinutes {
        private func setUp(_ folder: String) -> Program.Setup {
            var setup = Program.Setup()
            setup.environment = ["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder]
            return setup
        }

        private func profile(_ name: String) -> String {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().path + "/profiles/\(name).toml"
        }

        @Test func `a rig is adopted by answers on standard input, and from then on no port must be named`() throws {
            let folder = TemporaryFile.freePath("adopt"), link = TemporaryFile.freePath("rig")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let file = profile("dynamixel-xl330-pair")
            let rig = try SimulatedRigs.port(for: try ProfileLibrary.read(file).get(), link: link)
            defer { rig.close() }
            // The wrong protocol first: nobody answers, and the question comes again.
            let adopt = try Program(["adopt", "--port", link, "--name", "robby"], setUp(folder))
            #expect(adopt.wait { adopt.output.contains("number or name") })
            adopt.tell(profile("feetech-sts3215-pair"))
            #expect(adopt.wait(15) { adopt.output.contains("nothing answers at") }, "\(adopt.output)")
            adopt.tell(file)
            #expect(adopt.wait { adopt.output.contains("XL330-M288") }, "\(adopt.output)")
            adopt.tell("y")
            #expect(adopt.end() == .exit(0) && adopt.output.contains("adopted"), "\(adopt.output) \(adopt.errors)")
            #expect(rig.rate.magnitude < .degrees(0.5), "nothing moves")
            let run = try Program(
                ["run", "--headless", "--detector", "none", "--mode", "manual", "--socket", "none"], setUp(folder))
            #expect(run.wait(15) { run.errors.contains("dock ready: XL330-M288") }, "\(run.errors)")
            run.tell("quit")
            #expect(run.end() == .exit(0))
            let forget = try Program(["adopt", "--forget", "robby"], setUp(folder))
            #expect(forget.end() == .exit(0) && forget.output == "\"robby\" is forgotten\n")
            let again = try Program(["run", "--headless", "--detector", "none"], setUp(folder))
            #expect(again.end() == .exit(69), "\(again.errors)")
        }

        @Test func `who says no, or nothing, adopts nothing`() throws {
            let folder = TemporaryFile.freePath("adopt"), link = TemporaryFile.freePath("rig")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let dock = try SimulatedDockPort(link: link)
            defer { dock.close() }
            let arguments = ["adopt", "--port", link, "--profile", profile("dlp-dock")]
            let refuse = try Program(arguments, setUp(folder))
            refuse.tell("n")
            #expect(refuse.end() == .exit(75) && refuse.errors.contains("nothing is kept"))
            let silent = try Program(arguments, setUp(folder))
            silent.closeInput()
            #expect(silent.end() == .exit(75))
            let nowhere = try Program(
                ["adopt", "--port", "usb:NOBODY", "--profile", profile("dlp-dock")], setUp(folder))
            #expect(nowhere.end() == .exit(69) && nowhere.errors.contains("NOBODY"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/dockface/rigs.toml"))
            #expect(dock.statistics.setpoints == dock.statistics.stops, "no motion was written")
        }

        @Test func `bare dockface says what comes next, and the doctor what is wrong`() throws {
            let folder = TemporaryFile.freePath("adopt")
            let bare = try Program([], setUp(folder))
            #expect(bare.end() == .exit(0) && bare.output.contains("Next:") && bare.output.contains("dockface doctor"))
            let doctor = try Program(["doctor", "--json"], setUp(folder))
            #expect(doctor.end() != nil)
            let json = JSON(line: Array(doctor.output.utf8))
            #expect(json["worst"].string != nil && !json["findings"].array.isEmpty, "\(doctor.output)")
        }
    }
}
