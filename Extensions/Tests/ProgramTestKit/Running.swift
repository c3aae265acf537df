public import DockTestKit
import Foundation

/// A program that a test has started, with its own folders. It is killed at the end of the test.
public final class Running {
    /// Why a test cannot go on.
    public struct Failure: Error, CustomStringConvertible {
        /// The reason.
        public let description: String
    }

    private let process = Process()
    private let output: String

    /// A program of this build: it is in the folder of the tests.
    public static func program(_ name: String) -> String { folder + "/" + name }

    /// The daemon of the main package, or nil if it is not built.
    public static var daemon: String? {
        let named = ProcessInfo.processInfo.environment["DOCKFACE_PROGRAM"]
        let usual =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path + "/.build/debug/dockface"
        return [named, usual].compactMap { $0 }.first { access($0, X_OK) == 0 }
    }

    /// Whether ffmpeg is installed.
    public static var hasEncoder: Bool { ["ffmpeg", "ffprobe"].allSatisfy { access("/usr/bin/" + $0, X_OK) == 0 } }

    private static let folder: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent
    }()

    /// Starts a program with these words. `place`: the folder of its socket and its files.
    public init(_ program: String, _ words: [String], in place: TemporaryFolder, variables: [String: String] = [:])
        throws
    {
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
    public var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// Whether it has ended.
    public var hasEnded: Bool { !process.isRunning }
    /// The number of its process.
    public var identifier: Int32 { process.processIdentifier }
    /// Sends it a signal.
    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end, without holding up the threads of other tests. Returns its status, or 128 and more for a signal.
    public func status() async -> Int32 {
        while process.isRunning { try? await Task.sleep(for: .milliseconds(10)) }
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }
}

/// Waits until something is true. The limit is generous for a busy machine.
public func wait(_ what: String, within seconds: Double = 60, until isTrue: () async throws -> Bool) async throws {
    let end = Date() + seconds
    while try await !isTrue() {
        guard Date() < end else { throw Running.Failure(description: "in vain: \(what)") }
        try await Task.sleep(for: .milliseconds(20))
    }
}
