import Companion
import DockSimulator
import DockTypes
import Glibc
import Testing
import TestSupport

/// The library as a program sees it: a simulated dock on a pty, real time, no access to internals.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LibraryTests {
    // MARK: appearing and disappearing

    @Test func `a dock appears, disappears, and returns as the same object; close ends the stream`() async throws {
        let rig = try LibraryRig()
        defer { rig.port.close() }
        var changes = try rig.manager.accessoryStateChanges.makeAsyncIterator()
        let first = try #require(await changes.next())
        #expect(first.state == .undocked && first.accessory == nil)
        let came = try #require(await changes.next())
        let dock = try #require(came.accessory)
        #expect(came.state == .docked && came.trackingButtonEnabled && rig.manager.isSystemTrackingEnabled)
        #expect(dock.identifier.name == "dockface DLP/1 dock" && dock.identifier.category == .trackingStand)
        #expect(dock.identifier.uuid == "d0cface000000001" && dock.hardwareModel == "simulated good")
        #expect(dock.firmwareVersion != nil)
        // A program that starts to listen later gets the current state.
        let late = try await rig.manager.accessoryStateChanges.first { _ in true }
        #expect(late?.accessory === dock)

        rig.port.unplug()
        let gone = try #require(await changes.next())
        #expect(gone.state == .undocked && gone.accessory == nil)
        await #expect(throws: DockError(.notConnected, "", hint: "")) { try await dock.animate(motion: .yes) }
        try rig.port.replug()
        let back = try #require(await changes.next())
        #expect(back.state == .docked && back.accessory === dock)

        rig.port.press(.tracking)
        let off = try #require(await changes.next())
        #expect(off.state == .docked && !off.trackingButtonEnabled)
        rig.port.press(.tracking)
        let on = try #require(await changes.next())
        #expect(on.trackingButtonEnabled && rig.manager.isSystemTrackingEnabled)

        #expect(await rig.manager.close()?.loop.stoppedLast == true)
        #expect(await changes.next() == nil)
    }

    @Test func `an app that enables tracking for each docked change can still leave it`() async throws {
        try await LibraryRig.withDock { rig, manager, dock in
            // Apple's sample observes the changes like this.
            let (handled, output) = AsyncStream<Void>.makeStream()
            let watcher = Task {
                var count = 0
                for await change in try manager.accessoryStateChanges where change.state == .docked {
                    count += 1
                    if change.trackingButtonEnabled { try await manager.setSystemTrackingEnabled(true) }
                    output.yield()
                }
                return count
            }
            for await _ in handled { break }
            try await manager.setSystemTrackingEnabled(false)
            // A turn of the head takes longer than a change would need.
            #expect(try await dock.setOrientation(Vector3D(y: 0.2)).finished() == .completed)
            #expect(!manager.isSystemTrackingEnabled)
            watcher.cancel()
            #expect(try await watcher.value == 1)
        }
    }

    @Test func `a motion may begin as soon as the dock is reported as docked`() async throws {
        try await LibraryRig.withDock { _, manager, dock in
            try await manager.setSystemTrackingEnabled(false)
            try await dock.setAngularVelocity(Vector3D(y: 0.1))
        }
    }

    @Test func `a manager waits for a port that appears later`() async throws {
        let path = TemporaryFile.freePath("library-later")
        let manager = DockAccessoryManager(SessionConfiguration(profile: .dlpDock, port: path))
        var changes = try manager.accessoryStateChanges.makeAsyncIterator()
        #expect(await changes.next()?.state == .undocked)
        let port = try SimulatedDockPort(link: path)
        defer { port.close() }
        var change = await changes.next()
        // Whether the port belongs to a real rig is still unknown, so the mode may be reported first.
        while change?.state == .undocked { change = await changes.next() }
        #expect(change?.state == .docked)
        await manager.close()
    }

    @Test func `two managers have two docks at once`() async throws {
        try await LibraryRig.withDock { one, _, left in
            try await LibraryRig.withDock(uid: 2) { other, manager, right in
                #expect(left.identifier.uuid != right.identifier.uuid)
                try await manager.setSystemTrackingEnabled(false)
                #expect(try await right.setOrientation(Vector3D(y: .degrees(10))).finished() == .completed)
                // Other tests check the precision: on a busy machine the head overshoots a little and returns.
                #expect(abs(other.snapshot.pose.pan - .degrees(10)) < .degrees(2))
                #expect(one.snapshot.pose.magnitude < .degrees(0.5))
            }
        }
    }

    @Test func `without a port the shared manager says what to set`() async throws {
        unsetenv("DOCKFACE_PORT")
        // No daemon of the machine may be found.
        setenv("DOCKFACE_SOCKET", TemporaryFile.freePath("no-daemon"), 1)
        defer { unsetenv("DOCKFACE_SOCKET") }
        setenv("DOCKFACE_CONFIG", "none", 1)
        let manager = DockAccessoryManager.shared
        #expect(manager.failure?.code == .configuration && manager.failure?.hint.contains("DOCKFACE_PORT") == true)
        #expect(throws: DockError(.configuration, "", hint: "")) { try manager.accessoryStateChanges }
        // It has failed, so it does not become a client later.
        await #expect(throws: DockError(.configuration, "", hint: "")) {
            try await manager.setSystemTrackingEnabled(true)
        }
    }

    @Test func `a port that another program holds ends the stream, and the reason is available`() async throws {
        try await LibraryRig.withDock { port, _, _ in
            let second = DockAccessoryManager(SessionConfiguration(profile: .dlpDock, port: port.path))
            for await change in try second.accessoryStateChanges { #expect(change.state == .undocked) }
            #expect(second.failure?.code == .portBusy)
            #expect(throws: DockError(.portBusy, "", hint: "")) { try second.accessoryStateChanges }
            await second.close()
        }
    }

    @Test func `without a dock nothing is controlled, after the end the error says so`() async throws {
        let rig = try LibraryRig()
        defer { rig.port.close() }
        let early = await #expect(throws: DockError.self) { try await rig.manager.clearFault() }
        #expect(early?.code == .notConnected && early?.hint.contains("accessoryStateChanges") == true)
        let dock = try await rig.dock()
        var states = try dock.motionStates.makeAsyncIterator()
        // A second close waits for the same end.
        async let one = rig.manager.close()
        async let two = rig.manager.close()
        let ends = await (one, two)
        #expect(ends.0 == ends.1 && ends.0?.loop.stoppedLast == true)
        #expect(eventually { rig.port.lastFrameWasStop })
        while await states.next() != nil {}
        let late = await #expect(throws: DockError.self) { try await dock.stop() }
        #expect(late?.message == "this manager was closed")
        #expect(throws: DockError.self) { try dock.batteryStates }
        #expect(throws: DockError.self) { try dock.limits }
        #expect(rig.manager.status == nil && rig.manager.failure == nil)
        #expect(await rig.manager.close() == ends.0)
    }

    // MARK: framing and limits

    @Test func `framing and region of interest read back what was set`() async throws {
        try await LibraryRig.withDock { _, _, dock in
            #expect(dock.framingMode == .automatic && dock.regionOfInterest == .full)
            try await dock.setFramingMode(.left)
            try await dock.setRegionOfInterest(Rect(x: 0.25, y: 0, width: 0.5, height: 1))
            #expect(dock.framingMode == .left && dock.regionOfInterest.x == 0.25)
            await #expect(throws: DockError(.invalidParameter, "", hint: "")) {
                try await dock.setRegionOfInterest(Rect(x: 0.5, y: 0, width: 0.6, height: 1))
            }
            #expect(dock.regionOfInterest.width == 0.5)
        }
    }

    @Test func `limits are the rig's own, yaw positive to the right and pitch downward`() async throws {
        try await LibraryRig.withDock { port, manager, dock in
            // The profile says pan ±170, tilt -30 to 80 degrees, with 2 degrees of margin.
            let own = try dock.limits
            #expect(own.yaw?.isNear(-168, 168, speed: 120) == true && own.pitch?.isNear(-78, 28, speed: 120) == true)
            #expect(own.roll == nil)
            let yaw = try DockAccessory.Limit(positionRange: -0.2..<0.3, maximumSpeed: 0.5)
            let pitch = try DockAccessory.Limit(positionRange: -0.1..<0.4, maximumSpeed: 1)
            try await dock.setLimits(.init(yaw: yaw, pitch: pitch))
            #expect(try dock.limits.yaw?.isNear(yaw) == true && dock.limits.pitch?.isNear(pitch) == true)
            try await manager.setSystemTrackingEnabled(false)
            await #expect(throws: DockError(.limitReached, "", hint: "")) {
                try await dock.setOrientation(Vector3D(x: -0.2))
            }
            let down = try await dock.setOrientation(Vector3D(x: 0.35))
            #expect(await down.finished() == .completed)
            #expect(abs(port.snapshot.pose.tilt + 0.35) < 0.02)
            // An omitted axis has the rig's own limits again.
            try await dock.setLimits(.init(yaw: yaw))
            #expect(try dock.limits.yaw?.isNear(yaw) == true && dock.limits.pitch == own.pitch)
            try await dock.resetLimits()
            #expect(try dock.limits == own)
        }
    }

    @Test func `limits can be requested without waiting, and what can be refused at once is`() async throws {
        try await LibraryRig.withDock { port, manager, dock in
            let own = try dock.limits
            let yaw = try DockAccessory.Limit(positionRange: -0.2..<0.3, maximumSpeed: 0.5)
            try dock.requestLimits(.init(yaw: yaw))
            try await manager.setSystemTrackingEnabled(false)
            // The request came first.
            await #expect(throws: DockError(.limitReached, "", hint: "")) {
                try await dock.setOrientation(Vector3D(y: 0.4))
            }
            #expect(port.snapshot.pose.magnitude < .degrees(0.5))
            let far = try DockAccessory.Limit(positionRange: 5..<6, maximumSpeed: 1)
            let refused: [(DockAccessory.Limits, DockError.Code)] = [
                (.init(), .invalidParameter), (.init(roll: yaw), .notSupportedByDevice),
                (.init(pitch: far), .limitReached),
            ]
            for (limits, code) in refused {
                let error = #expect(throws: DockError.self) { try dock.requestLimits(limits) }
                #expect(error?.code == code)
            }
            try await dock.resetLimits()
            #expect(try dock.limits == own)
        }
    }

    @Test func `system tracking that was switched off before the start stays off, and observations are followed`()
        async throws
    {
        let rig = try LibraryRig()
        defer { rig.port.close() }
        try await rig.manager.setSystemTrackingEnabled(false)
        let dock = try await rig.dock()
        #expect(!rig.manager.isSystemTrackingEnabled)
        try await dock.track([Observation(identifier: 1, rect: Rect(x: 0.4, y: 0.4, width: 0.1, height: 0.1))])
        #expect(rig.manager.status?.loop.mode == .custom)
        await rig.manager.close()
    }

    @Test func `invalid limits are refused`() async throws {
        for (range, speed) in [(0.1..<0.1, 1.0), (0..<1, 0), (0..<1, -1), (0..<1, .nan), (0..<1, .infinity)] {
            #expect(throws: DockError(.invalidParameter, "", hint: "")) {
                try DockAccessory.Limit(positionRange: range, maximumSpeed: speed)
            }
        }
        try await LibraryRig.withDock { _, _, dock in
            let limit = try DockAccessory.Limit(positionRange: 0..<1, maximumSpeed: 1)
            let far = try DockAccessory.Limit(positionRange: 5..<6, maximumSpeed: 1)
            let endless = try DockAccessory.Limit(positionRange: -.infinity..<1, maximumSpeed: 1)
            let refused: [(DockAccessory.Limits, DockError.Code)] = [
                (.init(), .invalidParameter), (.init(yaw: limit, roll: limit), .notSupportedByDevice),
                (.init(pitch: far), .limitReached), (.init(yaw: endless), .invalidParameter),
            ]
            for (limits, code) in refused {
                let error = await #expect(throws: DockError.self) { try await dock.setLimits(limits) }
                #expect(error?.code == code)
            }
        }
    }
}
