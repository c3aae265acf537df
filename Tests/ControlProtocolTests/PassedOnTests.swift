import Testing

@testable import ControlProtocol

/// What a detector's line has beyond faces.
@Suite struct PassedOnTests {
    @Test func `people and objects are passed on unchanged, also beside a size that the daemon has added`() {
        let line =
            #"{"size":[640,480],"type":"frame","size":[480,270],"faces":[],"people":[{"id":null}],"objects":[2]}"#
        let others = PassedOn(line: Array(line.utf8))
        #expect(others.people.map(\.bytes) == [Array(#"{"id":null}"#.utf8)] && others.objects == [.number(2)])
        #expect(String(decoding: others.members, as: UTF8.self) == #","objects":[2],"people":[{"id":null}]"#)
        // A request with two members of one name is refused as before.
        #expect(JSONValue(json: line.utf8) == nil)
    }

    private static func hand(_ point: String = "[0.5,0.25,-0.125]", count: Int = 21, _ rest: String? = nil) -> String {
        let points = Array(repeating: "[0.1,1.2,0]", count: max(0, count - 1)) + [point]
        return #"{"points":[\#(points.joined(separator: ","))],"# + (rest ?? #""score":0.9,"side":"left""#) + "}"
    }

    @Test func `hands are read with all their joints, at most four of them`() throws {
        let more = Self.hand(#"[0.5,0.25,-0.125]"#, #""score":0.9,"side":"left","mood":[1]"#)
        let others = PassedOn(line: Array(#"{"faces":[],"hands":[\#(more)]}"#.utf8))
        let hand = try #require(others.hands.first)
        #expect(others.hands.count == 1 && hand.points.count == 21 && hand.score == 0.9 && hand.side == "left")
        #expect(hand.points[0] == [0.1, 1.2, 0] && hand.points[20] == [0.5, 0.25, -0.125])
        #expect(String(decoding: others.members, as: UTF8.self).hasPrefix(#","hands":[{"points":[[0.1,1.2,0]"#))
        #expect(PassedOn(line: Array("{".utf8) + others.members.dropFirst() + Array("}".utf8)) == others)
        let crowd = Array(repeating: Self.hand(), count: 2000).joined(separator: ",")
        #expect(PassedOn(line: Array(#"{"hands":[\#(crowd)]}"#.utf8)).hands.count == 4)
    }

    @Test func `a hand that is damaged is left out, and the others stay`() {
        let wrong = [
            Self.hand(count: 20), Self.hand(count: 22), Self.hand("[0.5,0.25]"), Self.hand("[0.5,0.25,0,0]"),
            Self.hand("[0.5,null,0]"), Self.hand("[0.5,1e300,0]"), Self.hand("[0.5,-3,0]"), Self.hand("7"),
            Self.hand(#""x""#), Self.hand("[0.5,0.25,0]", #""score":2,"side":"left""#),
            Self.hand("[0.5,0.25,0]", #""score":0.9,"side":"upper""#), Self.hand("[0.5,0.25,0]", #""score":0.9"#),
            "null", "[]", "{}", #"{"points":{},"score":1,"side":"left"}"#,
        ]
        for hand in wrong {
            let others = PassedOn(line: Array(#"{"hands":[\#(hand),\#(Self.hand())]}"#.utf8))
            #expect(others.hands.count == 1, "\(hand.suffix(60))")
        }
        #expect(PassedOn(line: Array(#"{"hands":{}}"#.utf8)).hands.isEmpty)
    }

    @Test func `a line that has none of them, or is damaged, passes nothing on`() {
        for line in [
            #"{"faces":[]}"#, #"{"people":[1]"#, #"["people"]"#, #"{"people":{}}"#, #"{"people":[1]}x"#, "people",
        ] {
            #expect(PassedOn(line: Array(line.utf8)) == PassedOn(), "\(line)")
        }
        #expect(PassedOn().members.isEmpty)
    }
}
