import CPosix
import DockControl
import DockSimulator
import DockTypes
import DockWire
import Geometry
import Synchronization
import Testing

/// The real loop thread on a real pty, with the simulated dock at its other end.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LoopTests {
    /// A loop on a simulated dock, and its events.
    final class Rig: Sendable {
        let dock: SimulatedDockPort
        let loop: DockLoop

        init(mode: TrackingMode = .manual, dryRun: Bool = false) throws {
            dock = try SimulatedDockPort()
            loop = try DockLoop()
            var options = LoopOptions(profile: .dlpDock, mode: mode)
            options.dryRun = dryRun
            let path = dock.path
            try loop.start(
                link: try LinkOpener.open(path, serial: .init()), options: options,
                driver: DlpDriver(profile: .dlpDock),
                reopen: { () throws(DockError) in try LinkOpener.open(path, serial: .init()) }, makeInput: { nil })
        }

        func end() {
            loop.requestStop()
            loop.join()
            dock.close()
        }

        /// Waits for the dock to enter a state.
        func wait(for state: DockState) async {
            for await event in loop.events {
                if case .dock(state, _) = event { return }
            }
        }

        /// Waits for a snapshot.
        func wait(until isRight: (LoopSnapshot) -> Bool) async {
            for await snapshot in loop.snapshots where isRight(snapshot) { return }
        }
    }

    @Test func `the stop is the last message on the wire, and the loop reports that`() async throws {
        let rig = try Rig()
        await rig.wait(for: .ready)
        _ = try await rig.loop.perform(.velocity(.degrees(pan: 40, tilt: 0), duration: 30))
        await rig.wait { abs($0.rate.pan.inDegrees) > 30 }
        rig.loop.requestStop()
        rig.loop.join()
        #expect(rig.loop.end.stoppedLast)
        #expect(rig.loop.end.counters.setpoints > 0)
        // The dock's own thread reads it a little later.
        let deadline = cposix_monotonic_now() + 10
        while !rig.dock.lastFrameWasStop, cposix_monotonic_now() < deadline { await Task.yield() }
        #expect(rig.dock.lastFrameWasStop)
        rig.dock.close()
    }

    @Test func `a fault latches, refused motion names a remedy, and clear waits for the cause to end`() async throws {
        let rig = try Rig()
        defer { rig.end() }
        await rig.wait(for: .ready)
        rig.dock.emergency(true)
        await rig.wait(for: .faulted(.emergencyStop))
        await #expect(throws: DockError(.faulted, "", hint: "")) {
            try await rig.loop.perform(.velocity(.degrees(pan: 5, tilt: 0), duration: 1))
        }
        await #expect(throws: DockError(.faulted, "", hint: "")) { try await rig.loop.perform(.clear) }
        rig.dock.emergency(false)
        _ = try await rig.loop.perform(.clear)
        #expect(rig.loop.latest.mode == .manual)
        _ = try await rig.loop.perform(.velocity(.degrees(pan: 5, tilt: 0), duration: 1))
    }

    @Test func `after unplugging nothing is written until the dock is back, greeted and ready`() async throws {
        let rig = try Rig(mode: .system)
        defer { rig.end() }
        await rig.wait(for: .ready)
        rig.dock.unplug()
        await rig.wait(for: .detached(.unplugged))
        await #expect(throws: DockError(.notConnected, "", hint: "")) {
            try await rig.loop.perform(.chevron(.degrees(pan: 5, tilt: 0), duration: 1))
        }
        #expect(rig.loop.latest.mode == .system)
    }

    @Test func `torque that was switched off stays off when the handshake is repeated`() async throws {
        let rig = try Rig()
        defer { rig.end() }
        await rig.wait(for: .ready)
        _ = try await rig.loop.perform(.torque(false))
        rig.dock.reboot()
        await rig.wait(for: .greeting)
        await rig.wait(for: .ready)
        #expect(!rig.dock.snapshot.flags.contains(.torque))
        await #expect(throws: DockError(.busy, "", hint: "")) { try await rig.loop.perform(.home) }
        _ = try await rig.loop.perform(.torque(true))
        _ = try await rig.loop.perform(.velocity(.degrees(pan: 20, tilt: 0), duration: 5))
        await rig.wait { abs($0.rate.pan.inDegrees) > 10 }
    }

    @Test func `an emergency stop given without a dock holds when it comes back, and clear ends it`() async throws {
        let rig = try Rig()
        defer { rig.end() }
        await rig.wait(for: .ready)
        _ = try await rig.loop.perform(.emergencyStop)
        _ = try await rig.loop.perform(.clear)
        #expect(rig.loop.latest.mode == .manual || rig.loop.latest.time == 0)
        _ = try await rig.loop.perform(.velocity(.degrees(pan: 20, tilt: 0), duration: 5))
        await rig.wait { abs($0.rate.pan.inDegrees) > 10 }
        _ = try await rig.loop.perform(.emergencyStop)
        await rig.wait { abs($0.rate.pan.inDegrees) < 0.5 }
        #expect(rig.dock.snapshot.isEmergencyStopped)
    }

    @Test func `two clears at once are both answered, and so is one that waits at the end`() async throws {
        let rig = try Rig()
        await rig.wait(for: .ready)
        rig.dock.emergency(true)
        await rig.wait(for: .faulted(.emergencyStop))
        await withTaskGroup { tasks in
            for _ in 0..<2 {
                tasks.addTask {
                    await #expect(throws: DockError.self) { try await rig.loop.perform(.clear) }
                }
            }
        }
        async let last: Void = {
            await #expect(throws: DockError.self) { try await rig.loop.perform(.clear) }
        }()
        rig.end()
        await last
    }

    @Test func `a dry run decides and answers, and the dock does not move`() async throws {
        let rig = try Rig(dryRun: true)
        await rig.wait(for: .ready)
        _ = try await rig.loop.perform(.velocity(.degrees(pan: 40, tilt: 0), duration: 0.4))
        await rig.wait { $0.command == .zero && $0.counters.setpoints > 5 }
        #expect(rig.dock.statistics.maximumSpeed == 0)
        #expect(rig.dock.pose(at: .infinity) == .zero)
        rig.end()
        #expect(rig.loop.end.stoppedLast)
    }

    @Test func `after its end everything is refused and nothing hangs`() async throws {
        let rig = try Rig()
        rig.end()
        await #expect(throws: DockError(.notConnected, "", hint: "")) { try await rig.loop.perform(.home) }
    }
}

@Suite struct StopRoomTests {
    private final class Count: Sendable { let value = Atomic<Int>(0) }

    @Test func `a stop finds room however many commands wait, and no stop displaces an emergency stop`() throws {
        // A loop that has not begun takes nothing from the queue: everything waits.
        let loop = try DockLoop()
        for number in 0..<300 {
            loop.post(number % 2 == 0 ? .setMode(.manual) : .cancel(MotionID(number), .cancelled))
        }
        let refused = Count()
        let count: @Sendable (MotionAnswer) -> Void = {
            if case .failure = $0 { refused.value.add(1, ordering: .relaxed) }
        }
        loop.post(.stop, reply: count)
        loop.post(.emergencyStop, reply: count)
        #expect(refused.value.load(ordering: .relaxed) == 0)
        for _ in 0..<126 { loop.post(.stop) }
        loop.post(.emergencyStop, reply: count)
        for _ in 0..<20 { loop.post(.stop) }
        #expect(refused.value.load(ordering: .relaxed) == 0, "other stops gave way")
    }
}
