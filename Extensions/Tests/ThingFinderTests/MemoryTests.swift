import ControlProtocol
import DockTestKit
import DockTypes
import Foundation
import Geometry
import Testing

@testable import ThingFinder

/// What is remembered, and how it is forgotten.
@Suite struct MemoryTests {
    static func remembrance(_ name: String) throws -> Remembrance {
        Remembrance(AskingTests.thing(), named: try Wish(name), isVerified: true)
    }

    @Test func `a thing is remembered once, by its name`() throws {
        var memory = RoomMemory()
        memory.remember(try Self.remembrance("cup"), now: 10)
        memory.remember(try Self.remembrance("Keys"), now: 20)
        memory.remember(try Self.remembrance("cup"), now: 30)
        #expect(memory.things.map(\.name) == ["cup", "keys"] && memory.thing(named: "CUP")?.seen == 30)
        let isForgotten = [memory.forget("Cup"), memory.forget("cup")]
        #expect(isForgotten == [true, false])
        memory.forgetAll()
        #expect(memory.things.isEmpty)
    }

    @Test func `of 65 things the one that was not asked for longest goes`() throws {
        var memory = RoomMemory()
        for number in 0..<64 { memory.remember(try Self.remembrance("thing \(number)"), now: Double(number)) }
        memory.use("thing 0", now: 100)
        memory.remember(try Self.remembrance("cup"), now: 101)
        #expect(memory.things.count == RoomMemory.most)
        #expect(memory.thing(named: "thing 0") != nil && memory.thing(named: "thing 1") == nil)
    }

    @Test func `looks that do not show a thing make it less sure, and enough of them make it gone`() throws {
        var memory = RoomMemory()
        memory.remember(try Self.remembrance("cup"), now: 1)
        memory.missed("cup")
        #expect(memory.thing(named: "cup").map { abs($0.certainty - 0.3) < 1e-9 } == true)
        memory.missed("cup")
        memory.missed("cup")
        #expect(memory.thing(named: "cup") == nil)
    }

    @Test func `the file has everything, and only its owner can read it`() throws {
        let folder = TemporaryFolder(), path = folder.path + "/state/find.json"
        #expect(try RoomMemory.read(path).things.isEmpty)
        var memory = RoomMemory()
        memory.remember(try Self.remembrance("brown cup"), now: 1_700_000_000)
        try memory.write(to: path)
        let read = try #require(try RoomMemory.read(path).things.first), kept = memory.things[0]
        #expect(read.name == "brown cup" && read.label == "cup" && read.isVerified && read.seen == 1_700_000_000)
        #expect(read.bearing.angle(to: kept.bearing) < 1e-5 && abs(read.width - kept.width) < 1e-5)
        #expect(read.looks == [.zero] && kept.looks == [.zero])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a damaged file is named, and a damaged entry is left out`() throws {
        let folder = TemporaryFolder(), path = folder.path + "/find.json"
        for text in ["", "{", "[]", #"{"version":2,"things":[]}"#, #"{"version":1}"#] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(throws: DockError.self) { try RoomMemory.read(path) }
        }
        var members = try #require(Self.remembrance("cup").json.object)
        let good = JSONValue.object(members)
        for (name, value) in [
            ("name", JSONValue.string("a\u{1B}b")), ("pan", .number(100)), ("spread", .number(-1)),
            ("certainty", .number(2)), ("label", .number(7)), ("width", .null),
        ] {
            members = try #require(good.object)
            members[name] = value
            #expect(Remembrance(json: .object(members)) == nil, "\(name)")
        }
        // Poses that cannot be are left out, and a file from before they were kept has none.
        let poses = [PanTilt(pan: 100, tilt: 0), PanTilt(pan: 1, tilt: 0.5)]
        let wild = JSONValue.array([.number(1)] + poses.map(JSONValue.panTilt))
        for (looks, left) in [(wild, 1), (.number(7), 0), (.null, 0)] {
            members = try #require(good.object)
            members["looks"] = looks
            #expect(Remembrance(json: .object(members))?.looks.count == left)
        }
        let many = JSONValue.object(["version": .number(1), "things": .array(Array(repeating: good, count: 100))])
        try String(decoding: many.bytes, as: UTF8.self).write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try RoomMemory.read(path).things.count == RoomMemory.most)
    }
}
