import ControlProtocol
import DockTypes
import Geometry
import Testing
import ThingFinder

@testable import dockface_find

/// What the program reads of the daemon, and what it prints.
@Suite struct RigTests {
    private static func accessory(_ change: (inout AccessoryReading) -> Void = { _ in }) -> AccessoryReading {
        var reading = AccessoryReading()
        (reading.isDocked, reading.dock, reading.mode) = (true, "ready", .manual)
        change(&reading)
        return reading
    }

    @Test func `a head that is free may be turned`() {
        #expect(FindFeed.interruption(Self.accessory()) == nil)
        #expect(FindFeed.interruption(Self.accessory { $0.control = "lease" }) == nil)
    }

    @Test func `whatever takes the head from the search interrupts it, with the reason`() {
        let cases: [(String, (inout AccessoryReading) -> Void)] = [
            ("a person has stopped the dock", { $0.stoppedBy = "person" }),
            ("a program has stopped the dock", { $0.stoppedBy = "program" }),
            ("a person has the head", { $0.control = "keys" }), ("a person has the head", { $0.control = "words" }),
            ("the torque is off", { $0.hasTorque = false }),
            ("the mode was set to system", { $0.mode = .system }),
            ("the dock is faulted: stall", { ($0.dock, $0.reason) = ("faulted", "stall") }),
            ("the dock is detached", { $0.dock = "detached" }),
        ]
        for (words, change) in cases {
            #expect(FindFeed.interruption(Self.accessory(change)) == words)
        }
    }

    private static func status(mount: String = "head", _ limits: String) throws -> StatusReading {
        let camera = #"{"hfov":1.15,"mount":"\#(mount)","direction":null,"lens":null,"aspect":null}"#
        let rig = #"{"name":"","port":"","profile":null,"cameras":[\#(camera)],"stand":null}"#
        var accessory = Self.accessory()
        accessory.limits = JSONValue(json: limits.utf8).flatMap(LimitsReading.init(json:))
        var face = FaceReading()
        face.expression = "joy"
        let members: [String: JSONValue] = [
            "version": .string("0"), "uptime": .number(1), "accessory": accessory.json, "motion": MotionReading().json,
            "tracking": TrackingReading().json, "battery": BatteryReading().json, "face": face.json,
            "rig": try #require(JSONValue(json: rig.utf8)),
        ]
        return try #require(StatusReading(json: .object(members)))
    }

    private static let limits = #"{"pan":{"min":-3,"max":3,"speed":2},"tilt":{"min":-0.5,"max":1,"speed":1}}"#

    @Test func `the rig's range and pace, and the lens of the picture, make the search`() throws {
        var answer = DetectionsReading()
        answer.size = (640, 480)
        let sight = try RigSight(Self.status(Self.limits), answer)
        #expect(sight.range.pan == -3...3 && sight.range.tilt == -0.5...1 && sight.pace.speed == 1)
        #expect(abs(sight.eye.field.pan - 1.15) < 1e-6 && sight.eye.field.tilt < sight.eye.field.pan)
        #expect(sight.fits(answer))
        answer.zoom = 2
        #expect(!sight.fits(answer))
        let zoomed = try RigSight(Self.status(Self.limits), answer)
        #expect(zoomed.eye.field.pan < 0.7)
    }

    @Test func `without a dock, or with a camera that does not turn, there is no search`() throws {
        let answer = DetectionsReading(), status = try Self.status(mount: "fixed", Self.limits)
        #expect(throws: DockError(.notSupported, "", hint: "")) { try RigSight(status, answer) }
        for limits in ["null", #"{"pan":{"min":2,"max":1,"speed":null},"tilt":{"min":0,"max":0,"speed":null}}"#] {
            let status = try Self.status(limits)
            #expect(throws: DockError(.notConnected, "", hint: "")) { try RigSight(status, answer) }
        }
        var odd = DetectionsReading()
        odd.size = (1, 0)
        let sound = try Self.status(Self.limits)
        #expect(throws: DockError.self) { try RigSight(sound, odd) }
    }

    @Test func `numbers and places are words`() throws {
        #expect([-0.04, -12.36, 7, 0.95].map(FindWords.tenths) == ["0.0", "-12.4", "7.0", "1.0"])
        var progress = FinderProgress()
        (progress.reason, progress.looks, progress.share, progress.timeLeft) = ("looking round", 3, 0.219, 100.2)
        let wish = try Wish("cup")
        let line = "cup: searching, looking round (3 looks, 21 % of the room, 101 s left)"
        #expect(FindWords.line(wish, progress) == line)
        let json = FindWords.json(wish, progress, bearing: PanTilt(pan: 1, tilt: 0))
        #expect(json["phase"]?.string == "searching" && json["bearing"]?.panTilt == PanTilt(pan: 1, tilt: 0))
    }
}
