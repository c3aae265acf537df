import DockControl
import Files
import Geometry
import Testing

@testable import Companion

/// What is written reads back the same, key by key.
@Suite struct ProfileWriterTests {
    private func again(_ profile: RigProfile) throws -> RigProfile {
        try ProfileReader.read(ProfileWriter.text(of: profile, comment: ["by a test"]), file: "written.toml")
    }

    @Test func `every bundled profile is read, written and read back as it was`() throws {
        let folder = #filePath.replacing("Tests/CompanionTests/ProfileWriterTests.swift", with: "profiles")
        let entries = ProfileLibrary(folders: [folder]).all()
        #expect(entries.count >= 13)
        for entry in entries {
            let profile = try entry.profile.get()
            #expect(try again(profile) == profile, "\(entry.name)")
        }
    }

    @Test func `a listing has every key with its value, and says which ones are defaults`() throws {
        let listing = try ProfileListing(ProfileTests.right, file: "x.toml")
        #expect(listing.profile == (try ProfileReader.read(ProfileTests.right, file: "x.toml")))
        #expect(
            Set(listing.rows.map(\.key)).isSuperset(of: ProfileTable.rows.filter { !$0.isRare }.map(\.name)))
        for key in ["name", "driver", "pan.min", "tilt.max"] {
            #expect(listing.rows.contains { $0.key == key && !$0.isDefault }, "\(key)")
        }
        // A file with all values has no defaults left, except the keys that have none.
        let whole = try ProfileListing(ProfileWriter.text(of: listing.profile), file: "y.toml")
        #expect(whole.rows.map(\.value) == listing.rows.map(\.value))
        #expect(whole.rows.allSatisfy { $0.isDefault == ($0.value == "not set") }, "\(whole.rows)")
        let bare = try ProfileListing(
            "name = \"x\"\ndriver = \"dlp\"\n"
                + ["pan", "tilt"].map { "[\($0)]\nmin = -10\nmax = 10\nmax_speed = 5\nmax_acceleration = 9\n" }.joined(),
            file: "z.toml")
        #expect(bare.rows.filter { !$0.isDefault }.count == 10)
        #expect(bare.rows.contains(.init(key: "camera.mount", value: "\"head\"", isDefault: true)))
    }

    /// Sets every key to a value other than its default, so that a forgotten one shows.
    @Test func `a second camera has its own lens and mount, and defaults of its own`() throws {
        let text = ProfileTests.right + "\n[camera2]\nhfov = 100\nmount = \"fixed\"\npan_offset = 12\n"
        let profile = try ProfileReader.read(text, file: "x.toml"), camera = profile.camera(at: 1)
        #expect(camera.mount == .fixed && abs(camera.horizontalFieldOfView.inDegrees - 100) < 1e-9)
        #expect(abs(camera.offset.pan.inDegrees - 12) < 1e-9 && !camera.mirror)
        #expect(profile.camera(at: 2) == profile.camera, "one that is not described is like the first")
        #expect(try again(profile) == profile)
        #expect(try ProfileListing(text, file: "x.toml").rows.contains { $0.key == "camera2.hfov" && !$0.isDefault })
        let error = #expect(throws: FileError.self) {
            try ProfileReader.read(text + "rotate = 45\n", file: "x.toml")
        }
        #expect(error?.description.contains("\"camera2.rotate\" is wrong: expected 0, 90, 180 or 270") == true)
    }

    @Test func `no key is forgotten`() throws {
        var text = ""
        var table: [String] = []
        for row in ProfileTable.rows {
            let folder = Array(row.path.dropLast())
            if folder != table { text += "[\(folder.joined(separator: "."))]\n" }
            table = folder
            let value: String
            switch row.kind {
            case .text:
                value = row.name == "driver" ? "\"feetech\"" : "\"a \\\"b\\\" \\\\ c # [d] \u{e9} \(row.name)\""
            case .oneOf(let words): value = "\"\(row.name == "display.mount" ? words[0] : words[words.count - 1])\""
            case .flag: value = "\(row.name != "serial.dtr")"
            case .whole: value = row.name.hasSuffix(".rotate") ? "90" : "57600"
            case .number(let range): value = row.name.hasSuffix("min") ? "-77.7" : Self.inside(row.name, range)
            case .texts, .colour, .curve:
                Issue.record("a profile has no \(row.name)")
                continue
            }
            text += "\(row.path.last ?? "") = \(value)\n"
        }
        text += "[options]\npan_id = 7\nspeed_unit_steps = 0.732\n"
        let profile = try ProfileReader.read(text, file: "x.toml")
        #expect(profile.options.count == 2 && profile.matchSerial.contains("\u{e9}"))
        #expect(try again(profile) == profile)
        for row in ProfileTable.rows { #expect(row.get(profile) != nil, "\(row.name)") }
        // The comparison sees those values, not the defaults.
        let none = RigProfile.AxisProfile(range: 0...0, maxSpeed: 1, maxAcceleration: 1)
        let plain = RigProfile(name: "", driver: "", pan: none, tilt: none)
        let same = ProfileTable.rows.filter { row in row.get(profile).map { "\($0)" } == row.get(plain).map { "\($0)" }
        }
        #expect(same.map(\.name) == ["serial.dtr"])
    }

    /// Control characters, a line break, reversed reading direction, an invisible letter.
    @Test(arguments: ["\\u0007", "\\n", "\\u009b", "\\u202e", "\\u200b"])
    func `a text with control characters is refused with its place`(hidden: String) throws {
        let text = ProfileTests.right.replacing(/name *= "/, with: "name = \"\(hidden)")
        let error = #expect(throws: FileError.self) { try ProfileReader.read(text, file: "x.toml") }
        #expect(error?.description.contains("\"name\" is wrong: expected a string in quotes, without control") == true)
    }

    private static func inside(_ name: String, _ range: ClosedRange<Double>) -> String {
        switch name.split(separator: ".").last {
        case "max": "66.6"
        case "home": "1.7"
        case "soft_margin": "3.3"
        // A lens must fit its pictures.
        case "width": "641.5"
        case "height", "fx", "fy": "482.5"
        case "cx", "cy": "250.25"
        default: "\(range.lowerBound + (range.upperBound - range.lowerBound) * 0.37)"
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>) func `ragged numbers are written as they are`(seed: UInt64) throws {
        var state = seed
        func random(_ range: ClosedRange<Double>) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 11)
                / 9_007_199_254_740_992
        }
        var profile = RigProfile.dlpDock
        profile.commandLatency = random(0...0.4)
        profile.pan.lag = random(0...0.9)
        profile.pan.range = random(-3 ... -1)...random(1...3)
        profile.tilt.maxAcceleration = random(1...300)
        let read = try again(profile)
        // An angle in degrees has no better neighbour: the last bit may differ.
        #expect(
            abs(read.commandLatency - profile.commandLatency) < 1e-12 && abs(read.pan.lag - profile.pan.lag) < 1e-12)
        #expect(abs(read.pan.range.lowerBound - profile.pan.range.lowerBound) < 1e-12)
        #expect(abs(read.tilt.maxAcceleration - profile.tilt.maxAcceleration) < 1e-9)
    }

    @Test func `numbers are written as a person would`() {
        let text = ProfileWriter.text(of: .dlpDock)
        #expect(
            text.contains("\nlatency_ms = 15\n") && text.contains("\nmax_speed = 120\n") && text.contains("hfov = 66\n")
        )
    }
}
