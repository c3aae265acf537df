import Companion
import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

/// `dockface doctor` in the first minutes.
extension ProgramTests.FirstMinutes {
    @Test func `what a run refuses at its start, the doctor reports with the same remedy`() throws {
        let folder = TemporaryFile.freePath("open folder"), settings = TemporaryFile.freePath("settings")
        defer { for path in [folder, settings] { try? FileManager.default.removeItem(atPath: path) } }
        mkdir(folder, 0o700)
        chmod(folder, 0o777)
        try "prot = 'sim'\n".write(toFile: settings, atomically: true, encoding: .utf8)
        var place = setUp(folder)
        let run = try Program(["run", "--port", "sim", "--headless", "--detector", "none"], place)
        #expect(run.end() == .exit(77) && run.errors.contains("chmod go-w '\(folder)'"), "\(run.errors)")
        place.environment["DOCKFACE_CONFIG"] = settings
        let doctor = try Program(["doctor"], place)
        #expect(doctor.end() == .exit(1))
        for words in [
            "BAD      socket:", "BAD      latches:", "chmod go-w '\(folder)'", "BAD      settings: \(settings):1:1",
        ] {
            #expect(doctor.output.contains(words), "\(words) \(doctor.output)")
        }
        place.environment["XDG_RUNTIME_DIR"] = folder + "/gone/run"
        let gone = try Program(["doctor"], place)
        #expect(gone.end() == .exit(1))
        #expect(gone.output.contains("WARNING  socket: cannot use the folder \(folder)/gone"), "\(gone.output)")
        #expect(!doctor.output.contains("777"), "\(doctor.output)")
    }

    @Test func `bare dockface names the next step, and the doctor names the problems`() throws {
        let folder = TemporaryFile.freePath("adopt")
        let bare = try Program([], setUp(folder))
        #expect(bare.end() == .exit(0) && bare.output.contains("Next:") && bare.output.contains("dockface doctor"))
        let doctor = try Program(["doctor", "--json"], setUp(folder))
        #expect(doctor.end() != nil)
        let json = JSON(line: Array(doctor.output.utf8))
        #expect(json["worst"].string != nil && !json["findings"].array.isEmpty, "\(doctor.output)")
    }
}
