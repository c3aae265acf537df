import DockClient
import DockTypes
import EventDevice
import ExtensionKit
import Foundation
import Gamepad
import Geometry
import Glibc
import Testing

@testable import dockface_pad

/// A person at a pad turns the head of the real daemon, and everything that can end does.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: RealDaemon.binary != nil, "build the daemon first: swift build --product dockface"))
struct DaemonTests {
    /// How long the head may go on, in seconds: the expiry of a velocity, the daemon's loop, and a report every 50 ms.
    private static let bound: Seconds = 0.35 + 0.15
    /// The same on a machine that is late. The head must stop by itself, and not because the test ends.
    private static let lateBound: Seconds = 3

    /// Drives, ends that, and waits for the head. Returns how long it took, in seconds.
    private func stopTime(_ stage: PadStage, _ end: () async throws -> Void) async throws -> Seconds {
        #expect(try await stage.drive())
        let start = SystemTime.monotonic
        try await end()
        let stopped = try #require(try await stage.daemon.wait(isMoving: false))
        #expect(stopped - start < Self.lateBound)
        return stopped - start
    }

    /// Checks the time of a stop. A busy machine may delay one, or two: they are repeated.
    private func check(_ end: (PadStage) async throws -> Void) async throws {
        let daemon = try await RealDaemon()
        var times: [Seconds] = []
        while times.count < 3, times.min() ?? .infinity > Self.bound {
            let stage = PadStage(daemon)
            times.append(try await stopTime(stage) { try await end(stage) })
            await stage.end()
        }
        #expect(times.min() ?? .infinity < Self.bound, "\(times) s")
    }

    @Test func `letting the dead-man go stops the head`() async throws {
        try await check { $0.pad.release(PipeDevice.deadMan) }
    }

    @Test func `a pad that is unplugged stops the head`() async throws { try await check { $0.pad.unplug() } }

    // The stop is part of the end.
    @Test func `the program's end stops the head`() async throws { try await check { await $0.end() } }

    @Test func `after a hold the next one moves the head again, in mode manual`() async throws {
        let stage = PadStage(try await RealDaemon())
        for _ in 0..<3 {
            _ = try await stopTime(stage) { stage.pad.release(PipeDevice.deadMan) }
            #expect(try await stage.daemon.dock.status().accessory.mode == .manual)
        }
        await stage.end()
    }

    @Test func `a program that says nothing more stops the head by itself`() async throws {
        let daemon = try await RealDaemon(), inbox = PadInbox(try #require(Bell()))
        let desk = PadDesk(inbox, log: ExtensionLog("pad") { _ in }, isDry: false)
        desk.connect(daemon.dock)
        var times: [Seconds] = []
        while times.count < 3, times.min() ?? .infinity > Self.bound {
            desk.perform([.velocity(PanTilt(pan: 1, tilt: 0))], now: 0)
            let start = SystemTime.monotonic
            #expect(try await daemon.wait(isMoving: true) != nil)
            times.append(try #require(try await daemon.wait(isMoving: false)) - start)
        }
        #expect(times.min() ?? .infinity < Self.bound, "\(times) s")
    }

    @Test func `B stops as a person: programs do not move the dock until it is given back`() async throws {
        let stage = PadStage(try await RealDaemon())
        _ = try await stopTime(stage) { stage.pad.press(PipeDevice.east) }
        for await update in try stage.daemon.dock.updates(.accessory) where update.value.stoppedBy == "person" { break }
        await #expect(throws: DockError.self) { try await stage.daemon.dock.setOrientation(.zero) }
        // The person at the pad may.
        stage.pad.release(PipeDevice.east)
        stage.pad.release(PipeDevice.deadMan)
        #expect(try await stage.drive())
        await stage.end()
    }

    @Test func `the emergency stop of the pad is a person's`() async throws {
        let stage = PadStage(try await RealDaemon())
        _ = try await stopTime(stage) { stage.pad.report((EventCode.key, 0x13A, 1), (EventCode.key, 0x13B, 1)) }
        for await update in try stage.daemon.dock.updates(.accessory) where update.value.dock == "faulted" { break }
        await #expect(throws: DockError.self) { try await stage.daemon.dock.clearFault() }
        await stage.end()
    }

    @Test func `another user's stop holds against a deflected stick`() async throws {
        let stage = PadStage(try await RealDaemon())
        _ = try await stopTime(stage) { try await stage.daemon.dock.command("stop") }
        // The stick goes on, and the head does not.
        let end = SystemTime.monotonic + 0.6
        var rounds: Int32 = 0
        while SystemTime.monotonic < end {
            stage.pad.move(0, 32000 + rounds % 100)
            rounds += 1
            #expect(try await stage.daemon.dock.status().motion.commanded.magnitude < 1e-6)
        }
        await stage.end()
    }

    @Test func `a program cannot move the dock while a person drives it`() async throws {
        let stage = PadStage(try await RealDaemon())
        #expect(try await stage.drive())
        await #expect(throws: DockError.self) { try await stage.daemon.dock.setOrientation(.zero) }
        await stage.end()
    }

    @Test func `a flood of events does not hide the release of the dead-man`() async throws {
        let stage = PadStage(try await RealDaemon())
        #expect(try await stage.drive())
        let flood = (0..<20_000).flatMap { index in
            [DeviceEvent(type: EventCode.axis, code: 0, value: 30_000 + Int32(index % 2000)), PipeDevice.end]
        }
        let pad = stage.pad
        let sender = Task.detached {
            // The socket takes what the program reads.
            for start in stride(from: 0, to: flood.count, by: 1000) { pad.sendAll(Array(flood[start..<start + 1000])) }
            pad.release(PipeDevice.deadMan)
        }
        await sender.value
        #expect(try await stage.daemon.wait(isMoving: false) != nil)
        await stage.end()
    }

    @Test func `a daemon that comes back finds a pad that must begin again`() async throws {
        let daemon = try await RealDaemon(), stage = PadStage(daemon)
        #expect(try await stage.drive())
        kill(daemon.process.processIdentifier, SIGKILL)
        daemon.process.waitUntilExit()
        try daemon.restart()
        for await connection in daemon.dock.connections { if case .connected = connection { break } }
        for await update in try daemon.dock.updates(.motion) where update.value.position != nil { break }
        try await daemon.admit()
        stage.pad.move(0, 32000)
        #expect(try await daemon.dock.status().motion.commanded == .zero)
        stage.pad.release(PipeDevice.deadMan)
        #expect(try await stage.drive())
        await stage.end()
    }
}
