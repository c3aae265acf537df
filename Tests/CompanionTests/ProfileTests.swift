import Files
import Foundation
import DockControl
import Geometry
import Glibc
import Testing
import TestSupport

@testable import Companion

@Suite struct ProfileTests {
    static let right = """
        name = "x"
        driver = "dlp"
        serial = { baud = 9600 }
        camera = { hfov = 80.5, mount = "fixed" }

        [pan]
        min = -170
        max = 170
        max_speed = 120
        max_acceleration = 600

        [tilt]
        min = -30.5
        max = 80
        max_speed = 60
        max_acceleration = 300
        invert = true
        """

    @Test func `a correct file is read, in radians and seconds`() throws {
        let profile = try ProfileReader.read(Self.right, file: "x.toml")
        #expect(profile.serial.baud == 9600)
        #expect(abs(profile.camera.horizontalFieldOfView.inDegrees - 80.5) < 1e-9)
        #expect(profile.camera.mount == .fixed)
        #expect(abs(profile.tilt.range.lowerBound.inDegrees + 30.5) < 1e-9)
        #expect(profile.tilt.invert && !profile.pan.invert)
        #expect(profile.pan.lag == 0.04)
    }

    static let wrong: [(String, String, String)] = [
        ("max_speed = 60", "max_sped = 60", "did you mean \"max_speed\""),
        ("max_speed = 60", "max_sped = 60", "x.toml:15:1"),
        ("baud = 9600", "baud = \"fast\"", "expected a whole number from 300 to 4000000"),
        ("baud = 9600", "baud = 9600, bold = 1", "x.toml:3:1: \"serial.bold\" is unknown"),
        ("min = -170\n", "", "\"pan.min\" is missing: expected a number"),
        ("min = -30.5", "min = 90", "\"tilt.min\" must be less than \"tilt.max\""),
        ("invert = true", "invert = 1", "expected true or false"),
        ("invert = true", "home = 80", "\"tilt.home\" must be between"),
        ("\"fixed\"", "\"roof\"", "expected \"head\" or \"fixed\""),
        ("driver = \"dlp\"", "driver = \"dpl\"", "did you mean \"dlp\""),
        ("name = \"x\"", "name = ", "x.toml:1:"),
        ("name = \"x\"", "nam = \"x\"", "did you mean \"name\""),
        ("max = 80", "max = nan", "\"tilt.max\" is wrong"),
        ("invert = true", "[options]\nspeed_unit = 3", "has no option \"speed_unit\""),
        ("driver = \"dlp\"", "driver = \"\"", "x.toml:2:1: there is no driver \"\"; there are: dlp"),
        ("name = \"x\"", "options = 5\nname = \"x\"", "x.toml:1:1: \"options\" is wrong: expected a table"),
        ("invert = true", "[[options]]\nspeed = 3", "x.toml:17:1: \"options\" is wrong: expected a table"),
    ]

    @Test(arguments: wrong)
    func `a wrong file is refused with place, expectation and suggestion`(old: String, new: String, expected: String) {
        let text = Self.right.replacing(old, with: new, maxReplacements: old == "max_speed = 60" ? 1 : 9)
        do {
            _ = try ProfileReader.read(text, file: "x.toml")
            Issue.record("was accepted")
        } catch {
            #expect(error.description.contains(expected), "said: \(error.description)")
        }
    }

    @Test func `errors in a file with CR LF line ends have their places, too`() {
        let text = Self.right.replacing("max_acceleration = 300", with: "max_sped = 3").replacing("\n", with: "\r\n")
        do {
            _ = try ProfileReader.read(text, file: "x.toml")
            Issue.record("was accepted")
        } catch {
            #expect(error.description.contains("x.toml:16:1: \"tilt.max_sped\" is unknown"), "said: \(error)")
        }
    }

    @Test(.timeLimit(.minutes(10))) func `anything but a regular file is an error, without waiting`() throws {
        let folder = TemporaryFile.freePath("profiles")
        try FileManager.default.createDirectory(atPath: folder + "/b.toml", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(mkfifo(folder + "/a.toml", 0o600) == 0)
        let said = ProfileLibrary(folders: [folder]).all().map { entry in
            if case .failure(let error) = entry.profile { error.description } else { "" }
        }
        #expect(said.count == 2 && said[0] == "\(folder)/a.toml: cannot be read: it is not a regular file", "\(said)")
        #expect(said.last?.hasSuffix("cannot be read: Is a directory") == true, "\(said)")
    }

    @Test func `all problems are reported at once, in the order of the file`() {
        let text = Self.right.replacing("baud = 9600", with: "baud = true").replacing(
            "invert = true", with: "lag_ms = -1")
        do {
            _ = try ProfileReader.read(text, file: "x.toml")
            Issue.record("was accepted")
        } catch {
            #expect(error.problems.count == 2)
            #expect(error.problems.map { $0.line ?? 0 } == [3, 17])
        }
    }

    @Test func `the bundled profiles are valid, and ours equals the built-in one`() throws {
        let folder = #filePath.replacing("Tests/CompanionTests/ProfileTests.swift", with: "profiles")
        let library = ProfileLibrary(folders: [folder])
        #expect(library.all().count >= 2)
        for entry in library.all() {
            if case .failure(let error) = entry.profile { Issue.record("\(error)") }
        }
        let ours = try library.load("dlp-dock")
        #expect(ours.pan == RigProfile.dlpDock.pan && ours.camera == RigProfile.dlpDock.camera)
    }

    @Test func `the error for a missing profile names the existing ones`() {
        let folder = #filePath.replacing("Tests/CompanionTests/ProfileTests.swift", with: "profiles")
        do {
            _ = try ProfileLibrary(folders: [folder]).load("dlp-dok")
            Issue.record("was found")
        } catch {
            #expect(error.description.contains("did you mean \"dlp-dock\"?"))
        }
    }

    @Test func `a profile known only by a relative path is stored with its absolute path`() {
        let root = #filePath.replacing("Tests/CompanionTests/ProfileTests.swift", with: "")
        let folder = FileManager.default.currentDirectoryPath + "/"
        let up = String(repeating: "../", count: folder.split(separator: "/").count)
        let library = ProfileLibrary(folders: [up + root.dropFirst() + "profiles"])
        #expect(library.absolute("dlp-dock") == root + "profiles/dlp-dock.toml")
        #expect(library.absolute(up + root.dropFirst() + "README.md") == root + "README.md")
        let everywhere = ProfileLibrary(folders: [root + "profiles"])
        for name in ["dlp-dock", "gone", "/etc/passwd", "gone.toml"] { #expect(everywhere.absolute(name) == name) }
    }
}
