import ControlProtocol
import Glibc

@testable import AllSpark

/// DOCKFACE_THOROUGH: also runs what takes long and seldom finds anything new.
let isThorough = getenv("DOCKFACE_THOROUGH") != nil

/// 2026-11-27 14:05:03 UTC, in seconds.
let noon = 1_795_788_303.0

/// A moment so many seconds after `noon`; the monotonic clock shows 1000 more.
func at(_ seconds: Double) -> AllSparkMachine.Moment { .init(monotonic: 1000 + seconds, unix: noon + seconds) }

/// The chunk that begins so many seconds after `noon`, 10 s long unless otherwise stated.
func chunk(_ start: Double, length: Double = 10, bytes: Int = 1_000_000, hasSound: Bool = true) -> ChunkReference {
    ChunkReference(
        number: Int(((noon + start) * 1000).rounded()), start: noon + start, end: noon + start + length,
        camera: "front", bytes: bytes, format: .mp4, rate: 30, width: 640, height: 480, hasSound: hasSound,
        hasPoses: true)
}

/// So many seconds after `noon`. The start is before the end.
func range(_ start: Double, _ end: Double) -> TimeRange {
    guard let range = TimeRange(start: noon + start, end: noon + end) else { fatalError("no range") }
    return range
}

func device(_ word: String = "lab", _ number: Int = 123) -> DeviceName { DeviceName(word, number: number) }

/// The conversation with a server without encryption.
func newMachine(
    _ terms: OwnerTerms = OwnerTerms(), isEncrypted: Bool = false, pin: String? = nil,
    style: UploadName.Style = .milliseconds
) -> Talk {
    Talk(
        AllSparkMachine(
            server: AllSparkServer(name: "lab", address: "10.0.0.2:8080", isEncrypted: isEncrypted, pin: pin),
            terms: terms, naming: UploadName(style, device: device())))
}

/// A machine behind a reference, so that an expectation can contain a step.
@dynamicMemberLookup final class Talk {
    var machine: AllSparkMachine

    init(_ machine: AllSparkMachine) { self.machine = machine }

    func handle(_ event: AllSparkMachine.Event, at now: AllSparkMachine.Moment) -> [AllSparkMachine.Action] {
        machine.handle(event, at: now)
    }

    func tick(at now: AllSparkMachine.Moment) -> [AllSparkMachine.Action] { machine.tick(at: now) }

    subscript<Value>(dynamicMember path: KeyPath<AllSparkMachine, Value>) -> Value { machine[keyPath: path] }
}

/// A message of the server.
func text(_ json: String) -> AllSparkMachine.Event { .received(Array(json.utf8)) }

let pythonConfig = #"""
    {"type":"clientConfig","config":{"videoFormat":"mp4","videoChunkDurationMs":10000,"videoBufferMaxMB":16000,\#
    "audioFormat":"wav","depthFormat":"png","poseFormat":"json","timestampFormat":"txt","fps":30.0,\#
    "communicationsPolicy":{"wifi":true,"cellular":false,"ethernet":true}}}
    """#
let nodeConfig = #"""
    {"type":"clientConfig","config":{"videoFormat":"mp4","videoChunkDurationMs":30000,"videoBufferMaxMB":16000,\#
    "communicationsPolicy":{"wifi":true}}}
    """#
let success = #"{"status":"success","message":"Video uploaded successfully"}"#
let failure = #"{"status":"error","message":"Failed to write file"}"#

extension [AllSparkMachine.Action] {
    /// The text messages, as JSON.
    var sent: [JSONValue] { compactMap { if case .send(let bytes) = $0 { JSONValue(json: bytes) } else { nil } } }
    var logs: [String] { compactMap { if case .log(let text, _) = $0 { text } else { nil } } }
    var audits: [AuditRecord] { compactMap { if case .audit(let record) = $0 { record } else { nil } } }
    var states: [LinkState] { compactMap { if case .show(let state) = $0 { state } else { nil } } }
    var needs: [FileNeed] { compactMap { if case .prepare(let need) = $0 { need } else { nil } } }
    var finds: [FindRequest] { compactMap { if case .find(let request) = $0 { request } else { nil } } }
    var uploaded: [Int] { compactMap { if case .uploaded(let number) = $0 { number } else { nil } } }
    var files: [FileNeed] { compactMap { if case .sendFile(let need, _) = $0 { need } else { nil } } }
    var configs: [RecordingConfig] { compactMap { if case .configure(let config) = $0 { config } else { nil } } }
    var records: [RecordRequest] { compactMap { if case .startRecording(let request) = $0 { request } else { nil } } }
    var reasons: [String] { compactMap { if case .disconnect(let reason) = $0 { reason } else { nil } } }
    var isConnecting: Bool { contains(.connect) }
}
