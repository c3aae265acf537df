import DockTestKit
import ControlProtocol
import Testing

@testable import AllSpark

/// What arrives and what is sent, as text.
@Suite struct MessageTests {
    private static func read(_ json: String) -> ServerMessage { ServerMessage(Array(json.utf8)) }

    private static func isUnknown(_ json: String) -> Bool {
        if case .unknown = read(json) { true } else { false }
    }

    // MARK: from the server

    @Test func `the configurations of both servers are read`() throws {
        for text in [pythonConfig, nodeConfig] {
            guard case .configuration(let members) = Self.read(text) else {
                Issue.record("\(text) is no configuration")
                return
            }
            #expect(members["videoFormat"] == .string("mp4") && members["videoBufferMaxMB"] == .number(16000))
        }
    }

    @Test func `times are numbers, fractions or strings with numbers`() {
        let expected = ServerMessage.uploadRange(range(0, 10.5))
        #expect(
            Self.read(
                #"{"command":"uploadTimeRange","message":"","startTime":1795788303,"endTime":1795788313.5}"#)
                == expected)
        #expect(
            Self.read(#"{"command":"uploadTimeRange","startTime":"1795788303","endTime":"1795788313.5"}"#) == expected)
    }

    @Test(arguments: [
        #"{"command":"uploadTimeRange","startTime":null,"endTime":1}"#,
        #"{"command":"uploadTimeRange","startTime":NaN,"endTime":1}"#,
        #"{"command":"uploadTimeRange","startTime":0,"endTime":Infinity}"#,
        #"{"command":"uploadTimeRange","startTime":-Infinity,"endTime":1}"#,
        #"{"command":"uploadTimeRange","startTime":"nan","endTime":"inf"}"#,
        #"{"command":"uploadTimeRange","startTime":0,"endTime":1e999}"#,
        #"{"command":"uploadTimeRange","startTime":true,"endTime":[1]}"#,
        #"{"command":"uploadTimeRange","startTime":"","endTime":"tomorrow"}"#,
        #"{"command":"uploadTimeRange","startTime":2,"endTime":1}"#,
        #"{"command":"uploadTimeRange","startTime":1,"endTime":1}"#,
        #"{"command":"uploadTimeRange"}"#, #"{"command":null,"message":""}"#, #"{"command":7}"#,
        #"{"command":"formatDisk"}"#, #"{"message":"hello"}"#, "{}", "[]", "null", "42", "\"text\"", "", "{", "NaN",
        #"{"type":"clientConfig"}"#, #"{"type":"clientConfig","config":[]}"#, #"{"type":"chunkSaved"}"#,
        #"{"status":null}"#,
    ])
    func `what has no meaning is described and does nothing`(json: String) { #expect(Self.isUnknown(json)) }

    @Test func `constants of Python become null, and not in strings`() {
        let value = ForeignJSON.value(Array(#"{"a":NaN,"b":"NaN \" NaN","c":[Infinity,-Infinity,1]}"#.utf8))
        #expect(value?["a"] == .null && value?["b"] == .string("NaN \" NaN"))
        #expect(value?["c"] == .array([.null, .null, .number(1)]))
        #expect(ForeignJSON.value(Array("NaNNaN".utf8)) == nil && ForeignJSON.value(Array("\"\\".utf8)) == nil)
    }

    @Test func `a message that is too long is not read`() {
        let long = "{\"status\":\"success\",\"message\":\"" + String(repeating: "x", count: 70_000) + "\"}"
        #expect(Self.isUnknown(long))
    }

    @Test func `answers of both servers are read, and only success is one`() {
        #expect(Self.read(success) == .answer(ServerAnswer(isSuccess: true, text: "Video uploaded successfully")))
        #expect(Self.read(failure) == .answer(ServerAnswer(isSuccess: false, text: "Failed to write file")))
        #expect(Self.read(#"{"status":"error"}"#) == .answer(ServerAnswer(isSuccess: false, text: "error")))
        #expect(Self.read(#"{"status":"SUCCESS"}"#) == .answer(ServerAnswer(isSuccess: false, text: "SUCCESS")))
        #expect(
            Self.read(#"{"status":"error","message":"\u001b[2Jgone"}"#)
                == .answer(ServerAnswer(isSuccess: false, text: #"\u{1b}[2Jgone"#)))
    }

    @Test func `a request to record has the defaults of the old server`() {
        #expect(Self.read(#"{"command":"record","message":""}"#) == .record(RecordRequest()))
        #expect(
            Self.read(#"{"command":"record","duration":5000,"autoUpload":true,"camera":"back"}"#)
                == .record(RecordRequest(duration: 5, wantsUpload: true, camera: "back")))
        #expect(
            Self.read(#"{"command":"record","duration":-1,"autoUpload":"yes","camera":"/dev/sda"}"#)
                == .record(RecordRequest()))
        #expect(Self.read(#"{"command":"record","duration":"2000"}"#) == .record(RecordRequest(duration: 2)))
    }

    @Test func `the form of the time tells the two servers apart`() {
        let python = ServerHealth(Array(#"{"status":"ok","timestamp":1795788303.2,"uptime":3.5,"port":8080}"#.utf8))
        let node = ServerHealth(Array(#"{"status":"ok","timestamp":"2026-11-27T14:05:03Z","uptime":3}"#.utf8))
        #expect(python?.variant == .python && python?.isWell == true)
        #expect(node?.variant == .node)
        #expect(ServerHealth(Array(#"{"status":"starting"}"#.utf8))?.isWell == false)
        #expect(ServerHealth(Array("<html>".utf8)) == nil && ServerHealth(Array("{}".utf8)) == nil)
    }

    // MARK: to the server

    private static func json(_ message: ClientMessage) -> String { String(decoding: message.bytes, as: UTF8.self) }

    @Test func `our messages have the members that the servers expect`() {
        #expect(
            Self.json(.clientInfo(name: device().text)) == #"{"clientName":"lab (Device-123)","type":"clientInfo"}"#)
        #expect(
            Self.json(.upload(name: "chunk_1795551979555.mp4", bytes: 12, mediaType: "video/mp4"))
                == #"{"filename":"chunk_1795551979555.mp4","filesize":12,"mimetype":"video/mp4","type":"upload"}"#)
        #expect(
            Self.json(.chunkSaved(chunk(0.25, length: 9.5, bytes: 77)))
                == #"{"camera":"front","dimensions":{"height":480,"width":640},"endTime":1795788312.75,"format":"mp4","#
                + #""fps":30,"size":77,"startTime":1795788303.25,"type":"chunkSaved"}"#)
        #expect(Self.json(.test) == #"{"type":"test"}"#)
    }

    // MARK: fuzz

    @Test func `no text breaks the reader`() async {
        var dice = Dice(1)
        let samples = [
            pythonConfig, nodeConfig, success, failure, #"{"command":"uploadTimeRange","startTime":1,"endTime":2}"#,
        ]
        var known = 0
        for round in 0..<(isThorough ? 10_000_000 : 10_000) {
            // Tests that wait for others need the threads, too.
            if round % 100 == 0 { await Task.yield() }
            var bytes = Array((samples.randomElement(using: &dice) ?? "").utf8)
            for _ in 0..<Int.random(in: 0...4, using: &dice) { Self.mutate(&bytes, &dice) }
            if case .unknown(let words) = ServerMessage(bytes) {
                #expect(words.unicodeScalars.count < 300)
            } else {
                known += 1
            }
        }
        #expect(known > 1000)
    }

    private static func mutate(_ bytes: inout [UInt8], _ dice: inout Dice) {
        let words = ["null", "NaN", "-1e999", "\"", "{", "]", "\\u0000", "\\ud800", "1795788303", "true"]
        let place = Int.random(in: 0...bytes.count, using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: bytes.insert(contentsOf: (words.randomElement(using: &dice) ?? "").utf8, at: place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...9, using: &dice)))
        case 2: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &dice) }
        default: bytes.append(contentsOf: bytes.prefix(place).suffix(20))
        }
    }
}
