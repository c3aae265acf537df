import Companion
import DockSimulator
import DockTypes
import Geometry
import Glibc
import Testing
import TestSupport

@testable import class Companion.DockAccessoryManager

extension ProgramTests {
    /// The library beside a running daemon: the same calls, carried out by the daemon.
    @Suite(.timeLimit(.minutes(10))) struct LibraryBesideTests {
        /// A daemon, a manager that has found it, and its dock.
        private struct Pair {
            let daemon: ControlledDaemon
            let manager: DockAccessoryManager
            let dock: DockAccessory

            init(_ daemon: ControlledDaemon? = nil) async throws {
                let daemon = try daemon ?? ControlledDaemon(mode: "system")
                self.daemon = daemon
                manager = LibraryBesideTests.manager(daemon.socket)
                let change = try await manager.accessoryStateChanges.first { $0.state == .docked }
                dock = try #require(change?.accessory)
            }
        }

        private static func manager(_ socket: String) -> DockAccessoryManager {
            DockAccessoryManager(
                settings: .failure(DockError(.configuration, "no port is named", hint: "name one")),
                join: .daemon(socket: socket))
        }

        @Test func `the daemon's dock is the library's, and no port is opened`() async throws {
            let pair = try await Pair()
            let (manager, dock) = (pair.manager, pair.dock)
            #expect(manager.daemon == pair.daemon.socket && manager.failure == nil && manager.status == nil)
            #expect(dock.identifier.name == "dockface DLP/1 dock" && dock.hardwareModel == "simulated good")
            #expect(dock.firmwareVersion != nil && manager.isSystemTrackingEnabled)
            try await dock.setFramingMode(.left)
            try await dock.setRegionOfInterest(Rect(x: 0.25, y: 0, width: 0.5, height: 1))
            #expect(dock.framingMode == .left && dock.regionOfInterest.x == 0.25)
            await #expect(throws: DockError(.noSubjectFound, "", hint: "")) {
                try await dock.selectSubject(at: Point(x: 0.5, y: 0.5))
            }
            #expect(await manager.close() == nil)
            #expect(manager.daemon == nil)
        }

        @Test func `motions begin, report their progress, and end`() async throws {
            let pair = try await Pair()
            let (manager, dock) = (pair.manager, pair.dock)
            await #expect(throws: DockError(.busy, "", hint: "")) {
                try await dock.setOrientation(Vector3D(y: 0.2))
            }
            try await manager.setSystemTrackingEnabled(false)
            #expect(!manager.isSystemTrackingEnabled)
            let turn = try await dock.setOrientation(Vector3D(y: 0.2))
            #expect(!turn.isFinished && turn.totalUnitCount > 1)
            #expect(await turn.finished() == .completed)
            #expect(turn.fractionCompleted == 1 && abs(pair.daemon.dock.snapshot.pose.pan - 0.2) < 0.02)
            #expect(try await dock.animate(motion: .yes).finished() == .completed)
            let long = try await dock.setOrientation(Vector3D(y: -0.5), duration: .seconds(30))
            long.cancel()
            #expect(await long.finished() == .cancelled && long.isCancelled)
            let turning = Task {
                while !Task.isCancelled {
                    try await dock.setAngularVelocity(Vector3D(y: 0.3))
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            let moving = try #require(await dock.motionStates.first { $0.angularVelocities.y > 0.1 })
            #expect(moving.error == nil)
            turning.cancel()
            await manager.close()
        }

        @Test func `limits hold before the next motion begins`() async throws {
            let pair = try await Pair(ControlledDaemon())
            let dock = pair.dock
            let limit = try DockAccessory.Limit(positionRange: -0.3..<0.3, maximumSpeed: 0.5)
            try dock.requestLimits(DockAccessory.Limits(yaw: limit))
            await #expect(throws: DockError(.limitReached, "", hint: "")) {
                try await dock.setOrientation(Vector3D(y: 1))
            }
            try await dock.setLimits(DockAccessory.Limits(yaw: limit))
            try await dock.resetLimits()
            #expect(try await dock.setOrientation(Vector3D(y: 0.4)).finished() == .completed)
            await pair.manager.close()
        }

        @Test func `own observations steer, and buttons arrive`() async throws {
            let pair = try await Pair(ControlledDaemon())
            let dock = pair.dock
            let seen = Observation(identifier: 7, rect: Rect(x: 0.75, y: 0.4, width: 0.1, height: 0.2))
            try await pair.manager.setSystemTrackingEnabled(false)
            let people = try dock.trackingStates
            let watching = Task { await people.first { !$0.trackedSubjects.isEmpty } }
            while pair.daemon.dock.snapshot.pose.pan < 0.1 {
                try await dock.track([seen])
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(await watching.value?.trackedSubjects.first?.kind == .person)
            let events = try dock.accessoryEvents
            let pressed = Task { await events.first { _ in true } }
            // The subscription may take effect after a press.
            let presses = Task { [port = pair.daemon.dock] in
                while !Task.isCancelled {
                    port.press(.shutter)
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            #expect(await pressed.value == .cameraShutter)
            presses.cancel()
            await pair.manager.close()
        }

        @Test func `what the program moves ends with it, and the daemon goes on`() async throws {
            let pair = try await Pair(ControlledDaemon())
            let turn = try await pair.dock.setOrientation(Vector3D(y: 1.2), duration: .seconds(40))
            #expect(eventually { pair.daemon.dock.rate.magnitude > .degrees(0.5) })
            guard case .left(hasStopped: true) = await pair.manager.end() else {
                Issue.record("the daemon has not confirmed the stop")
                return
            }
            #expect(pair.daemon.rests(within: 2))
            #expect(await turn.finished() == .stopped)
            await #expect(throws: DockError(.notConnected, "", hint: "")) { try await pair.dock.stop() }
            let peer = try pair.daemon.peer()
            #expect(try peer.result("status")["lease"].bool == false)
        }

        @Test func `a call in a cancelled task is carried out, as in a session`() async throws {
            let pair = try await Pair(ControlledDaemon()), dock = pair.dock
            let turn = try await dock.setOrientation(Vector3D(y: 1.2), duration: .seconds(40))
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await dock.setAngularVelocity(.zero)
            }
            try await task.value
            #expect(await turn.finished() == .superseded)
            await pair.manager.close()
        }

        @Test func `the right to move is given back after a refusal, and with system tracking`() async throws {
            let pair = try await Pair(), peer = try pair.daemon.peer()
            await #expect(throws: DockError(.busy, "", hint: "")) {
                try await pair.dock.setAngularVelocity(Vector3D(y: 0.1))
            }
            #expect(try peer.wait { try peer.result("status")["lease"].bool == false })
            try await pair.manager.setSystemTrackingEnabled(false)
            try await pair.dock.setAngularVelocity(Vector3D(y: 0.1))
            #expect(try peer.result("status")["lease"].bool == true)
            try await pair.manager.setSystemTrackingEnabled(true)
            #expect(try peer.wait { try peer.result("status")["lease"].bool == false })
            await pair.manager.close()
        }

        @Test func `another program's lease is respected`() async throws {
            let pair = try await Pair(ControlledDaemon()), peer = try pair.daemon.peer()
            _ = try peer.result("acquireControl")
            await #expect(throws: DockError(.busy, "", hint: "")) {
                try await pair.dock.setAngularVelocity(Vector3D(y: 0.1))
            }
            // Every client may stop.
            try await pair.dock.stop()
            await pair.manager.close()
        }

        @Test func `a daemon that is restarted brings the same dock back`() async throws {
            let dock = try SimulatedDockPort(link: TemporaryFile.freePath("library-beside"))
            let first = try ControlledDaemon(dock: dock)
            let manager = Self.manager(first.socket)
            var changes = try manager.accessoryStateChanges.makeAsyncIterator()
            var head: DockAccessory?
            while head == nil, let change = await changes.next() { head = change.accessory }
            first.program.signal(SIGTERM)
            #expect(first.program.end() == .exit(0))
            let gone = try #require(await changes.next())
            #expect(gone.state == .undocked && gone.accessory == nil)
            await #expect(throws: DockError(.notConnected, "", hint: "")) {
                try await head?.setAngularVelocity(Vector3D(y: 0.1))
            }
            let second = try ControlledDaemon(dock: dock, folder: first.folder)
            let back = try #require(await changes.next())
            #expect(back.state == .docked && back.accessory === head)
            try await head?.setAngularVelocity(Vector3D(y: 0.1))
            await manager.close()
            withExtendedLifetime((first, second)) {}
        }

        @Test func `without a daemon the settings count`() async throws {
            let manager = Self.manager(TemporaryFile.freePath("no-daemon"))
            #expect(manager.failure?.message == "no port is named")
            #expect(throws: DockError(.configuration, "", hint: "")) { try manager.accessoryStateChanges }
            #expect(manager.failure?.code == .configuration)
            guard case .notStarted = await manager.end() else {
                Issue.record("something was started")
                return
            }
        }
    }
}
