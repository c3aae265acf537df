import ControlProtocol
@testable import FaceTracker

/// The control API's lines and JSON, compared with themselves and with the detection stream's scanner.
enum JSONTarget: Target {
    static let name = "json"
    static let share = 5

    static func make(_ random: inout Random) -> [UInt8] {
        var bytes = Array(random.pick(samples).utf8)
        if random.chance(4) {
            let depth = random.pick([1, 31, 32, 63, 64, 65, random.chance(20) ? 3000 : 100])
            bytes = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        for _ in 0..<random.below(4) {
            bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: random.below(bytes.count + 1))
        }
        if random.chance(2) { Mutation.apply(to: &bytes, &random) }
        return bytes
    }

    static func check(_ input: [UInt8]) -> String? {
        if let value = try? JSONReader.value(of: input) {
            // Numbers are rounded when written, so the first and the second output are compared.
            let written = value.bytes
            guard let again = try? JSONReader.value(of: written) else { return "its own output is not JSON" }
            guard again.bytes == written else { return "the second output differs from the first" }
            guard !written.contains(0x0A) else { return "a line end inside a line" }
            var scanner = JSONScanner()
            if depth(of: value) < JSONScanner.maximumDepth, (try? scanner.skip(input.span)) == nil {
                return "one reader accepts it and the other rejects it"
            }
        }
        var random = Random(fingerprint(input))
        return framer(input, &random)
    }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .array(let all): 1 + (all.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.values.map(depth).max() ?? 0)
        default: 1
        }
    }

    /// The limit of 200 bytes is low enough to be reached.
    private static func framer(_ input: [UInt8], _ random: inout Random) -> String? {
        let whole = items(input) { $0 }, cut = items(input) { 1 + random.below($0) }
        guard whole == cut else { return "the pieces of the input change the lines" }
        for case .line(let line) in whole where line.count > 200 || line.isEmpty || line.contains(0x0A) {
            return "a line \(line)"
        }
        return nil
    }

    private static func items(_ input: [UInt8], _ size: (Int) -> Int) -> [LineFramer.Item] {
        var framer = LineFramer(longest: 200), items: [LineFramer.Item] = [], rest = input[...]
        while !rest.isEmpty {
            let part = rest.prefix(min(size(framer.room), framer.room, rest.count))
            framer.append(part)
            rest = rest.dropFirst(part.count)
            while let item = framer.next() {
                items.append(item)
                if item == .tooLong { return items }
            }
        }
        if let last = framer.finish() { items.append(last) }
        return items
    }

    private static let samples = [
        #"{"jsonrpc":"2.0","id":1,"method":"setAngularVelocity","params":{"pan":0.1,"tilt":-0.2,"for":1e0}}"#,
        #"[{"id":"a\u00e9\ud83d\ude00","method":"stop"},{"method":"home"}]"#,
        #"{"a":[null,true,false,-0.5E+3,"\n\t\\"]}"#,
        "{\"id\":18446744073709551616}\n{\"id\":null}\n\n", "0", "\"\"", " [ ] ", "1e999", "-0", "\r\n \n",
    ]
    private static let pieces = [
        "\\u12", "\\ud800", "\\ud800\\u0041", "\\", "\"", "1e400", "0123", "-", "NaN", "\u{0}", "\n", "\r", ",", ":",
        "[", "{",
        "}", "]", "\u{1F600}", "tru", "\"id\":1,", "1.", "1.5e-7", "123456789012345678901234567890",
    ]
}
