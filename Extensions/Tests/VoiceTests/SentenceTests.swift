import Geometry
import Testing

@testable import Voice

@Suite struct SentenceTests {
    @Test(arguments: [
        ("The cup is 60 degrees to my left.", "The cup is 60 degrees to your right."),
        ("The cup is 30 degrees to my right, low.", "The cup is 30 degrees to your left, low."),
        ("It is on my left", "It is on your right"), ("On my right: a cat.", "On your left: a cat."),
        ("To my left and to my right!", "To my left and to your left!"),
        ("Take it out of my left hand.", "Take it out of my left hand."),
        ("Put it on my left arm.", "Put it on my left arm."), ("My left.", "My left."), ("to my", "to my"),
        ("to my leftover", "to my leftover"), ("to my left-handed friend", "to my left-handed friend"),
        ("The cup is straight ahead.", "The cup is straight ahead."), ("", ""),
    ])
    func `a listener who faces the robot has the other left`(text: String, wanted: String) {
        #expect(Viewpoint.front.sentence(text) == wanted)
    }

    @Test func `a listener behind the robot has the same left`() {
        #expect(Viewpoint.behind.sentence("The cup is 60 degrees to my left.") == "The cup is 60 degrees to your left.")
    }

    @Test func `the side of a direction is mirrored, too`() {
        let right = PanTilt(pan: .degrees(90), tilt: 0), ahead = PanTilt(pan: 0, tilt: 0.3)
        #expect(Viewpoint.front.side(of: right) == -1 && Viewpoint.behind.side(of: right) == 1)
        #expect(Viewpoint.front.side(of: ahead) == 0)
        #expect(abs(Viewpoint.behind.side(of: PanTilt(pan: .degrees(150), tilt: 0)) - 0.5) < 1e-9, "behind it")
    }

    @Test(arguments: [
        ("plain", "plain"), ("two\nlines\tand \u{1b}[31m more", "two lines and [31m more"),
        ("  spaces   everywhere  ", "spaces everywhere"), ("a\u{202E}b\u{200B}c", "a b c"),
        ("say [[h@l'oU]] and [[[x", "say [ [h@l'oU]] and [ [ [x"), ("Grüße, 你好", "Grüße, 你好"),
        ("-f /etc/passwd", "-f /etc/passwd"), ("$(reboot); `id`", "$(reboot); `id`"),
    ])
    func `foreign text becomes one plain line`(text: String, wanted: String) {
        #expect(SpokenText.of(text) == wanted)
    }

    @Test(arguments: ["", " \n", "...", "\u{0}\u{7f}", "?!", "\u{FEFF}"])
    func `text without words is nothing to speak`(text: String) {
        #expect(SpokenText.of(text) == nil)
    }

    @Test func `a long text is cut`() {
        #expect(SpokenText.of(String(repeating: "wort ", count: 1000))?.unicodeScalars.count ?? 501 <= 500)
        #expect(SpokenText.of(String(repeating: "[", count: 1000) + "a") == nil)
    }

    @Test func `a text of random scalars never breaks a line, and never begins phonemes`() {
        var dice = SystemDice(seed: 3)
        for _ in 0..<2000 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<dice.next(60) {
                let value = [0x20, 0x5B, 0x0A, 0x2028, 0x61, dice.next(0x3000), dice.next(0x11_0000)][dice.next(7)]
                if let scalar = Unicode.Scalar(UInt32(value)) { scalars.append(scalar) }
            }
            guard let plain = SpokenText.of(String(scalars)) else { continue }
            let isLine = plain.unicodeScalars.allSatisfy { !$0.properties.isWhitespace || $0 == " " }
            #expect(isLine && SpokenText.of(plain) == plain && !plain.unicodeScalars.contains { $0.value < 0x20 })
            #expect(!zip(plain.unicodeScalars, plain.unicodeScalars.dropFirst()).contains { $0 == "[" && $1 == "[" })
        }
    }

    @Test(arguments: [
        ("22:00-07:00", [22 * 60, 23 * 60 + 59, 0, 6 * 60 + 59], [7 * 60, 12 * 60, 21 * 60 + 59]),
        ("13:00-14:30", [13 * 60, 14 * 60 + 29], [12 * 60 + 59, 14 * 60 + 30, 0]),
        ("9:05-9:06", [545], [544, 546]),
    ])
    func `quiet hours may cross midnight`(text: String, quiet: [Int], loud: [Int]) throws {
        let hours = try #require(QuietHours(text))
        for minute in quiet { #expect(hours.contains(minute), "\(minute)") }
        for minute in loud { #expect(!hours.contains(minute), "\(minute)") }
    }

    @Test(arguments: [
        "", "22-7", "22:00", "24:00-07:00", "22:60-07:00", "22:0-7:00", "7:00-7:00", "-1:00-07:00", "a:bc-d:ef",
        "+5:00-07:00",
    ])
    func `other texts are no hours`(text: String) {
        #expect(QuietHours(text) == nil)
    }

    @Test func `hours are written as they are read`() {
        #expect(QuietHours("9:05-21:00")?.text == "09:05-21:00")
    }
}
