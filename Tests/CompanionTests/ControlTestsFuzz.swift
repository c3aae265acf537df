import ControlProtocol
import DockControl
import DockSimulator
import Geometry
import Synchronization
import Testing

@testable import Companion

@Suite struct ControlTestsFuzz {
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "null", "true", "-", "1e999", "NaN", "\"id\"", "\"method\"",
        "\u{0}",
        "\"params\"", "{}", "[]", "0", "-1", "é", "\u{1F600}", "\r",
    ].map { Array($0.utf8) }

    private static let seeds: [[UInt8]] =
        ControlTestsMethods.good.map { request($0.0, $0.1) } + ControlTestsMethods.bad.map { request($0.0, $0.1) }
        + [Array(#"[{"id":1,"method":"home"},{"id":2,"method":"stop"}]"#.utf8)]

    private static func mutated(_ random: inout SeededRandom) -> [UInt8] {
        var line = seeds[random.next(seeds.count)]
        for _ in 0...random.next(6) {
            let at = random.next(line.count + 1)
            switch random.next(6) {
            case 0 where at < line.count: line[at] = UInt8(random.next(256))
            case 1 where at < line.count: line.remove(at: at)
            case 2: line.insert(contentsOf: pieces[random.next(pieces.count)], at: at)
            case 3: line.removeLast(min(line.count, random.next(12)))
            case 4: line.insert(contentsOf: seeds[random.next(seeds.count)].prefix(random.next(60)), at: at)
            default: if at < line.count { line.replaceSubrange(at..<min(at + 3, line.count), with: [0x22]) }
            }
        }
        return line.filter { $0 != 0x0A }
    }

    @Test func `20000 mutated lines never end the process, and each gets exactly its answers`() throws {
        var random = SeededRandom(seed: 7)
        let said = Mutex<[String]>([])
        let backend = FakeBackend()
        let session = ControlLineSession(client: 1, version: "1", backend: backend) { text in
            said.withLock { $0.append(text) }
        }
        for _ in 0..<20_000 {
            let bytes = Self.mutated(&random), line = ControlLine(bytes)
            // A notification is the only line without an answer.
            let wanted = line.requests.contains { $0.id != nil } ? 1 : 0
            session.handle(bytes)
            let answers = said.withLock { all in
                defer { all = [] }
                return all
            }
            try #require(answers.count == wanted, "\(String(decoding: bytes, as: UTF8.self)): \(answers)")
            for answer in answers {
                let value = try JSONReader.value(of: Array(answer.utf8))
                for one in value.array ?? [value] {
                    let hasOne = (one["result"] == nil) != (one["error"] == nil)
                    try #require(hasOne && one["id"] != nil, "\(answer)")
                }
            }
        }
    }

    @Test func `a server survives 5000 mutated lines from the socket`() throws {
        var random = SeededRandom(seed: 11)
        let served = try TestServer()
        for _ in 0..<50 {
            let client = try TestClient(served.path)
            var wanted = 0
            var bytes: [UInt8] = []
            for _ in 0..<100 {
                let line = Self.mutated(&random)
                guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
                bytes += line + [0x0A]
                let trimmed = ControlLine(line)
                // A subscription also produces events.
                if trimmed.requests.contains(where: { $0.id != nil }) { wanted += 1 }
            }
            client.send(bytes)
            client.closeOutput()
            var answers = 0
            while answers < wanted, let line = try client.lineBytes() {
                if try JSONReader.value(of: line)["method"] == nil { answers += 1 }
            }
            #expect(answers == wanted)
        }
        #expect(try TestClient(served.path).ask("stop")["result"] != nil)
    }
}

extension SeededRandom {
    /// A number in 0..<bound.
    fileprivate mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
