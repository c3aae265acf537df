import ControlProtocol
import DockClient
import DockTestKit
import DockTypes
import Testing

/// Fake daemons that answer as a test wants, that lie, hang and die.
@Suite(.timeLimit(.minutes(10))) struct ScriptTests {
    @Test func `answers come in turn, and the last one is repeated`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        daemon.answer("metrics", inTurn: [[.result(.number(1))], [.result(.number(2))]])
        daemon.answer("home", .refusal(.faulted, "a stall is latched", hint: "clear it"))
        for number in [1, 2, 2] { #expect(try await dock.call("metrics") == .number(number)) }
        let error = await #expect(throws: DockError.self) { _ = try await dock.call("home") }
        #expect(error == DockError(.faulted, "a stall is latched", hint: "clear it"))
        daemon.answerOthers { [.result(.string($0.method))] }
        #expect(try await dock.call("status") == .string("status"))
        #expect(try await dock.call("metrics") == .number(2), "its own script goes before the rule")
    }

    @Test func `a recording is replayed by method, whatever its ids were`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        daemon.replay(
            """
            {"id":7,"jsonrpc":"2.0","method":"home"}
            {"id":"x","jsonrpc":"2.0","method":"presets"}
            {"id":"x","jsonrpc":"2.0","result":{"presets":{}}}
            not a line of a conversation
            {"id":7,"jsonrpc":"2.0","error":{"code":-32007,"message":"busy: a person drives","data":{"name":"busy","hint":"wait"}}}
            {"id":8,"jsonrpc":"2.0","method":"home"}
            {"id":8,"jsonrpc":"2.0","result":{"motion":1}}
            """)
        let error = await #expect(throws: DockError.self) { _ = try await dock.call("home") }
        #expect(error == DockError(.busy, "a person drives", hint: "wait"))
        #expect(try await dock.call("home") == .object(["motion": .number(1)]))
        #expect(try await dock.call("presets")["presets"] == .object([:]))
        _ = try await dock.status()
    }

    @Test func `replies that are held arrive late, and in order`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        daemon.hold()
        async let first = dock.call("presets"), second = dock.call("motions")
        try await daemon.next("presets")
        try await daemon.next("motions")
        let error = await #expect(throws: DockError.self) { _ = try await dock.call("status", timeout: 0.01) }
        #expect(error?.code == .timeout)
        daemon.release()
        let presets = try await first["presets"], motions = try await second["motions"]
        #expect(presets != nil && motions != nil)
    }

    @Test(arguments: [
        (FakeGreeting.daemon(speaks: 2), DockError.Code.protocolError), (.line("220 mail ready"), .protocolError),
        (.line(#"{"name":"other","protocol":1}"#), .protocolError), (.silence, .timeout),
    ])
    func `a client notices a wrong greeting`(_ greeting: FakeGreeting, _ code: DockError.Code) async throws {
        let daemon = try FakeDaemon(greeting: greeting)
        let error = await #expect(throws: DockError.self) {
            _ = try await Dock.connect(path: daemon.path, timeout: code == .timeout ? 0.05 : 10)
        }
        #expect(error?.code == code)
    }

    @Test func `a feature can be missing`() async throws {
        let daemon = try FakeDaemon(greeting: .daemon(version: "0.1.0", features: ["layers"]))
        let dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        guard case .connected(let greeting) = dock.connection else {
            Issue.record("there is no connection")
            return
        }
        #expect(greeting.features == ["layers"] && greeting.version == "0.1.0")
        let error = await #expect(throws: DockError.self) { try await dock.setIndicator("record", .on) }
        #expect(error?.code == .notSupported)
    }

    @Test func `a half line is none until its end arrives`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        daemon.answer("metrics", .bytes(Array(#"{"id":1,"jsonrpc":"2.0","#.utf8)))
        async let answer = dock.call("metrics")
        try await daemon.next("metrics")
        daemon.send(.bytes(Array("\"result\":5}\n".utf8)))
        #expect(try await answer == .number(5))
    }

    @Test func `garbage and a hung-up connection end the calls, and the client comes back`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        for step in [FakeStep.line("{[}"), .hangUp] {
            daemon.answer("home", step)
            await #expect(throws: DockError.self) { _ = try await dock.call("home") }
            for await connection in dock.connections { if case .connected = connection { break } }
            _ = try await dock.status()
        }
        #expect(daemon.requests.last?.connection == 3)
    }

    @Test func `a daemon that comes back has forgotten its states, and gets the subscriptions again`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        var updates = try dock.updates(.face).makeAsyncIterator()
        _ = await updates.next()
        daemon.publish(.face, Topic.face.shape.sample)
        #expect(await updates.next()?.sequence == 1)
        daemon.leave()
        var connections = dock.connections.makeAsyncIterator()
        while let connection = await connections.next(), case .connected = connection {}
        try daemon.comeBack()
        let again = await updates.next()
        #expect(again?.isSnapshot == true && again?.sequence == 0)
    }

    @Test func `the wait for a request ends with the daemon, and with its task`() async throws {
        let daemon = try FakeDaemon()
        let cancelled = Task { try await daemon.next("home") }
        cancelled.cancel()
        await #expect(throws: FakeDaemon.NoRequest.self) { try await cancelled.value }
        let waiting = Task { try await daemon.next("home") }
        daemon.end()
        await #expect(throws: FakeDaemon.NoRequest.self) { try await waiting.value }
    }

    @Test func `a request that was taken does not come again, and others are skipped`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        for method in ["home", "status", "home", "metrics"] { _ = try await dock.call(method) }
        #expect(try await daemon.next("home").method == "home")
        #expect(try await daemon.next("metrics", "home").method == "home")
        #expect(try await daemon.next().method == "metrics")
        #expect(daemon.requests.count == 4)
    }
}
