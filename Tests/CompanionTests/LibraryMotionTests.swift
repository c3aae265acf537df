import DockSimulator
import DockTypes
import Processes
import Synchronization
import Testing
import TestSupport

@testable import Companion

/// Motion, streams and tracking of the library, on a simulated dock. Nothing here relies on a task resuming in time:
/// other tests occupy the pool's threads while the dock moves.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LibraryMotionTests {
    // MARK: motions

    @Test func `a motion reports its progress and its outcome`() async throws {
        try await LibraryRig.withDock { port, manager, dock in
            try await manager.setSystemTrackingEnabled(false)
            let move = try await dock.setOrientation(
                Vector3D(x: .degrees(-5), y: .degrees(8)), duration: .milliseconds(600))
            #expect(move.duration == .milliseconds(600))
            var last = -1.0
            for await _ in try dock.motionStates {
                let fraction = move.fractionCompleted
                #expect(fraction >= last && (0...1).contains(fraction))
                last = fraction
                if move.isFinished { break }
                // The units are milliseconds of the planned duration.
                #expect(move.totalUnitCount == 600 && (0...600).contains(move.completedUnitCount))
            }
            #expect(await move.finished() == .completed && move.fractionCompleted == 1 && !move.isCancelled)
            #expect(move.completedUnitCount == move.totalUnitCount)
            #expect((port.snapshot.pose - .degrees(pan: 8, tilt: 5)).magnitude < .degrees(0.5))

            let back = try await dock.setOrientation(Vector3D(y: .degrees(-8)), relative: true)
            #expect(await back.finished() == .completed)
            #expect(abs(port.snapshot.pose.pan) < .degrees(0.5))
            let first = try await dock.setOrientation(Vector3D(y: .degrees(40)), duration: .seconds(50))
            #expect(first.outcome == nil && !first.isFinished && first.fractionCompleted < 1)
            let second = try await dock.setOrientation(Vector3D(y: .degrees(-2)))
            #expect(await first.finished() == .superseded)
            #expect(await second.finished() == .completed)
            // A caller that asks after the end still gets the outcome.
            let late = DockAccessory.Progress(id: first.id, duration: 3, run: try manager.running())
            #expect(await late.finished() == .superseded)
        }
    }

    @Test func `an animation restores the mode when it ends or is cancelled, not after a stop`() async throws {
        try await LibraryRig.withDock { _, manager, dock in
            let nod = try await dock.animate(motion: .yes)
            do throws(DockError) {
                let shake = try await dock.animate(motion: .no)
                // Only after the first one.
                #expect(await nod.finished() == .completed)
                #expect(await shake.finished() == .completed)
            } catch {
                #expect(error.code == .busy)
            }
            #expect(await nod.finished() == .completed && manager.isSystemTrackingEnabled)
            let kapow = try await dock.animate(motion: .kapow)
            kapow.cancel()
            let ended = await kapow.finished()
            #expect(ended == .cancelled || ended == .completed)
            #expect(kapow.isCancelled == (ended == .cancelled) && manager.isSystemTrackingEnabled)
            let wake = try await dock.animate(motion: .wakeup)
            try await dock.stop()
            let stopped = await wake.finished()
            #expect(stopped == .stopped || stopped == .completed)
            #expect(!manager.isSystemTrackingEnabled)
        }
    }

    @Test func `close ends a motion, its handle, and every stream`() async throws {
        let rig = try LibraryRig()
        defer { rig.port.close() }
        let dock = try await rig.dock()
        // Obtained before the end, whenever they are read.
        let motionsStream = try dock.motionStates
        let subjectsStream = try dock.trackingStates
        let batteriesStream = try dock.batteryStates
        let eventsStream = try dock.accessoryEvents
        async let motions = count(motionsStream)
        async let subjects = count(subjectsStream)
        async let batteries = count(batteriesStream)
        async let events = count(eventsStream)
        try await rig.manager.setSystemTrackingEnabled(false)
        let move = try await dock.setOrientation(Vector3D(y: 1), duration: .seconds(20))
        #expect(await rig.manager.close()?.loop.stoppedLast == true)
        #expect(await move.finished() == .stopped)
        #expect(eventually { rig.port.lastFrameWasStop })
        _ = await (motions, subjects, batteries, events)
    }

    private func count<Element: Sendable>(_ stream: AsyncStream<Element>) async -> Int {
        var count = 0
        for await _ in stream { count += 1 }
        return count
    }

    @Test func `an emergency stop latches until it is cleared`() async throws {
        try await LibraryRig.withDock { _, manager, dock in
            try await dock.emergencyStop()
            await #expect(throws: DockError(.faulted, "", hint: "")) { try await dock.animate(motion: .yes) }
            try await manager.clearFault()
            #expect(try await dock.animate(motion: .yes).finished() == .completed)
        }
    }

    @Test(arguments: [
        Vector3D(x: .nan), Vector3D(y: .infinity),
    ]) func `invalid angles are refused`(_ vector: Vector3D) async throws {
        try await LibraryRig.withDock { _, manager, dock in
            try await manager.setSystemTrackingEnabled(false)
            await #expect(throws: DockError(.invalidParameter, "", hint: "")) {
                try await dock.setAngularVelocity(vector)
            }
            await #expect(throws: DockError(.invalidParameter, "", hint: "")) {
                try await dock.setOrientation(Vector3D(), duration: .seconds(-1))
            }
            await #expect(throws: DockError(.notSupportedByDevice, "", hint: "")) {
                try await dock.setAngularVelocity(Vector3D(z: 1))
            }
        }
    }

    // MARK: streams

    @Test(arguments: [(Vector3D(y: 0.3), PanTilt(pan: 1, tilt: 0)), (Vector3D(x: 0.3), PanTilt(pan: 0, tilt: -1))])
    func `a positive velocity turns right and down, and ends by itself`(
        _ velocity: Vector3D, _ way: PanTilt
    ) async throws {
        try await LibraryRig.withDock { port, manager, dock in
            await #expect(throws: DockError(.busy, "", hint: "")) { try await dock.setAngularVelocity(velocity) }
            try await manager.setSystemTrackingEnabled(false)
            for await state in try dock.motionStates {
                #expect(state.isMeasured && state.error == nil && state.timestamp <= DockAccessoryManager.now)
                if abs(state.angularVelocities.x + state.angularVelocities.y - 0.3) < 0.05 { break }
                try await dock.setAngularVelocity(velocity)
            }
            #expect(eventually { port.rate.magnitude < .degrees(0.05) })
            let pose = port.snapshot.pose
            #expect(pose.pan * way.pan + pose.tilt * way.tilt > 0.05, "\(pose)")
        }
    }

    @Test func `battery changes are reported, once each`() async throws {
        try await LibraryRig.withDock { port, _, dock in
            var states = try dock.batteryStates.makeAsyncIterator()
            let full = try #require(await states.next())
            #expect(full.name == "dock" && full.chargeState == .notCharging && !full.lowBattery)
            #expect(abs((full.batteryLevel ?? 0) - 0.8) < 0.011)
            port.battery.level = 0.15
            let low = try #require(await states.next())
            #expect(low.lowBattery && !low.criticalBattery && abs((low.batteryLevel ?? 0) - 0.15) < 0.011)
            port.battery.isCharging = true
            let charging = try #require(await states.next())
            #expect(charging.chargeState == .charging)
        }
    }

    @Test func `every button is reported, in order`() async throws {
        try await LibraryRig.withDock { port, _, dock in
            var events = try dock.accessoryEvents.makeAsyncIterator()
            for button in [SimulatedButton.shutter, .zoom(steps: 2), .flip, .zoom(steps: -1), .button(id: 5)] {
                port.press(button)
            }
            let expected: [DockAccessory.AccessoryEvent] = [
                .cameraShutter, .cameraZoom(factor: 0.4), .cameraFlip, .cameraZoom(factor: -0.2),
                .button(id: 5, pressed: true), .button(id: 5, pressed: false),
            ]
            for event in expected { #expect(await events.next() == event) }
        }
    }

    @Test func `streams that begin at the same time all receive values`() async throws {
        try await LibraryRig.withDock { _, manager, dock in
            let session = try #require(try manager.running() as? SessionRun).session
            for _ in 0..<100 {
                let streams = await withTaskGroup { group in
                    group.addTask { try? dock.motionStates as any Sendable }
                    group.addTask { try? dock.trackingStates as any Sendable }
                    group.addTask { try? dock.batteryStates as any Sendable }
                    return await group.reduce(into: [(any Sendable)?]()) { $0.append($1) }
                }
                let audience = session.state.withLock { $0.audience.programs }
                #expect(audience.topics.isSuperset(of: [.motion, .tracking, .battery]))
                withExtendedLifetime(streams) {}
            }
        }
    }

    // MARK: own observations

    @Test func `own observations are followed, tapped and selected by their own numbers`() async throws {
        try await LibraryRig.withDock { port, manager, dock in
            let seen = [
                Observation(identifier: 7, rect: Rect(x: 0.7, y: 0.3, width: 0.1, height: 0.2)),
                Observation(identifier: 9, kind: .object, rect: Rect(x: 0.2, y: 0.3, width: 0.1, height: 0.2)),
            ]
            await #expect(throws: DockError(.busy, "", hint: "")) { try await dock.track(seen) }
            try await manager.setSystemTrackingEnabled(false)
            try await dock.track(seen)
            #expect(manager.status?.loop.mode == .custom && !manager.isSystemTrackingEnabled)
            let state = try #require(await dock.trackingStates.first { !$0.trackedSubjects.isEmpty })
            #expect(state.trackedSubjects.map(\.identifier) == [7, 9])
            #expect(state.trackedSubjects.map(\.kind) == [.person, .object])
            #expect(state.trackedSubjects.allSatisfy { $0.saliencyRank != nil && $0.speakingConfidence == nil })
            for subject in state.trackedSubjects {
                switch subject {
                case .person(let person):
                    #expect(person.identifier == 7 && person.rect == subject.rect && person.speakingConfidence == nil)
                case .object(let object): #expect(object.identifier == 9 && object.saliencyRank == subject.saliencyRank)
                }
            }
            #expect(try await dock.selectSubject(at: Point(x: 0.75, y: 0.4)) == 7)
            await #expect(throws: DockError(.noSubjectFound, "", hint: "")) {
                try await dock.selectSubject(at: Point(x: 0.5, y: 0.9))
            }
            await #expect(throws: DockError(.noSubjectFound, "", hint: "")) { try await dock.selectSubjects([8]) }
            try await dock.selectSubjects([9])
            #expect(try await dock.selectSubject(at: nil) == nil)
            try await dock.selectSubjects([7])
            // Subject 7 is right of the centre: the dock turns to its right.
            let states = try dock.motionStates
            for await state in states {
                // On a busy machine, delayed states arrive faster than the limit on observations.
                do throws(DockError) {
                    try await dock.track(seen)
                } catch {
                    #expect(error.code == .frameRateTooHigh)
                }
                if state.angularVelocities.y > .degrees(3) { break }
            }
            #expect(port.snapshot.pose.pan > 0)
            await #expect(throws: DockError(.invalidParameter, "", hint: "")) {
                try await dock.track([seen[0], seen[0]])
            }
            await #expect(throws: DockError(.invalidParameter, "", hint: "")) {
                try await dock.track([Observation(identifier: 1, rect: Rect(x: 0, y: 0, width: 0, height: 1))])
            }
        }
    }

    @Test func `observations that come without a pause are too many`() async throws {
        try await LibraryRig.withDock { _, manager, dock in
            try await manager.setSystemTrackingEnabled(false)
            var refused = 0
            for _ in 0..<200 {
                do throws(DockError) {
                    try await dock.track([])
                } catch {
                    #expect(error.code == .frameRateTooHigh)
                    refused += 1
                }
            }
            #expect(refused > 0)
        }
    }

    @Test func `an observation never overtakes the switch before it`() async throws {
        try await LibraryRig.withDock { _, manager, dock in
            for _ in 0..<60 {
                try await manager.setSystemTrackingEnabled(true)
                try await manager.setSystemTrackingEnabled(false)
                do throws(DockError) {
                    try await dock.track([])
                    #expect(manager.status?.loop.mode == .custom)
                } catch {
                    #expect(error.code == .frameRateTooHigh)
                }
            }
        }
    }

    @Test func `an old state is not reported after a newer one`() throws {
        let watch = AccessoryWatch()
        var new = SessionStatus(), old = SessionStatus()
        (new.loop.dock, new.loop.time) = (.ready, 2)
        (old.loop.dock, old.loop.time) = (.greeting, 1)
        let manager = DockAccessoryManager(SessionConfiguration(profile: .dlpDock, port: "/nowhere"))
        var made = 0
        for snapshot in [new, old, new].map({ AccessorySnapshot($0) }) {
            watch.update(snapshot) {
                made += 1
                return DockAccessory(manager: manager, snapshot: snapshot)
            }
        }
        #expect(made == 1)
    }
}
