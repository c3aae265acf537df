import DockControl
import Foundation
import Testing

@testable import Companion

/// Adopted rigs: kept, found again by what they are, and chosen without a word where only one can be meant.
@Suite struct RigTests {
    static let ours = UsbIdentity(vendor: 0x16D0, product: 0x1234, serial: "A1", place: "0000:00:14.0/1:00")
    static let bridge = UsbIdentity(vendor: 0x1A86, product: 0x7523, serial: nil, place: "0000:00:14.0/2:00")

    static func port(_ path: String, _ identity: UsbIdentity?) -> PortInfo {
        PortInfo(path: path, description: "", identity: identity)
    }

    static func rig(_ name: String, _ port: PortName) -> AdoptedRig {
        AdoptedRig(name: name, port: port, profile: "dlp-dock", answered: "x 1", date: "2026-01-31")
    }

    private func withBook(_ use: (RigBook) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "rigs-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try use(RigBook(folder: folder))
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
    func `a damaged file is told, and nothing is written over it`(text: String) throws {
        try withBook { book in
            try StoredFile.write(text, to: book.path)
            #expect(throws: DockError(.configuration, "", hint: "")) { try book.all() }
            #expect(throws: DockError(.configuration, "", hint: "")) { try book.adopt(Self.rig("a", .path("/x"))) }
            #expect(try StoredFile.read(book.path) == text)
        }
    }

    @Test func `an adapter without a number is known by its place, one with a number by that`() {
        #expect(AdoptedRig.name(for: Self.port("/dev/ttyACM0", Self.ours)) == .serial("A1"))
        #expect(AdoptedRig.name(for: Self.port("/dev/ttyUSB0", Self.bridge)) == .place("0000:00:14.0/2:00"))
        #expect(AdoptedRig.name(for: Self.port("/dev/ttyAMA0", nil)) == .path("/dev/ttyAMA0"))
        #expect(Self.bridge.isBridge && !Self.ours.isBridge)
    }

    @Test func `the same device is the same wherever it is plugged in, a nameless one only at its place`() {
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

    @Test func `without a word the one adopted rig that is there is meant, with its profile`() throws {
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

    static let unclear: [(adopted: [AdoptedRig], plugged: [PortInfo], says: String)] = [
        ([], [], "no dock found"),
        ([], [port("/dev/ttyACM0", ours)], "which port is the dock on?"),
        ([rig("desk", .serial("B"))], [port("/dev/ttyACM0", ours)], "\"desk\" is not plugged in"),
        (
            [rig("desk", .serial("A1")), rig("shelf", .place("0000:00:14.0/2:00"))],
            [port("/dev/ttyACM0", ours), port("/dev/ttyUSB0", bridge)], "several adopted rigs are there: desk, shelf"
        ),
    ]

    @Test(arguments: unclear.indices) func `where it is not clear it is asked, and no port is tried out`(index: Int) {
        let row = Self.unclear[index]
        do {
            _ = try RigChoice.choose(port: nil, profile: nil, adopted: row.adopted, plugged: row.plugged)
            Issue.record("it chose")
        } catch {
            #expect(error.message.contains(row.says), "\(error.message)")
        }
    }

    @Test func `names of ports are read, and written as they are typed`() throws {
        for text in ["/dev/ttyACM0", "usb:A1", "place:0000:00:14.0/1.2:00", "tcp:host:2217", "tcp:[fe80::1]:7"] {
            #expect(try PortName(text).description == text)
        }
        #expect(try PortName("tcp:[fe80::1]:7") == .server(host: "fe80::1", port: 7))
        for text in ["", "usb:", "place:", "place:x", "tcp:", "tcp:host", "tcp:host:0", "tcp:host:70000", "tcp::7"] {
            #expect(throws: DockError(.invalidParameter, "", hint: "")) { try PortName(text) }
        }
    }
}
