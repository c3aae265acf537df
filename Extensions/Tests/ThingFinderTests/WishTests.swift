import DockTypes
import Testing

@testable import ThingFinder

@Suite struct WishTests {
    @Test func `the last words of a wish are the detector's label`() throws {
        let wish = try Wish("  Brown   CUP ")
        #expect(wish.label == "brown cup" && wish.names("cup") && wish.names("brown cup") && !wish.names("up"))
        #expect(try Wish("traffic light").names("traffic light") && !Wish("cup").names("cupboard"))
        #expect(try Wish("cup", text: "ACME").text == "ACME")
    }

    @Test(arguments: ["", "   ", "cup\u{1B}[2J", "cup\nrm", String(repeating: "x", count: 201)])
    func `a wish is short plain text`(words: String) {
        #expect(throws: DockError.self) { try Wish(words) }
        #expect(throws: DockError.self) { try Wish("cup", text: words.isEmpty || words == "   " ? "\u{7}" : words) }
    }

    @Test func `a long wish is accepted up to its bound`() throws {
        #expect(try Wish(String(repeating: "x", count: 200)).label.count == 200)
        #expect(throws: DockError.self) { try Wish("e" + String(repeating: "\u{301}", count: 5000)) }
    }
}
