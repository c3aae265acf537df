import ControlProtocol
import DockClient
import DockTestKit
import DockTypes
import Testing

/// What a client sees of a fake daemon that has no script.
@Suite(.timeLimit(.minutes(10))) struct FakeDaemonTests {
    @Test(arguments: MethodTable.rows.map(\.name))
    func `the sample of a result has the form that the table names`(method: String) throws {
        let row = try #require(MethodTable.row(method))
        #expect(row.result.fits(row.result.sample), "\(row.result.sample)")
    }

    @Test(arguments: Topic.allCases) func `the sample of a topic has its form`(topic: Topic) {
        #expect(topic.shape.fits(topic.shape.sample), "\(topic.shape.sample)")
    }

    @Test func `a client reads its status, and its calls are recorded`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        _ = try await dock.status()
        try await dock.setIndicator("record", .on, text: "a test")
        #expect(daemon.requests.map(\.method) == ["status", "setIndicator"])
        #expect(daemon.requests.last?["text"] == .string("a test") && daemon.requests.last?.connection == 1)
        _ = try await dock.call("command", ["line": .string("face happy")])
        #expect(daemon.requests.last?.words == "face happy")
    }

    @Test(
        arguments: [
            ("fly", [:], DockError.Code.protocolError), ("animate", [:], .invalidParameter),
            ("animate", ["motion": .number(3)], .invalidParameter),
            ("setExpression", ["name": .string("happy"), "next": .bool(true)], .invalidParameter),
            ("openPictures", [:], .notConnected),
        ] as [(String, [String: JSONValue], DockError.Code)])
    func `a call that the table does not allow is refused`(
        _ method: String, _ parameters: [String: JSONValue], _ code: DockError.Code
    ) async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        let error = await #expect(throws: DockError.self) { _ = try await dock.call(method, parameters) }
        #expect(error?.code == code)
    }

    @Test func `a subscriber gets the newest state, then the changes`() async throws {
        let daemon = try FakeDaemon()
        var reading = BatteryReading()
        for level in [0.5, 0.4] {
            var supply = SupplyReading()
            (supply.name, supply.level, supply.charge) = ("main", level, "notCharging")
            reading.supplies = [supply]
            daemon.publish(.battery, reading.json)
        }
        let dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        var updates = try dock.updates(.battery).makeAsyncIterator()
        let first = try #require(await updates.next())
        #expect(first.isSnapshot && first.sequence == 2 && first.value.supplies.first?.level == 0.4)
        reading.supplies = []
        daemon.publish(.battery, reading.json)
        let second = try #require(await updates.next())
        #expect(!second.isSnapshot && second.value.supplies.isEmpty)
    }

    @Test func `a queue begins with its last entries, and names what was lost`() async throws {
        let daemon = try FakeDaemon()
        for number in 0..<40 { daemon.publish(.log, Self.line("\(number)")) }
        let dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        var updates = try dock.updates(.log).makeAsyncIterator()
        for number in 8..<40 { #expect(await updates.next()?.value.text == "\(number)") }
        daemon.publish(.log, Self.line("new"), lost: 3)
        let next = await updates.next()
        #expect(next?.value.text == "new" && next?.lost == 3 && next?.isSnapshot == false)
    }

    @Test func `one program holds the lease, until it gives it back or its connection ends`() async throws {
        let daemon = try FakeDaemon()
        let one = try await Dock.connect(path: daemon.path), other = try await Dock.connect(path: daemon.path)
        defer { other.close() }
        #expect(try await one.call("acquireControl")["renewed"] == .bool(false))
        #expect(try await one.call("acquireControl")["renewed"] == .bool(true))
        let error = await #expect(throws: DockError.self) { _ = try await other.call("acquireControl") }
        #expect(error?.code == .busy)
        _ = try await one.call("releaseControl")
        #expect(try await other.call("acquireControl")["renewed"] == .bool(false))
        _ = try await other.call("releaseControl")
        _ = try await one.call("acquireControl")
        one.close()
        // The end of a connection arrives in its own time.
        while (try? await other.call("acquireControl")) == nil { await Task.yield() }
    }

    static func line(_ text: String) -> JSONValue {
        var line = LogReading()
        (line.level, line.text) = ("info", text)
        return line.json
    }
}
