import DockClient
import DockTestKit
import EventDevice
import Foundation
import Gamepad
import Geometry
import Glibc

@testable import ExtensionKit
@testable import dockface_pad

/// The real daemon on a simulated dock. It must have been built: `swift build --product dockface` beside the extensions,
/// or named by DOCKFACE_PROGRAM.
final class RealDaemon {
    static let binary: String? = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let places = [
            ProcessInfo.processInfo.environment["DOCKFACE_PROGRAM"], root + "/.build/debug/dockface",
            root + "/.build-static/release/dockface",
        ]
        return places.compactMap { $0 }.first { access($0, X_OK) == 0 }
    }()

    private(set) var process = Process()
    let folder = TemporaryFolder()
    let dock: Dock
    var socket: String { folder.path + "/s" }

    init() async throws {
        process = try Self.start(folder.path)
        // It is not there at once.
        let session = ExtensionSession(
            ExtensionIdentity(name: "test", version: "1"), control: folder.path + "/s",
            log: ExtensionLog("test") { _ in })
        dock = try await session.connect()
        for await update in try dock.updates(.motion) where update.value.position != nil { break }
        try await admit()
    }

    /// Starts another daemon at the same place.
    func restart() throws { process = try Self.start(folder.path) }

    /// Waits until motion is admitted; it is refused for a moment after a dock was attached.
    func admit() async throws {
        while (try? await dock.setAngularVelocity(.zero, for: 0.01)) == nil {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func start(_ folder: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.binary ?? "/no/such/file")
        process.arguments = [
            "run", "--headless", "--port", "sim", "--detector", "none", "--mode", "manual", "--socket", folder + "/s",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder + "/state", "XDG_DATA_HOME": folder + "/data",
            "XDG_CONFIG_HOME": folder + "/config",
        ]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    deinit {
        dock.close()
        kill(process.processIdentifier, SIGCONT)
        kill(process.processIdentifier, SIGKILL)
        // It would make its folder again.
        process.waitUntilExit()
    }

    /// Waits until the commanded speed is above or below a limit in rad/s. Returns CLOCK_MONOTONIC of the report, or nil
    /// after 10 s.
    func wait(isMoving: Bool) async throws -> Seconds? {
        let end = SystemTime.monotonic + 10
        for await update in try dock.updates(.motion) {
            let speed = update.value.commanded.magnitude
            if isMoving ? speed > 0.1 : speed < 1e-6 { return SystemTime.monotonic }
            if SystemTime.monotonic > end { return nil }
        }
        return nil
    }
}

/// The program's work in this process, with a pad that is a socket.
final class PadStage {
    let pad: PipeDevice
    let pads: Box<[FoundPad]>
    let daemon: RealDaemon
    let folder = TemporaryFolder()
    private let work: Task<Void, any Error>

    init(_ daemon: RealDaemon, isThere: Bool = true) {
        self.daemon = daemon
        let pad = PipeDevice(), pads = Box(isThere ? [pad.found] : [])
        (self.pad, self.pads) = (pad, pads)
        let folder = folder.path
        let work = PadWork(settings: PadSettings(), isDry: false) { PadPort(watching: folder) { pads.value } }
        let session = ExtensionSession(
            ExtensionIdentity(name: "pad", version: "1"), control: daemon.socket, log: ExtensionLog("pad") { _ in })
        self.work = Task { try await work.run(session) }
    }

    /// Holds the dead-man and deflects the stick, until the head moves. At the beginning the program may not have
    /// connected yet, so it tries again.
    func drive() async throws -> Bool {
        for _ in 0..<50 {
            pad.move(0, 0)
            pad.press(PipeDevice.deadMan)
            pad.move(0, 32767)
            let end = SystemTime.monotonic + 0.5
            for await update in try daemon.dock.updates(.motion) {
                if update.value.commanded.pan > 0.1 { return true }
                if SystemTime.monotonic > end { break }
            }
            pad.release(PipeDevice.deadMan)
        }
        return false
    }

    /// Ends the program in order.
    func end() async {
        work.cancel()
        _ = await work.result
    }
}
