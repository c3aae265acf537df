import Geometry
import Testing

@testable import Teleop

/// The text commands of the source app, in all their dialects.
@Suite struct CommandReaderTests {
    private static let pose = HandPose(place: [0.1, 0.5, -0.2])
    private static let track = "<Track> 0.1 0.5 -0.2 1.0 0.0 0.0 0.0"

    private static func read(_ texts: [String], step: Seconds = 0.001) -> CommandReader.Reading {
        var reader = CommandReader(), all = CommandReader.Reading()
        for (index, text) in texts.enumerated() {
            all.add(reader.feed(Array(text.utf8), now: Double(index) * step))
        }
        all.add(reader.tick(now: Double(texts.count) * step + CommandReader.patience))
        return all
    }

    @Test(arguments: [
        ["\(track)\n<End> 0.1 0.5 -0.2 1 0 0 0\n"], ["\(track)<End> 0.1 0.5 -0.2 1 0 0 0"],
        ["\(track) <End>"], ["<Tra", "ck> 0.1 0.5 -0.", "2 1.0 0.0 0.0 0.", "0<", "End>"], ["\(track)\r\n<End>\r\n"],
    ])
    func `commands are read with and without line feeds, glued and split`(texts: [String]) {
        let reading = Self.read(texts)
        #expect(reading.commands == [.track(Self.pose), .end] && reading.dropped == 0)
    }

    @Test func `every byte may come alone`() {
        let text = "<Start> 0.1 0.5 -0.2 1 0 0 0\(Self.track)<Gripper><Reset>"
        #expect(
            Self.read(text.map(String.init)).commands
                == [.start(Self.pose), .track(Self.pose), .gripper, .reset])
    }

    @Test func `the last number may go on until a moment has passed`() {
        var reader = CommandReader()
        #expect(reader.feed(Array("<Track> 0.1 0.5 -0.2 1 0 0 0".utf8), now: 1).commands.isEmpty)
        #expect(reader.deadline == 1 + CommandReader.patience)
        #expect(reader.tick(now: 1.019).commands.isEmpty)
        // A digit that changes the number: 0.05.
        #expect(reader.feed(Array(".05".utf8), now: 1.019).commands.isEmpty)
        #expect(reader.tick(now: 1.03).commands.isEmpty)
        let commands = reader.tick(now: 1.04).commands
        #expect(commands == [.track(HandPose([0.1, 0.5, -0.2, 1, 0, 0, 0.05])!)])
        #expect(reader.deadline == nil)
    }

    @Test(arguments: [
        "<Track> nan 0.5 0 1 0 0 0", "<Track> inf 0.5 0 1 0 0 0", "<Track> 0 0.5 0 1 0 0", "<Track> 0 0.5 0 1 0 0 0 0",
        "<Track> 0 4 0 1 0 0 0", "<Track> 0 -0.5 0 1 0 0 0", "<Track> 0 0.01 0 1 0 0 0", "<Track> 0 0.5 0 2 0 0 0",
        "<Track> 0 0.5 0 0 0 0 0", "<track> 0 0.5 0 1 0 0 0", "<Track 0 0.5 0 1 0 0 0", "Track> 0 0.5 0 1 0 0 0",
        "<Gripper> 1", "<Stop>", "hello", "<Track> 0,1 0.5 0 1 0 0 0", "<>", "<Start>",
    ])
    func `what is no command of a hand is dropped and counted, and the next one is read`(text: String) {
        let reading = Self.read([text + "\n" + Self.track + "\n"])
        #expect(reading.commands == [.track(Self.pose)] && reading.dropped == 1, "\(reading)")
    }

    @Test func `the end of a hand counts whatever follows`() {
        #expect(Self.read(["<End> nan rubbish\n"]).commands == [.end])
    }

    @Test func `a command without an end is skipped up to the next one`() {
        let reading = Self.read([String(repeating: "x", count: 100_000) + Self.track + "\n"])
        #expect(reading.commands == [.track(Self.pose)] && reading.dropped == 1)
        #expect(reading.firstDropped.map { $0.utf8.count < 100 } == true)
    }

    @Test func `no bytes stop the reader`() {
        var random = SystemRandomNumberGenerator()
        let parts = ["<Track>", "<End>", " 0.1", " nan", "<", ">", "\n", " ", "1e999", "\u{1B}[2J", "é"]
        for _ in 0..<300 {
            var reader = CommandReader(), time = 0.0
            for _ in 0..<50 {
                time += Double.random(in: 0...0.03, using: &random)
                let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in parts.randomElement(using: &random)! }
                _ = reader.feed(Array(text.joined().utf8), now: time)
            }
            _ = reader.feed(Array("\n".utf8), now: time)
            #expect(reader.feed(Array((Self.track + "\n").utf8), now: time).commands == [.track(Self.pose)])
        }
    }
}

extension CommandReader.Reading {
    fileprivate mutating func add(_ other: CommandReader.Reading) {
        commands += other.commands
        dropped += other.dropped
        firstDropped = firstDropped ?? other.firstDropped
    }
}
