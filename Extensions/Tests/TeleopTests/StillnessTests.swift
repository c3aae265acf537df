import ExtensionKit
import Foundation
import Geometry
import Testing

@testable import Teleop

/// What must not move the head at all: bytes of a sender, through the reader, the drive and the servo, in virtual time.
@Suite struct StillnessTests {
    /// A head that stands, and what would move it.
    private struct Stage {
        private var reader = CommandReader(), drive = TeleopDrive(), servo = HeadServo()
        private(set) var now = 10.0
        /// The velocities that are not zero.
        private(set) var motions: [PanTilt] = []
        /// How often a hand took the head, and how many commands were read and dropped.
        private(set) var engaged = 0, read = 0, dropped = 0

        private static let head = PanTilt.degrees(pan: 20, tilt: 5)

        mutating func feed(_ text: String) { feed(Array(text.utf8)) }

        mutating func feed(_ bytes: [UInt8]) {
            servo.report(Self.head, velocity: .zero, at: now)
            handle(reader.feed(bytes, now: now))
        }

        /// Lets time pass, in which what is due is done.
        mutating func wait(_ time: Seconds) {
            let end = now + time
            while now < end {
                now = min(now + 0.005, end)
                handle(reader.tick(now: now))
                carryOut(drive.tick(now: now))
            }
        }

        private mutating func handle(_ reading: CommandReader.Reading) {
            read += reading.commands.count
            dropped += reading.dropped
            for command in reading.commands {
                carryOut(drive.apply(command, head: servo.pose(now: now), now: now))
            }
        }

        private mutating func carryOut(_ intents: [TeleopIntent]) {
            for intent in intents {
                switch intent {
                case .engage:
                    engaged += 1
                    servo.begin()
                case .aim(let pose):
                    if let velocity = servo.velocity(toward: pose, now: now), velocity != .zero {
                        motions.append(velocity)
                    }
                case .home, .sign: motions.append(.degrees(pan: 1, tilt: 1))
                case .wait, .hold: break
                }
            }
        }
    }

    /// A command with the pose of a hand half a metre away, seen by these degrees to the right.
    private static func command(_ name: String, _ pan: Double, turn: Double = 0) -> String {
        let pan = Double.degrees(pan), half = Double.degrees(turn) / 2
        let numbers = [0.5 * sin(pan), 0.5 * cos(pan), 0, cos(half), 0, 0, sin(half)]
        return "<\(name)> " + numbers.map { "\(Float($0))" }.joined(separator: " ") + "\n"
    }

    @Test func `a hand that moves does move the head of these tests`() {
        var stage = Stage()
        stage.feed(Self.command("Start", 0))
        for step in 1...10 {
            stage.wait(0.033)
            stage.feed(Self.command("Track", Double(step)))
        }
        #expect(stage.motions.count == 10 && stage.engaged == 1)
    }

    @Test func `a hand without a beginning begins where it is, also after each pause`() {
        var stage = Stage()
        for place in [-30.0, 10, 40, -5] {
            for _ in 0..<30 {
                stage.feed(Self.command("Track", place))
                stage.wait(0.033)
            }
            // The hand is lost, and comes back elsewhere without a word.
            stage.wait(0.4)
        }
        #expect(stage.motions.isEmpty && stage.engaged == 4 && stage.read == 120)
    }

    @Test func `a beginning elsewhere without an end before it is a new reference`() {
        var stage = Stage()
        for step in 0..<60 {
            stage.feed(Self.command("Start", Double(step * 7 % 60) - 30))
            stage.feed(Self.command("Track", Double(step * 7 % 60) - 30))
            stage.wait(0.033)
        }
        #expect(stage.motions.isEmpty && stage.read == 120)
    }

    @Test func `a hand that jumps or turns at once moves nothing, however often`() {
        for (pan, turn) in [(35.0, 0.0), (0, 40), (35, 90)] {
            var stage = Stage()
            for step in 0..<300 {
                let side = step.isMultiple(of: 2) ? 1.0 : -1
                stage.feed(Self.command(step == 0 ? "Start" : "Track", side * pan, turn: side * turn))
                stage.wait(0.033)
            }
            #expect(stage.motions.isEmpty && stage.engaged == 300, "\(pan) \(turn): \(stage.motions.count)")
        }
    }

    @Test func `numbers that are none move nothing, also while a hand has the head`() {
        var stage = Stage()
        let wrong = ["nan", "-nan", "inf", "-inf", "1e999", "-1e999", "1e38", "0x10", ""]
        stage.feed(Self.command("Start", 0))
        for place in 0..<7 {
            for number in wrong {
                var numbers = ["0.0", "0.5", "0.0", "1.0", "0.0", "0.0", "0.0"]
                numbers[place] = number
                for name in ["Track", "Start"] { stage.feed("<\(name)> \(numbers.joined(separator: " "))\n") }
                stage.feed(Self.command("Track", 0))
                stage.wait(0.033)
            }
        }
        #expect(stage.motions.isEmpty && stage.read == 64 && stage.dropped == 2 * 63, "\(stage)")
        #expect(stage.engaged == 1)
    }

    @Test func `a flood moves nothing: of the same pose, of beginnings, of ends, and of rubbish`() {
        let track = Self.command("Track", 3)
        let floods = [
            String(repeating: track, count: 20_000),
            (0..<20_000).map { Self.command("Start", Double($0 % 80) - 40) }.joined(),
            String(repeating: Self.command("Start", 3) + "<End>", count: 10_000),
            String(repeating: "x", count: 1 << 20), String(repeating: "<Track> ", count: 100_000),
            String(repeating: "<", count: 1 << 20), String(repeating: "9", count: 1 << 20),
            String(repeating: "\u{0}\u{1B}[2J\n", count: 100_000),
        ]
        for flood in floods {
            var stage = Stage()
            stage.feed(Self.command("Start", 3))
            stage.wait(0.033)
            for _ in 0..<3 {
                stage.feed(flood + "\n")
                // The hand rests, and goes on resting after the flood.
                stage.feed(track)
                stage.wait(0.033)
            }
            #expect(stage.motions.isEmpty, "\(flood.prefix(20)): \(stage.motions.count)")
            stage.feed(track)
            stage.wait(0.033)
            stage.feed(Self.command("Track", 4))
            #expect(!stage.motions.isEmpty, "\(flood.prefix(20)): a hand that moves after it")
        }
    }
}
