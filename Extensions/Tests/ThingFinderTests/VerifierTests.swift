import ControlProtocol
import Geometry
import Testing

@testable import ThingFinder

/// What verifiers get and say, several of them, and what they cost.
@Suite struct VerifierTests {
    private func read(_ text: String) -> VerifierReply? { VerifierReply(line: Array(text.utf8)) }

    @Test func `the lines of a verifier are read`() {
        #expect(read(#"{"type":"ready","name":"photo"}"#) == .ready(cost: 0))
        #expect(read(#"{"type":"ready","cost":0.02}"#) == .ready(cost: 0.02))
        #expect(read(#"{"type":"unusable","reason":"no model"}"#) == .unusable("no model"))
        #expect(
            read(#"{"id":7,"verdict":"match","confidence":0.9,"reason":"red","cost":0.5,"more":[1]}"#)
                == .verdict(id: 7, .init(.match, confidence: 0.9, reason: "red", cost: 0.5)))
        #expect(
            read(#"{"id":1,"verdict":"unclear","confidence":1}"#) == .verdict(id: 1, .init(.unclear, confidence: 1)))
        #expect(
            read(#"{"id":1,"error":"busy","after":20,"final":true,"cost":1}"#)
                == .failure(id: 1, .init("busy", after: 20, isFinal: true, cost: 1)))
        #expect(read(#"{"id":1,"error":"busy","after":null,"final":false}"#) == .failure(id: 1, .init("busy")))
    }

    @Test(arguments: [
        "", "match", "[]", "null", "{}", #"{"id":1}"#, #"{"verdict":"match","confidence":1}"#,
        #"{"id":1,"verdict":"maybe","confidence":1}"#, #"{"id":1,"verdict":"match"}"#,
        #"{"id":1,"verdict":"match","confidence":"0.9"}"#, #"{"id":1,"verdict":"match","confidence":90}"#,
        #"{"id":1,"verdict":"match","confidence":-0.1}"#, #"{"id":1.5,"verdict":"match","confidence":1}"#,
        #"{"id":"1","verdict":"match","confidence":1}"#, #"{"id":1,"verdict":["match"],"confidence":1}"#,
        #"{"id":1,"verdict":"match","confidence":1,"error":"no"}"#, #"{"id":1,"error":7}"#,
        #"{"id":1,"verdict":"match","confidence":1,"cost":-1}"#,
        #"{"id":1,"verdict":"match","confidence":1,"cost":"1"}"#,
        #"{"type":"ask","id":1,"verdict":"match","confidence":1}"#, #"{"type":7,"id":1,"error":"x"}"#,
        #"{"type":"unusable"}"#, #"{"type":"ready","cost":-1}"#, #"{"id":1,"verdict":"match","confidence":1} {"#,
    ])
    func `a line without the form is nothing`(text: String) { #expect(read(text) == nil) }

    @Test func `what people read of a verifier is plain and short, and a line has a bound`() throws {
        let wild =
            #"{"id":1,"verdict":"reject","confidence":1,"reason":"a\u001b[2J\nb\#(String(repeating: "x", count: 900))"}"#
        guard case .verdict(_, let verdict) = try #require(read(wild)) else { throw Problem.other }
        #expect(verdict.reason.unicodeScalars.allSatisfy { $0.value >= 0x20 } && verdict.reason.count < 200)
        #expect(read(#"{"id":1,"error":""# + String(repeating: "x", count: 9000) + #""}"#) == nil)
    }

    @Test(arguments: 0..<20)
    func `no bytes break the reader, and what it reads is within its bounds`(seed: Int) {
        var dice = ChaosTests.Dice(seed)
        let lines = [
            #"{"id":7,"verdict":"match","confidence":0.9,"reason":"red","cost":0.5}"#,
            #"{"id":1,"error":"busy","after":20,"final":true,"cost":1}"#, #"{"type":"ready","cost":0.02}"#,
            #"{"type":"unusable","reason":"no model"}"#,
        ]
        for _ in 0..<2000 {
            var line = Array((lines.randomElement(using: &dice) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                let place = Int.random(in: 0..<line.count, using: &dice)
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: line[place] = .random(in: 0...255, using: &dice)
                case 1: line.insert(.random(in: 0...255, using: &dice), at: place)
                case 2: line.insert(contentsOf: line[place...].prefix(9), at: place)
                default: if line.count > 1 { line.remove(at: place) }
                }
            }
            switch VerifierReply(line: line) {
            case .ready(let cost): #expect(cost >= 0 && cost.isFinite)
            case .unusable(let text): #expect(text.count <= VerifierReply.longestEnd + 1)
            case .verdict(_, let verdict):
                #expect((0...1).contains(verdict.confidence) && verdict.cost >= 0 && verdict.cost.isFinite)
            case .failure(_, let failure): #expect((failure.after ?? 0) >= 0 && failure.cost >= 0)
            case nil: break
            }
        }
    }

    private enum Problem: Error { case other }

    @Test func `the wish is one line of data, whatever is in it`() throws {
        let wish = try Wish(#"brown "cup","id":1}"#, photo: "/a\"b.jpg", text: "ACME", description: "{}")
        let line = VerifierQuestion.wish(wish)
        #expect(line.last == 0x0A && line.count { $0 == 0x0A } == 1)
        let json = try #require(JSONValue(json: line.dropLast()))
        #expect(json["label"]?.string == wish.label && json["photo"]?.string == wish.photo)
        #expect(json["text"]?.string == "ACME" && json["description"]?.string == "{}" && json["id"] == nil)
    }

    @Test func `several verifiers must all agree, and are as sure as the least sure one`() {
        var panel = VerifierPanel(count: 2)
        let first = panel.receive(.init(.match, confidence: 0.7, reason: "40 details"), from: "photo")
        #expect(first == nil && panel.turn == 1)
        let all = panel.receive(.init(.match, confidence: 0.9, reason: "\"ACME\""), from: "text")
        #expect(all == .init(.match, confidence: 0.7, reason: "photo: 40 details; text: \"ACME\""))
    }

    @Test(arguments: [VerifierWord.reject, .unclear])
    func `who does not agree ends the question, and those after it are not asked`(word: VerifierWord) {
        var panel = VerifierPanel(count: 3)
        let all = panel.receive(.init(word, confidence: 0.4, reason: "green"), from: "photo")
        #expect(all == .init(word, confidence: 0.4, reason: "photo: green") && panel.turn == 0)
    }

    @Test func `a question that could cost more than what is left is not asked`() {
        var purse = VerifierPurse(limit: 1)
        let first = purse.reserve(0.4)
        purse.settle(0.1)
        #expect(first && purse.spent == 0.1)
        // One without an answer has cost what it could.
        let second = purse.reserve(0.4)
        purse.settle(nil)
        #expect(second && purse.spent == 0.5)
        // One that was never settled, too.
        let (third, fourth) = (purse.reserve(0.4), purse.reserve(0.4))
        #expect(third && !fourth && purse.spent == 0.9)
        var open = VerifierPurse(limit: nil)
        let always = open.reserve(1e9) && open.reserve(1e9)
        #expect(always)
    }

    @Test func `a search ends at once if nothing can verify, and says why`() throws {
        var bench = SearchBench(find: try Wish("cup"), from: .zero, wanted: RoomRecording.roomA.things.first)
        bench.verifier = { _, _ in ScriptedAnswer() }
        bench.run(most: 5) { _ in false }
        bench.send(.unusable("photo: no pattern"))
        #expect(bench.finder.outcome == .blocked("photo: no pattern"))
        #expect(bench.finder.desk.book.open.isEmpty)
    }

    @Test func `what was found stays found if its verifier ends`() throws {
        var bench = SearchBench(find: try Wish("cat"), from: .zero, wanted: nil) { $0.stays = true }
        bench.run { $0.finder.phase == .found }
        #expect(bench.finder.foundPicture != nil)
        bench.send(.unusable("it has ended"))
        #expect(bench.finder.outcome == nil && bench.finder.phase == .found)
    }

    @Test func `without a label every thing is asked about until the verifier knows it`() throws {
        let wanted = try #require(RoomRecording.roomA.things.first { $0.label == "cat" })
        let wish = try Wish("a photo", takesAnyLabel: true)
        var bench = SearchBench(find: wish, from: .zero, wanted: wanted) { $0.mostRequests = 60 }
        guard case .found(let place) = bench.run() else { throw Problem.other }
        #expect(place.angle(to: wanted.bearing) < wanted.width / 2 && bench.elapsed < 60)
    }
}
