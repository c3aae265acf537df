import ControlProtocol
import DockControl
import Geometry
import Testing

@testable import Companion
@testable import DockClient

@Suite struct ControlTestsLines {
    // MARK: JSON

    static let values: [(String, JSONValue)] = [
        ("null", .null), (" true ", .bool(true)), ("-0.5e1", .number(-5)), ("0", .number(0)),
        (#""a\"\\\/\b\f\n\r\tA😀ß""#, .string("a\"\\/\u{8}\u{c}\n\r\tA😀ß")),
        ("[]", .array([])), ("[1,[2]]", .array([.number(1), .array([.number(2)])])),
        (#"{"a":{},"b":[null]}"#, .object(["a": .object([:]), "b": .array([.null])])),
    ]

    @Test(arguments: values)
    func `JSON is read`(text: String, value: JSONValue) throws {
        #expect(try JSONReader.value(of: Array(text.utf8)) == value)
    }

    @Test func `JSON is written without control characters for a terminal, and reads back as it was`() throws {
        let text = "\u{1B}]0;x\u{7}\r\n\t\0\u{9B}2J\u{85}\u{202E}\u{2028}\u{2066}\u{61C}\u{7F}\"\\ é漢😀"
        let value = JSONValue.object([text: .string(text)]), line = value.bytes
        #expect(
            String(decoding: line, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
                default: true
                }
            })
        #expect(try JSONReader.value(of: line) == value)
        #expect(
            String(decoding: line, as: UTF8.self).contains(#"\u001b]0;x\u0007\u000d\n\u0009\u0000\u009b2J\u0085\u202e"#)
        )
    }

    @Test func `an id with control characters comes back as the same id, with escapes`() {
        let line = #"{"id":"a\#u{9B}\#u{202E}é","method":"status"}"#
        #expect(ControlLine(Array(line.utf8)).requests.first?.id == Array(#""a\u009b\u202eé""#.utf8))
    }

    static let broken = [
        "", " ", "{", "[", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "+1", "1e",
        "-",
        "NaN", "nan", "Infinity", "-Infinity", "tru", "nul", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\u{1}\"", "1 1", "{} x", "'a'", #"{"a":1,"a":2}"#, "\u{feff}{}",
        "\"\\u+123\"",
    ]

    @Test(arguments: broken)
    func `invalid JSON is reported with its position`(text: String) {
        #expect(throws: JSONProblem.self) { try JSONReader.value(of: Array(text.utf8)) }
    }

    @Test func `bytes that are not UTF-8 are not JSON`() {
        for bytes: [UInt8] in [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFF, 0xFE],
        ] {
            #expect(throws: JSONProblem.self) { try JSONReader.value(of: bytes) }
        }
    }

    @Test func `nesting has a limit, and far deeper nesting does not end the process`() throws {
        let open = String(repeating: "[", count: 64), close = String(repeating: "]", count: 64)
        _ = try JSONReader.value(of: Array((open + close).utf8))
        #expect(throws: JSONProblem.self) { try JSONReader.value(of: Array(("[" + open + close + "]").utf8)) }
        #expect(throws: JSONProblem.self) { try JSONReader.value(of: Array(repeating: 0x5B, count: 1 << 20)) }
        let objects = String(repeating: #"{"a":"#, count: 100_000)
        #expect(throws: JSONProblem.self) { try JSONReader.value(of: Array(objects.utf8)) }
    }

    // MARK: lines

    @Test func `a stop is suspected however it is written, and not in every line`() {
        for line in [
            #"{"method":"stop"}"#, #"{"method":"emergencyStop"}"#, #"{"method":"st\u006fp"}"#, "estop", "xtop",
            #"{"method":"command","params":{"line":"e\u0073top"}}"#,
        ] {
            #expect(Array(line.utf8)[...].containsStop, "\(line)")
            #expect(Array("tt\\\(line)".utf8)[2...].containsStop, "\(line)")
        }
        for line in [#"{"method":"home","params":{"a":"tot"}}"#, "to", "t", "", "\\", "\\n"] {
            #expect(!Array(line.utf8)[...].containsStop, "\(line)")
        }
    }

    @Test func `lines arrive complete, however they were split`() {
        let text = Array("one\r\n\n  \ntwo\nthree".utf8)
        for size in 1...text.count {
            var framer = LineFramer(), lines: [String] = []
            for start in stride(from: 0, to: text.count, by: size) {
                framer.append(text[start..<min(start + size, text.count)])
                while case .line(let line) = framer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
            }
            #expect(lines == ["one", "two"])
            #expect(framer.finish() == .line(Array("three".utf8)))
        }
    }

    @Test func `a line over the limit is reported once, and no part of it is kept`() {
        var framer = LineFramer(longest: 100)
        framer.append(Array("short\n".utf8))
        #expect(framer.next() == .line(Array("short".utf8)))
        #expect(framer.next() == nil)
        framer.append([UInt8](repeating: 0x78, count: framer.room))
        #expect(framer.next() == .tooLong)
        #expect(framer.count == 0)
        framer.append([UInt8](repeating: 0x78, count: 10_000))
        #expect(framer.next() == nil)
        #expect(framer.count == 0)
        var exact = LineFramer(longest: 100)
        exact.append([UInt8](repeating: 0x78, count: 100) + [0x0A])
        #expect(exact.next() == .line([UInt8](repeating: 0x78, count: 100)))
    }

    // MARK: requests

    static let ids = [
        "1", "-7", "1.50", "12345678901234567890123", "1e400", "0.1234567890123456789", #""a""#, #""\u00e9\n""#, #""""#,
        "null",
    ]

    @Test(arguments: ids)
    func `an id is returned byte by byte as it came`(id: String) throws {
        let line = ControlLine(request("status", id: id))
        #expect(line.requests.map(\.id) == [Array(id.utf8)])
        #expect(line.requests[0].call == .success(.command(.status(why: false))))
    }

    static let refused: [(String, Int, String)] = [
        ("nonsense", -32700, "null"), ("42", -32600, "null"), (#""text""#, -32600, "null"), ("null", -32600, "null"),
        ("{}", -32600, "null"), (#"{"id":5}"#, -32600, "5"), (#"{"id":true,"method":"stop"}"#, -32600, "null"),
        (#"{"id":[1],"method":"stop"}"#, -32600, "null"), (#"{"id":{},"method":"stop"}"#, -32600, "null"),
        (#"{"id":5,"method":7}"#, -32600, "5"), (#"{"jsonrpc":"1.0","id":5,"method":"stop"}"#, -32600, "5"),
        (#"{"jsonrpc":2,"id":5,"method":"stop"}"#, -32600, "5"), ("[]", -32600, "null"),
        (#"{"jsonrpc":"2.0","result":{},"id":3}"#, -32600, "3"), (#"{"id":1,"id":2,"method":"stop"}"#, -32700, "null"),
    ]

    @Test(arguments: refused)
    func `an invalid request is refused with its code and, if it has one, its id`(text: String, code: Int, id: String) {
        let line = ControlLine(Array(text.utf8))
        #expect(line.requests.map(\.id) == [Array(id.utf8)])
        guard case .failure(let error) = line.requests[0].call else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == code)
    }

    @Test func `a version may be missing, params may be null, an id may be too long`() throws {
        #expect(try call(Array(#"{"id":1,"method":"stop","params":null}"#.utf8))?.get() == .command(.motion(.stop)))
        #expect(try call(Array(#"{"id":1,"method":"stop","params":[]}"#.utf8))?.get() == .command(.motion(.stop)))
        let long = ControlLine(request("stop", id: "\"" + String(repeating: "x", count: 2000) + "\""))
        #expect(long.requests[0].id == ControlRequest.null && !long.requests[0].isCall)
    }

    @Test func `a batch is its requests, at most 32 of them`() {
        func batch(_ count: Int) -> ControlLine {
            let one = String(decoding: request("stop"), as: UTF8.self)
            return ControlLine(Array(("[" + Array(repeating: one, count: count).joined(separator: ",") + "]").utf8))
        }
        #expect(batch(32).requests.count == 32 && batch(32).isBatch)
        #expect(batch(33).requests.count == 1 && !batch(33).isBatch)
        #expect(batch(5000).requests.count == 1)
        let mixed = ControlLine(Array(#"[1,{"method":"stop"},{"id":2,"method":"home"}]"#.utf8))
        #expect(mixed.requests.map(\.id) == [Array("null".utf8), nil, Array("2".utf8)])
    }

    // MARK: path of the socket

    @Test func `the path follows the environment, then the user`() {
        func path(_ environment: [String: String], _ uid: UInt32) -> String {
            ControlSocketPath.default(environment: environment, uid: uid)
        }
        #expect(path(["DOCKFACE_SOCKET": "/a/b", "XDG_RUNTIME_DIR": "/run/user/7"], 7) == "/a/b")
        #expect(path(["XDG_RUNTIME_DIR": "/run/user/7"], 7) == "/run/user/7/dockface/dockface.sock")
        #expect(path(["XDG_RUNTIME_DIR": "/run/user/7/"], 0) == "/run/user/7/dockface/dockface.sock")
        #expect(path(["DOCKFACE_SOCKET": "", "XDG_RUNTIME_DIR": ""], 7) == "/tmp/dockface-7/dockface.sock")
        #expect(path(["XDG_RUNTIME_DIR": "relative"], 7) == "/tmp/dockface-7/dockface.sock")
        #expect(path([:], 0) == "/run/dockface/dockface.sock")
    }
}
