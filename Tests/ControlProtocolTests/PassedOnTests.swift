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

    @Test func `a line that has neither, or is damaged, passes nothing on`() {
        for line in [
            #"{"faces":[]}"#, #"{"people":[1]"#, #"["people"]"#, #"{"people":{}}"#, #"{"people":[1]}x"#, "people",
        ] {
            #expect(PassedOn(line: Array(line.utf8)) == PassedOn(), "\(line)")
        }
        #expect(PassedOn().members.isEmpty)
    }
}
