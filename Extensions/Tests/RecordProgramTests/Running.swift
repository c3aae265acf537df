import DockTestKit
import Foundation
import Testing

@testable import VideoRecorder

/// A program that a test has started, with its own folders. It is killed at the end of the test.
final class Running {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private let process = Process()
    private let output: String

    /// The programs of this build are in the folder of the tests.
    static var recorder: String { folder + "/dockface-record" }

    /// The daemon of the main package, or nil if it is not built.
    static var daemon: String? {
        let named = ProcessInfo.processInfo.environment["DOCKFACE_PROGRAM"]
        let usual =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path + "/.build/debug/dockface"
        return [named, usual].compactMap { $0 }.first { access($0, X_OK) == 0 }
    }

    /// Whether ffmpeg is installed.
    static var hasEncoder: Bool { ["ffmpeg", "ffprobe"].allSatisfy { access("/usr/bin/" + $0, X_OK) == 0 } }

    private static let folder: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent
    }()

    /// Starts a program with these words. `place`: the folder of its socket and its files.
    init(_ program: String, _ words: [String], in place: TemporaryFolder, variables: [String: String] = [:]) throws {
        output = place.path + "/output-" + UUID().uuidString
        try Data().write(to: URL(fileURLWithPath: output))
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": place.path, "XDG_RUNTIME_DIR": place.path,
            "XDG_STATE_HOME": place.path + "/state", "XDG_CONFIG_HOME": place.path + "/config",
            "XDG_DATA_HOME": place.path + "/data", "TZ": "UTC",
        ].merging(variables) { $1 }
        process.standardInput = FileHandle.nullDevice
        let file = FileHandle(forWritingAtPath: output)
        (process.standardOutput, process.standardError) = (file, file)
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// What it has printed.
    var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    var hasEnded: Bool { !process.isRunning }
    var identifier: Int32 { process.processIdentifier }
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end, without holding up the threads of other tests. Returns its status, or 128 and more for a signal.
    func status() async -> Int32 {
        while process.isRunning { try? await Task.sleep(for: .milliseconds(10)) }
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }
}

/// Waits until something is true. The limit is generous for a busy machine.
func wait(_ what: String, within seconds: Double = 60, until isTrue: () async throws -> Bool) async throws {
    let end = Date() + seconds
    while try await !isTrue() {
        guard Date() < end else { throw Running.Failure(description: "in vain: \(what)") }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// The recordings of a test.
struct Recordings {
    let place: TemporaryFolder
    var path: String { place.path + "/data/dockface/recordings" }

    var folder: ChunkFolder { get throws { try ChunkFolder.open(path, makes: true) } }

    /// The names of the finished ones.
    var chunks: [ChunkName] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).compactMap(ChunkName.init(file:))
            .sorted { $0.start < $1.start }
    }

    /// Whether one is being written, or was left open.
    var isOpen: Bool {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).contains { $0.hasSuffix(".part") }
    }

    /// The size of the one that is being written, in bytes; 0 if there is none.
    var openBytes: Int {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
            $0.hasSuffix(".part")
        }
        var status = stat()
        return names.reduce(0) { stat(path + "/" + $1, &status) == 0 ? max($0, Int(status.st_size)) : $0 }
    }

    /// Makes a recording of two seconds.
    func make(_ start: Int, size: String = "64x48") throws {
        _ = try folder
        let name = ChunkName(start: start, duration: 2000, verdict: .clear)
        let words = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=\(size):rate=30", "-t", "2"]
        let run = try ChildRun.run(
            words + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", path + "/" + name.file])
        #expect(run.complaint == nil)
    }
}
