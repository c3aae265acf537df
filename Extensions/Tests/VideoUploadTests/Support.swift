import AllSpark
import DockTypes
import Networking
import Synchronization
import VideoUpload

@testable import NetworkTestKit

/// Holds the chunks of a test, and notes what a conversation does.
final class TestDesk: UploadDesk {
    struct Seen: Sendable {
        var uploaded: [Int] = []
        var audits: [AuditRecord] = []
        var states: [LinkState] = []
        var lines: [String] = []
        var configs: [RecordingConfig] = []
        var recordings: [RecordRequest] = []
        var open: Set<FileNeed> = []
        var isIdle = true
    }

    static let start = 1_795_788_303.0

    private let all: [ChunkReference]
    private let shared = Mutex(Seen())
    private let files = Mutex<[FileNeed: PatternFile]>([:])
    private let auditProblem: DockError?

    /// Keeps so many chunks of ten seconds. `auditProblem`: why no audit line can be kept.
    init(_ count: Int = 4, auditProblem: DockError? = nil) {
        all = (0..<count).map(Self.chunk)
        self.auditProblem = auditProblem
    }

    static func chunk(_ index: Int) -> ChunkReference {
        ChunkReference(
            number: Int(start * 1000) + index * 10_000, start: start + Double(index) * 10,
            end: start + Double(index + 1) * 10, camera: "front", bytes: 60_000, format: .mp4, rate: 30, width: 640,
            height: 480, hasSound: false, hasPoses: false)
    }

    var seen: Seen { shared.withLock { $0 } }

    /// Waits until what it has seen is this.
    func wait(until isRight: (Seen) -> Bool) async throws {
        while !isRight(seen) { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// The content of a file, by its name on the server.
    func content(of name: String) -> [UInt8]? {
        let number = Int(name.split(separator: "_").last?.split(separator: ".").first ?? "") ?? 0
        let role: FileRole = name.hasPrefix("chunk") ? .video(.mp4) : .timestamps
        return files.withLock { $0[FileNeed(chunk: number, role: role)]?.bytes }
    }

    func chunks(in range: TimeRange, limit: Int) async -> (chunks: [ChunkReference], isComplete: Bool) {
        let found = all.filter { range.overlaps(start: $0.start, end: $0.end) }
        return (Array(found.prefix(limit)), found.count <= limit)
    }

    func open(_ need: FileNeed) async throws(DockError) -> FileSource {
        let size = need.role.isVideo ? 60_000 : 5000
        let file = files.withLock { files -> PatternFile? in
            if files[need] == nil { files[need] = try? PatternFile(size + need.chunk % 977) }
            return files[need]
        }
        guard let source = try? file?.source() else { throw DockError(.cannotOpen, "no file", hint: "") }
        shared.withLock { _ = $0.open.insert(need) }
        return source
    }

    func close(_ need: FileNeed) { shared.withLock { _ = $0.open.remove(need) } }

    func keep(_ record: AuditRecord) throws(DockError) {
        if let auditProblem { throw auditProblem }
        shared.withLock { $0.audits.append(record) }
    }

    func note(_ news: UploadNews) {
        shared.withLock { seen in
            switch news {
            case .uploaded(let chunk): seen.uploaded.append(chunk)
            case .configured(let config): seen.configs.append(config)
            case .recordingRequested(let request): seen.recordings.append(request)
            case .state(let state, _): seen.states.append(state)
            case .log(let text, _): seen.lines.append(text)
            case .idle(let isIdle): seen.isIdle = isIdle
            case .progress: break
            }
        }
    }
}

/// Small fragments, so that a file that is small enough for a test has several.
func smallFragments() -> WebSocketOptions {
    var options = quickOptions()
    options.fragment = 16_384
    return options
}

/// A server at a local port.
func chosen(_ port: Int, trust: TransportTrust = .off) throws -> ChosenServer {
    try ChosenServer(name: "lab", address: ServerAddress("127.0.0.1:\(port)", defaultPort: 1), trust: trust)
}
