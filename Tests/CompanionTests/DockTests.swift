import CPosix
import ControlProtocol
import DockControl
import DockTypes
import Geometry
import Glibc
import PictureShare
import Processes
import RobotFace
import Testing

@testable import Companion
@testable import DockClient

/// `Dock` against a real server over a socket.
@Suite(.timeLimit(.minutes(10))) struct DockTests {
    static func data(_ topic: Topic) -> JSONValue {
        TopicEncoder.data(of: topic, ControlSamples.full, now: 2304)
    }

    /// A backend that answers as the daemon would.
    static func backend() -> FakeBackend {
        @Sendable func answer(_ call: ControlCall) -> ControlReply {
            switch call {
            case .command(.status):
                return .answer(.success(Outcome("", .status(ControlSamples.full))))
            case .command(.acquireControl): return .answer(.success(Outcome("", .lease(2, isRenewed: true))))
            case .command(let command):
                return .answer(.success(Outcome("done", values[kind(command)] ?? .face(.normal, isRandom: false))))
            case .words: return .said("ok")
            default: return .done
            }
        }
        return FakeBackend(data: { $0.isQueue ? EventEncoder.recent([]) : data($0) }, answer: { answer($0) })
    }

    /// A result of each kind of command.
    private static let values: [String: Outcome.Value] = {
        let pairs = ControlTestsMethods.good.compactMap { method, _, command in
            ControlSamples.results.first { $0.method == method }.map { (kind(command), $0.value) }
        }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// What a command is, without its values: the name of its case, and of the case inside.
    private static func kind(_ command: Command) -> String {
        let words = "\(command)".split { !$0.isLetter && $0 != "." }.prefix(2)
        return words.enumerated().filter { $0.offset == 0 || $0.element.contains(".") }.map(\.element).joined(
            separator: " ")
    }

    // MARK: calls

    @Test func `every method of the table has a typed call that sends what the table accepts`() async throws {
        let served = try TestServer(Self.backend()), dock = try await Dock.connect(path: served.path)
        _ = try await dock.setTrackingMode(.manual)
        _ = try await dock.setSystemTrackingEnabled(true)
        _ = try await dock.setFramingMode(.left)
        _ = try await dock.setRegionOfInterest(nil)
        _ = try await dock.selectSubject(at: Point(x: 0.5, y: 0.5))
        _ = try await dock.selectSubjects([3])
        try await dock.expect(PanTilt(pan: 0.5, tilt: 0), for: 2)
        _ = try await dock.selectSource("yunet")
        var seen = ObservedSubject(id: 1, rect: Rect(x: 0, y: 0, width: 0.5, height: 0.5)), camera = ObservedCamera()
        seen.attributes.looking = 0.5
        (camera.size, camera.intrinsics) = ((640, 480), (500, 500, 320, 240))
        _ = try await dock.track([seen], camera: camera, exposure: 12)
        _ = try await dock.setAngularVelocity(PanTilt(pan: 0.1, tilt: 0), for: 1)
        _ = try await dock.setOrientation(PanTilt(pan: 0.1, tilt: 0), duration: 1, isRelative: true)
        _ = try await dock.home()
        _ = try await dock.animate("yes")
        try await dock.cancelMotion(3)
        _ = try await dock.stop()
        try await dock.emergencyStop()
        _ = try await dock.clearFault()
        _ = try await dock.setTorqueEnabled(true)
        _ = try await dock.setLimits(pan: .set(-1...1, speed: 1), tilt: .own)
        _ = try await dock.setSpeed(0.5)
        _ = try await dock.setExpression("happy")
        _ = try await dock.setGesturesEnabled(true)
        try await dock.savePreset("door")
        _ = try await dock.goToPreset("door")
        try await dock.deletePreset("door")
        _ = try await dock.presets()
        try await dock.recordMotion("wave")
        _ = try await dock.finishRecording()
        _ = try await dock.motions()
        try await dock.deleteMotion("wave")
        _ = try await dock.setZoom(2)
        _ = try await dock.setShutter(isOpen: true)
        _ = try await dock.flipCamera()
        try await dock.setLayer("a", [.point([0.5, 0.5, 0])])
        try await dock.setIndicator("record", .on)
        try await dock.setExtension("log", .ready, version: "1.0")
        _ = try await dock.say("hello")
        _ = try await dock.cue("found")
        _ = try await dock.setDistances([:], nearest: 1)
        _ = try await dock.say("there", direction: PanTilt(pan: -1, tilt: 0.25))
        _ = try await dock.status(why: true)
        _ = try await dock.latency()
        _ = try await dock.metrics()
        _ = try await dock.trace()
        _ = try await dock.command("status")
        try await dock.control().release()
        try await dock.closePictures()
        // The server answers `subscribe` and `unsubscribe` itself.
        var names = Set(["subscribe", "unsubscribe", "openPictures"])
        for call in served.backend.seen.calls {
            switch call {
            case .words: names.insert("command")
            case .closePictures: names.insert("closePictures")
            case .command(let command):
                names.formUnion(
                    ControlTestsMethods.good.filter { Self.kind($0.2) == Self.kind(command) }.map(\.0))
            default: break
            }
        }
        #expect(names.isSuperset(of: MethodTable.rows.map(\.name).filter { $0 != "setExpression" }))
        #expect(served.backend.seen.calls.contains(.command(.face("happy"))))
    }

    @Test func `the daemon's error arrives with its name, message and hint`() async throws {
        let error = DockError(.busy, "another program has control", hint: "wait")
        let served = try TestServer(FakeBackend(answer: { _ in .answer(.failure(error)) }))
        let dock = try await Dock.connect(path: served.path)
        do throws(DockError) {
            try await dock.home()
            Issue.record("not refused")
        } catch let found {
            #expect(found == error)
        }
    }

    @Test func `a cancelled task does not wait for its answer, and the dock goes on`() async throws {
        let served = try TestServer(
            FakeBackend(answer: { $0 == .command(.motion(.home)) ? nil : .answer(.success(Outcome(""))) }))
        let dock = try await Dock.connect(path: served.path)
        let task = Task { try await dock.home() }
        while served.backend.seen.calls.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: DockError.self) { try await task.value }
        // Its late answer is for no one, and the next answers follow it.
        served.backend.release(0)
        try await dock.emergencyStop()
    }

    @Test func `without a daemon, connecting fails at once and says what to do`() async throws {
        await #expect(throws: DockError.self) { try await Dock.connect(path: TestServer.freePath()) }
    }

    // MARK: reconnection

    @Test func `a daemon that comes back is found, and subscriptions and indicators go on`() async throws {
        let path = TestServer.freePath()
        var served: TestServer? = try TestServer(Self.backend(), path: path)
        let dock = try await Dock.connect(path: path)
        var connections = dock.connections.makeAsyncIterator()
        guard case .connected? = await connections.next() else {
            Issue.record("not connected")
            return
        }
        var faces = try dock.updates(.face).makeAsyncIterator()
        #expect(await faces.next() != nil)
        try await dock.setIndicator("record", .on)
        let lease = try await dock.control()
        served = nil
        guard case .disconnected? = await connections.next() else {
            Issue.record("not disconnected")
            return
        }
        #expect(await lease.lost()?.code == .notConnected)
        await #expect(throws: DockError.self) { try await dock.status() }
        let again = try TestServer(Self.backend(), path: path)
        while true {
            guard let next = await connections.next() else {
                Issue.record("not connected again")
                return
            }
            if case .connected = next { break }
        }
        let back = await faces.next()
        #expect(back?.isSnapshot == true)
        let record = ShowCommand.indicator("record", .on, text: "", process: getpid())
        while !again.backend.seen.calls.contains(.command(.show(record))) { await Task.yield() }
        withExtendedLifetime(served) {}
    }

    // MARK: lease

    @Test func `the lease is renewed by itself, and released`() async throws {
        let served = try TestServer(Self.backend()), dock = try await Dock.connect(path: served.path)
        try await dock.withControl(patience: 60) { lease in
            // The first is the acquisition.
            while served.backend.seen.calls.count(where: { $0 == .command(.acquireControl) }) < 3 {
                await Task.yield()
            }
            #expect(lease.isHeld)
        }
        // It is not waited for.
        while served.backend.seen.calls.last != .command(.releaseControl) { await Task.yield() }
    }

    // MARK: motion

    @Test func `a motion's outcome is found, whether it ended before the wait or after`() async throws {
        let status = Locked(ControlSamples.full)
        let served = try TestServer(
            FakeBackend(data: { topic in TopicEncoder.data(of: topic, status.withLock { $0 }, now: 2304) }))
        let dock = try await Dock.connect(path: served.path)
        func motion(_ number: Int) throws -> DockMotion {
            try DockMotion(.object(["motion": .number(number), "duration": .number(1)]), of: dock)
        }
        #expect(try await motion(3).outcome() == "completed")
        let running = try motion(4), task = Task { try await running.outcome() }
        while !served.server.hasAudience(.motion) { await Task.yield() }
        let data = status.withLock { status in
            status.loop.motion = nil
            status.endings.append(EndedMotion(id: MotionID(4), name: "orient", outcome: .takenOver))
            return TopicEncoder.data(of: .motion, status, now: 2305)
        }
        served.server.publish(.motion, data)
        #expect(try await task.value == "takenOver")
        #expect(throws: DockError.self) { try DockMotion(.object([:]), of: dock) }
    }

    // MARK: pictures

    @Test func `pictures arrive as they are written, and end with their share`() async throws {
        let layout = try #require(ShareLayout(format: .rgb24, width: 4, height: 2, slots: 4))
        let writer = try PictureWriter(layout), bell = try #require(PictureBell())
        let backend = FakeBackend(answer: { call in
            guard case .openPictures = call else { return .done }
            return .pictures(
                .success(PictureOpening(memory: dup(writer.descriptor), bell: dup(bell.readEnd), layout: layout)))
        })
        let served = try TestServer(backend), dock = try await Dock.connect(path: served.path)
        let pictures = try await dock.pictures()
        #expect(pictures.reader.layout == layout)
        var iterator = pictures.makeAsyncIterator()
        for number in 1...3 {
            let slot = try #require(writer.take())
            writer.pixels(of: slot).initializeMemory(as: UInt8.self, repeating: UInt8(number))
            writer.publish(
                slot, PictureFacts(sequence: number, exposure: Double(number), arrival: Double(number)))
            _ = bell.ring()
            guard let picture = try await iterator.next() else {
                Issue.record("no picture")
                return
            }
            #expect(picture.facts.sequence == number)
            #expect(pictures.reader.copy(picture)?.first == UInt8(number))
        }
        writer.end()
        _ = bell.ring()
        do throws(DockError) {
            _ = try await iterator.next()
            Issue.record("no end")
        } catch {
            #expect(error.code == .notConnected)
        }
        withExtendedLifetime(served) {}
    }
}
