import DockControl
import DockTypes
import Files
import Foundation
import Testing

@testable import Companion

/// Adopted rigs: kept, recognised by their identity, and chosen without a name if there is only one candidate.
@Suite struct RigTests {
    static let ours = UsbIdentity(vendor: 0x16D0, product: 0x1234, serial: "A1", place: "0000:00:14.0/1:00")
    static let bridge = UsbIdentity(vendor: 0x1A86, product: 0x7523, serial: nil, place: "0000:00:14.0/2:00")

    static func port(_ path: String, _ identity: UsbIdentity?) -> PortInfo {
        PortInfo(path: path, description: "", identity: identity)
    }

    static func rig(_ name: String, _ port: PortName) -> AdoptedRig {
        AdoptedRig(name: name, port: port, profile: "dlp-dock", answered: "x 1", date: "2026-01-31")
    }

    private func withBook(_ use: (RigRegistry) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "rigs-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try use(RigRegistry(folder: folder))
    }

    @Test func `a rig is kept, replaced by its name or its port, and forgotten`() throws {
        try withBook { book in
            #expect(try book.all().isEmpty)
            try book.adopt(Self.rig("desk", .serial("A1")))
            try book.adopt(Self.rig("shelf", .place("0000:00:14.0/2:00")))
            #expect(try book.all().map(\.name) == ["desk", "shelf"])
            #expect(try book.all().first == Self.rig("desk", .serial("A1")))
            try book.adopt(Self.rig("robby", .serial("A1")))
            #expect(try book.all().map(\.name) == ["shelf", "robby"])
            #expect(try book.forget("shelf") && !book.forget("shelf"))
            #expect(try book.all().map(\.name) == ["robby"])
        }
    }

    @Test(arguments: ["[[[", "rig = 3", "[[rig]]\nname = 'x'", "[[rig]]\nname='x'\nport=''\nprofile='y'"])
    func `a damaged file is reported and not overwritten`(text: String) throws {
        try withBook { book in
            try StoredFile.write(text, to: book.path)
            #expect(throws: DockError(.configuration, "", hint: "")) { try book.all() }
            #expect(throws: DockError(.configuration, "", hint: "")) { try book.adopt(Self.rig("a", .path("/x"))) }
            #expect(try StoredFile.read(book.path) == text)
        }
    }

    @Test func `an adapter with a serial number is known by that, one without by its USB place`() {
        #expect(AdoptedRig.name(for: Self.port("/dev/ttyACM0", Self.ours)) == .serial("A1"))
        #expect(AdoptedRig.name(for: Self.port("/dev/ttyUSB0", Self.bridge)) == .place("0000:00:14.0/2:00"))
        #expect(AdoptedRig.name(for: Self.port("/dev/ttyAMA0", nil)) == .path("/dev/ttyAMA0"))
        #expect(Self.bridge.isBridge && !Self.ours.isBridge)
    }

    @Test func `a device is the same wherever it is plugged in, one without a serial number only at its place`() {
        var moved = Self.ours
        moved.place = "0000:00:14.0/7.1:00"
        #expect(moved.isSame(as: Self.ours))
        moved.place = "0000:00:14.0/1:02"
        #expect(!moved.isSame(as: Self.ours), "another port of the same device")
        moved = Self.ours
        moved.serial = "A2"
        #expect(!moved.isSame(as: Self.ours))
        moved.serial = nil
        #expect(!moved.isSame(as: Self.ours))
        var nameless = Self.bridge
        #expect(nameless.isSame(as: Self.bridge))
        nameless.place = "0000:00:14.0/3:00"
        #expect(!nameless.isSame(as: Self.bridge))
        #expect(!Self.bridge.isSame(as: Self.ours))
    }

    @Test func `without a name the only adopted rig that is present is chosen, with its profile`() throws {
        let adopted = [Self.rig("desk", .serial("A1")), Self.rig("shelf", .place("0000:00:14.0/2:00"))]
        let plugged = [Self.port("/dev/ttyACM3", Self.ours)]
        let choice = try RigChoice.choose(port: nil, profile: nil, adopted: adopted, plugged: plugged)
        #expect(choice == RigChoice(port: .serial("A1"), profile: "dlp-dock"))
        let byName = try RigChoice.choose(port: "shelf", profile: "other", adopted: adopted, plugged: plugged)
        #expect(byName == RigChoice(port: .place("0000:00:14.0/2:00"), profile: "other"))
        let byPath = try RigChoice.choose(port: "/dev/ttyACM3", profile: nil, adopted: adopted, plugged: plugged)
        #expect(byPath == RigChoice(port: .path("/dev/ttyACM3"), profile: "dlp-dock"))
        let stranger = try RigChoice.choose(port: "/dev/ttyS0", profile: nil, adopted: adopted, plugged: plugged)
        #expect(stranger == RigChoice(port: .path("/dev/ttyS0"), profile: nil))
    }

    @Test(
        arguments: [
            ("[[[", ":1:3: not TOML"), ("rig = 3", ":1:1: \"rig\" is not a list"),
            ("# mine\n\n[[rig]]\nname = 'x'\nport = '/x'\n", ":3:1: rig 1 needs profile"),
            (
                "[[rig]]\nname='x'\nport='/x'\nprofile='y'\n[[rig]]\n  port = 'usb:'\n",
                ":6:3: \"usb:\" is not a port name"
            ),
            ("[[rig]]\r\nname='x'\r\nport='/x'\r\nprofile = 7\r\n", ":4:1: profile must be a string"),
            ("rig = [{name = 'x'}]\n", ":1:1: rig 1 needs port"), ("[[rig]]\nname = \"x\n", ":2:"),
        ])
    func `a damaged file is reported with its line and column, and what to do`(text: String, says: String) throws {
        try withBook { book in
            try StoredFile.write(text, to: book.path)
            do {
                _ = try book.all()
                Issue.record("it was read")
            } catch let error as DockError {
                #expect(error.message.hasPrefix(book.path + says), "\(error.message)")
                #expect(error.hint.hasPrefix("correct it or move it away"))
            }
            #expect(throws: DockError(.configuration, "", hint: "")) { try book.makeSure() }
        }
    }

    @Test func `whether it can be stored is known in advance, and no file remains`() throws {
        try withBook { book in
            try book.makeSure()
            let folder = String(book.path.dropLast("/rigs.toml".count))
            #expect(!FileManager.default.fileExists(atPath: folder))
            try book.adopt(Self.rig("desk", .serial("A1")))
            try book.makeSure()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["rigs.toml"])
        }
        // No user can create files or folders there, not even root.
        for folder in ["/proc/nobody/dockface", "/proc"] {
            #expect(throws: DockError.self) { try RigRegistry(folder: folder).makeSure() }
        }
    }

    @Test func `whether a rig is present follows from its port or its path's device, and is unknown over the network`()
    {
        let plugged = [Self.port("/dev/ttyACM0", Self.ours)]
        func presence(_ name: PortName) -> RigPresence {
            Self.rig("x", name).presence(plugged: plugged) { $0 == "/tmp/rig" ? "/dev/pts/4" : nil }
        }
        #expect(presence(.serial("A1")) == .there(path: "/dev/ttyACM0") && presence(.serial("B")) == .absent)
        #expect(presence(.place(Self.ours.place)) == .there(path: "/dev/ttyACM0"))
        #expect(presence(.path("/tmp/rig")) == .there(path: "/dev/pts/4") && presence(.path("/tmp/no")) == .absent)
        #expect(presence(.server(host: "h", port: 7)) == .network)
        // A file is not a device, and a link leads to one.
        #expect(RigPresence.device(at: "/etc/passwd") == nil && RigPresence.device(at: "/dev/null") == "/dev/null")
        #expect(Self.rig("x", .path("/by-id/x")).isAt(plugged[0]) { _ in "/dev/ttyACM0" })
    }

    /// A survey of rigs, one per name: "there", "absent", "network", each with the profile "dlp-dock" or none.
    private func survey(_ rigs: [(String, RigPresence)], broken: Bool = false, checked: Bool = false) -> [RigSurvey] {
        rigs.map { name, presence in
            let port: PortName = presence == .network ? .server(host: name, port: 7) : .path("/tmp/\(name)")
            return RigSurvey(
                rig: Self.rig(name, port), presence: presence, problem: broken ? .missing(folders: ["/p"]) : nil,
                isChecked: checked)
        }
    }

    @Test func `each rig has its line, and the list ends with the next steps`() {
        let there = RigPresence.there(path: "/tmp/a"), usb = [Self.port("/dev/ttyACM0", Self.ours)]
        func words(_ rigs: [RigSurvey], _ plugged: [PortInfo] = []) -> [String] {
            RigSurvey.steps(rigs, plugged: plugged).map(\.words)
        }
        #expect(
            RigSurvey.lines(survey([("a", there), ("far", .network)])) == [
                "a    /tmp/a     dlp-dock  connected                    next: dockface check --port a",
                "far  tcp:far:7  dlp-dock  over the network, not tried  next: dockface check --port far",
            ])
        #expect(survey([("a", there)], checked: true)[0].next == "run --port a")
        #expect(survey([("a", there)], broken: true)[0].next == "doctor")
        #expect(survey([("a", .absent)])[0].next == "doctor" && survey([("a", .absent)])[0].place == "not connected")
        #expect(words(survey([("a", there), ("b", .absent), ("far", .network)])) == ["check", "calibrate", "run"])
        #expect(words(survey([("far", .network)])) == ["check", "calibrate", "run"])
        #expect(words(survey([("a", there), ("b", there)]))[2] == "run --port a")
        #expect(words(survey([("b", .absent), ("far", .network)]))[0] == "check --port far")
        #expect(words(survey([("a", there)], broken: true))[..<2] == ["doctor", "adopt --port /tmp/a"])
        #expect(words([]).first == "demo" && words(survey([("a", .absent)]), usb).first == "adopt")
        #expect(RigSurvey.steps([], plugged: usb, isKnown: false).first?.words == "doctor")
    }

    @Test func `a survey finds the profile, why it cannot be used, and whether the dock was checked with it`() throws {
        let folder = NSTemporaryDirectory() + "survey-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try StoredFile.write(ProfileWriter.text(of: .dlpDock, comment: []), to: folder + "/good.toml")
        try StoredFile.write("name = 3", to: folder + "/bad.toml")
        let stamps = CheckStamps(folder: folder), library = ProfileLibrary(folders: [folder])
        try stamps.stamp(dock: "1", at: "/p", profile: try library.load("good"), date: "2026-01-31")
        let rigs = ["good", "bad", "gone", folder + "/gone.toml"].map { name in
            var rig = Self.rig("x", .path("/x"))
            rig.profile = name
            return rig
        }
        let found = RigSurvey.of(rigs, plugged: [], library: library, stamps: stamps) { _ in "/dev/x" }
        #expect(found.map(\.isChecked) == [true, false, false, false])
        #expect(found[0].problem == nil && found[2].problem == .missing(folders: [folder]))
        #expect(found[3].problem == .missing(folders: []))
        guard case .broken(let path, _)? = found[1].problem else {
            Issue.record("\(found[1])")
            return
        }
        #expect(path == folder + "/bad.toml")
    }

    @Test func `a rig over the network is chosen by its name, or if it is the only one`() throws {
        let far = Self.rig("far", .server(host: "h", port: 7)), desk = Self.rig("desk", .serial("A1"))
        let plugged = [Self.port("/dev/ttyACM0", Self.ours)]
        func chosen(_ adopted: [AdoptedRig], _ plugged: [PortInfo], _ name: String? = nil) throws -> PortName {
            try RigChoice.choose(port: name, profile: nil, adopted: adopted, plugged: plugged).port
        }
        #expect(try chosen([far], []) == far.port)
        #expect(try chosen([far, desk], plugged) == desk.port, "it may be off, and the other one is present")
        #expect(try chosen([far, desk], plugged, "far") == far.port)
    }

    static let unclear: [(adopted: [AdoptedRig], plugged: [PortInfo], says: String)] = [
        ([], [], "no dock found"),
        ([], [port("/dev/ttyACM0", ours)], "which port is the dock on?"),
        ([rig("desk", .serial("B"))], [port("/dev/ttyACM0", ours)], "\"desk\" is not plugged in"),
        (
            [rig("desk", .serial("A1")), rig("shelf", .place("0000:00:14.0/2:00"))],
            [port("/dev/ttyACM0", ours), port("/dev/ttyUSB0", bridge)],
            "several adopted rigs are connected: desk, shelf"
        ),
        (
            [rig("far", .server(host: "h", port: 7)), rig("desk", .serial("B"))], [port("/dev/ttyACM0", ours)],
            "\"desk\" is not plugged in (usb:B)"
        ),
        (
            [rig("far", .server(host: "h", port: 7)), rig("off", .server(host: "i", port: 7))], [],
            "All are over the network: far, off"
        ),
        ([rig("desk", .path("/tmp/no-such-rig"))], [], "\"desk\" is not connected (/tmp/no-such-rig)"),
    ]

    @Test(arguments: unclear.indices) func `an ambiguous choice is an error, and no port is probed`(index: Int) {
        let row = Self.unclear[index]
        do {
            _ = try RigChoice.choose(port: nil, profile: nil, adopted: row.adopted, plugged: row.plugged)
            Issue.record("it chose")
        } catch {
            #expect(error.message.contains(row.says), "\(error.message)")
        }
    }

    @Test func `port names are parsed, and written as they are typed`() throws {
        for text in ["/dev/ttyACM0", "usb:A1", "place:0000:00:14.0/1.2:00", "tcp:host:2217", "tcp:[fe80::1]:7"] {
            #expect(try PortName(text).description == text)
        }
        #expect(try PortName("tcp:[fe80::1]:7") == .server(host: "fe80::1", port: 7))
        for text in ["", "usb:", "place:", "place:x", "tcp:", "tcp:host", "tcp:host:0", "tcp:host:70000", "tcp::7"] {
            #expect(throws: DockError(.invalidParameter, "", hint: "")) { try PortName(text) }
        }
    }
}
