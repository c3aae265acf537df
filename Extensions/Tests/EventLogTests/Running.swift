import DockTestKit
import Foundation
import Testing

@testable import EventLog

/// A program that a test has started, with its own folders. It is killed at the end of the test.
final class Running {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private let process = Process()
    private let errors: String

    /// The programs of this build are in the folder of the tests.
    static var log: String { folder + "/dockface-log" }

    /// The daemon of the main package, or nil if it is not built.
    static var daemon: String? {
        let named = ProcessInfo.processInfo.environment["DOCKFACE_PROGRAM"]
        let usual =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path + "/.build/debug/dockface"
        return [named, usual].compactMap { $0 }.first { access($0, X_OK) == 0 }
    }

    private static let folder: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent
    }()

    /// Starts a program with these words. `place`: the folder of its socket and its files.
    /// `output`: where it prints, if not to a file of its own.
    init(_ program: String, _ words: [String], in place: TemporaryFolder, output: FileHandle? = nil) throws {
        errors = place.path + "/errors-" + UUID().uuidString
        try Data().write(to: URL(fileURLWithPath: errors))
        let output = output ?? FileHandle(forWritingAtPath: errors)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": place.path, "XDG_RUNTIME_DIR": place.path,
            "XDG_STATE_HOME": place.path + "/state", "XDG_CONFIG_HOME": place.path + "/config", "TZ": "UTC",
        ]
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// What it has printed.
    var text: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end. Returns its status, or 128 and more for a signal.
    func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }
}

/// Reads the records of a running `dockface-log`.
final class RecordWatch {
    private let path: String
    private var reader: LogReader?
    private(set) var seen: [StoredRecord] = []

    init(_ place: TemporaryFolder) { path = place.path + "/state/dockface/log" }

    /// Waits for a record with these words. The limit is generous for a busy machine.
    func wait(for words: String, within seconds: Double = 150) async throws {
        let end = Date() + seconds
        while Date() < end {
            if reader == nil, LogFolder.exists(path) {
                reader = LogReader(try LogFolder.open(path, makes: false), LogRange())
            }
            while let new = try reader?.next(), !new.isEmpty { seen += new }
            if let place = seen.firstIndex(where: { "\($0.kind) \($0.what)" == words }) {
                seen.removeSubrange(...place)
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Running.Failure(description: "no record \"\(words)\" after: \(seen.map { "\($0.kind) \($0.what)" })")
    }
}
