import ControlProtocol
import DockTestKit
import Foundation
import Geometry
import Testing

@testable import Aerie
@testable import Room

@Suite("a room that is sent rubbish")
struct FuzzTests {
    /// Messages of each seed. DOCKFACE_THOROUGH: many more; DOCKFACE_FUZZ: that number.
    private static let messages: Int = {
        let variables = ProcessInfo.processInfo.environment
        return variables["DOCKFACE_FUZZ"].flatMap(Int.init)
            ?? (variables["DOCKFACE_THOROUGH"] == nil ? 5_000 : 2_500_000)
    }()

    /// Messages that are right, to begin with.
    private static func seeds() -> [(kind: MessageKind, payload: [UInt8])] {
        let bench = Bench()
        let frame = Scene.view(x: 0, heading: 0, of: [Scene.person(x: 0, z: -3)], time: bench.moment.unix)
        return [
            (.authRequest, JSONValue.object(bench.request().members).bytes), (.cameraFrame, frame.payload()),
            (.heartbeat, Array("{}".utf8)), (.poseBroadcast, Array(#"{"timestamp":1,"poses":[]}"#.utf8)),
        ]
    }

    private static let pieces: [[UInt8]] = [
        "null", "1e999", "-1e308", "[]", "{}", "\"\"", "\"\\u0000\"", "1e-400", "9223372036854775808", "true", "[[[[",
        "\u{1B}[2J", "NaN", "\"a\":", "0.1", "640", "-0",
    ].map { Array($0.utf8) }

    private static func changed(_ bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...4, using: &dice) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &dice)
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &dice)
            case 1: bytes.remove(at: at)
            case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...40, using: &dice)))
            case 3: bytes.insert(contentsOf: pieces.randomElement(using: &dice) ?? [], at: at)
            default:
                // A number, or another value, in place of what stands between two commas.
                let end = bytes[at...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
                bytes.replaceSubrange(at..<end, with: pieces.randomElement(using: &dice) ?? [])
            }
        }
        return bytes
    }

    @Test("no message stops it, gets in, or makes it grow", arguments: 0..<4 as Range<UInt64>)
    func rubbish(_ seed: UInt64) {
        var dice = Dice(seed), bench = Bench(), seeds = Self.seeds()
        var robot = bench.robot(), stranger = bench.open("STRANGER", from: "10.0.0.9")
        for number in 0..<Self.messages {
            let seed = seeds.randomElement(using: &dice) ?? seeds[0]
            var payload = Self.changed(seed.payload, &dice)
            if dice.once(in: 50) { payload = [UInt8](repeating: UInt8(ascii: "["), count: 3_000) }
            var text = Envelope.text(seed.kind, at: WireTime(unix: bench.moment.unix), payload: payload)
            if dice.once(in: 3) { text = Self.changed(text, &dice) }
            // A signature of the secret that a change has left right is no way in for a stranger: it names the robot.
            bench.say(dice.once(in: 4) ? stranger : robot, text)
            if bench.isIn(stranger) { Issue.record("message \(number) let a stranger in") }
            guard number % 64 == 0 else { continue }
            bench.run(0.2)
            bench.clear()
            if bench.closed[stranger] != nil || dice.once(in: 9) {
                bench.close(stranger)
                bench.run(60)
                stranger = bench.open("STRANGER", from: "10.0.0.9")
            }
            if !bench.isIn(robot) {
                // Its own wrong requests have closed the door for a minute.
                bench.run(61)
                robot = bench.robot()
                seeds = Self.seeds()
            }
        }
        #expect(bench.room.clients.count <= 2)
        bench.run(61)
        let last = bench.robot(), isIn = bench.isIn(last)
        #expect(isIn)
    }
}
