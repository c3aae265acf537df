import ControlProtocol
import DockTypes
import Geometry
import Testing

@testable import DockClient

/// A program's side of the protocol, in virtual time.
@Suite struct ClientMachineTests {
    static let greeting = ControlGreeting(
        version: "1", speaks: 1, features: ["pictures", "detections", "layers", "indicators", "cues"])

    static func connected() -> ClientMachine {
        var machine = ClientMachine(path: "s")
        _ = machine.connected(greeting)
        return machine
    }

    static func message(_ bytes: [UInt8]) -> JSONValue { JSONValue(json: Array(bytes.dropLast())) ?? .null }

    static func sent(_ outputs: [ClientMachine.Output]) -> [JSONValue] {
        outputs.compactMap { if case .send(let bytes) = $0 { message(bytes) } else { nil } }
    }

    static func answer(_ id: Int, _ result: String) -> [UInt8] {
        Array(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#.utf8)
    }

    static func codes(_ outputs: [ClientMachine.Output]) -> [DockError.Code] {
        outputs.compactMap { output in
            switch output {
            case .answer(_, .failure(let error)), .leaseLost(let error): error.code
            default: nil
            }
        }
    }

    // MARK: calls

    @Test func `an answer goes to its call, in any order, once`() throws {
        var machine = Self.connected()
        let (first, bytes) = try machine.call("status", ["why": .bool(true)], timeout: 5, now: 0)
        let (second, _) = try machine.call("stop", [:], timeout: 5, now: 0)
        #expect(bytes.last == 0x0A)
        let request = Self.message(bytes)
        #expect(request["method"] == .string("status") && request["params"]?["why"] == .bool(true))
        #expect(request["id"]?.integer == first && request["jsonrpc"] == .string("2.0"))
        let late = Self.answer(second, #"{"mode":"manual"}"#)
        #expect(try machine.receive(late, now: 1) == [.answer(second, .success(.object(["mode": .string("manual")])))])
        #expect(try machine.receive(late, now: 1).isEmpty, "an answer to nothing is ignored")
        let refusal = Array(
            #"{"jsonrpc":"2.0","id":\#(first),"error":{"code":-32007,"message":"busy: no","data":{"name":"busy","hint":"wait"}}}"#
                .utf8)
        #expect(
            try machine.receive(refusal, now: 1)
                == [.answer(first, .failure(DockError(.busy, "no", hint: "wait")))])
    }

    @Test func `a call that is not answered times out, and its late answer is ignored`() throws {
        var machine = Self.connected()
        let (id, _) = try machine.call("status", [:], timeout: 5, now: 10)
        #expect(machine.deadline(now: 10) == 15 && machine.due(now: 14.9).isEmpty)
        #expect(Self.codes(machine.due(now: 15)) == [.timeout])
        #expect(machine.deadline(now: 15) == nil)
        #expect(try machine.receive(Self.answer(id, "{}"), now: 16).isEmpty)
    }

    @Test func `at the end of the connection all calls fail, and later ones at once`() throws {
        var machine = Self.connected()
        for _ in 0..<3 { _ = try machine.call("status", [:], timeout: 5, now: 0) }
        let end = DockError(.notConnected, "ended", hint: "start it")
        #expect(Self.codes(machine.lost(end)) == Array(repeating: .notConnected, count: 3))
        #expect(throws: DockError.self) { try machine.call("status", [:], timeout: 5, now: 1) }
        #expect(machine.deadline(now: 1) == nil)
    }

    @Test func `calls are bounded, and a cancelled one makes room`() throws {
        var machine = Self.connected()
        var last = 0
        for _ in 0..<ClientMachine.mostCalls { last = try machine.call("status", [:], timeout: 5, now: 0).0 }
        #expect(throws: DockError.self) { try machine.call("status", [:], timeout: 5, now: 0) }
        machine.abandon(last)
        _ = try machine.call("status", [:], timeout: 5, now: 0)
    }

    @Test func `a feature that the daemon lacks is refused in words`() throws {
        var machine = ClientMachine(path: "s")
        var old = Self.greeting
        old.features = []
        _ = machine.connected(old)
        #expect(throws: DockError.self) { try machine.call("setLayer", [:], timeout: 1, feature: "layers", now: 0) }
        #expect(throws: DockError.self) { try machine.listen(to: .detections, everyFrame: false) }
        _ = try machine.listen(to: .motion, everyFrame: false)
    }

    @Test(arguments: ["", "{", "[1,2", "nonsense", "{\"id\":1,}"]) func `what is not JSON is an error`(text: String) {
        var machine = Self.connected()
        #expect(throws: DockError.self) { try machine.receive(Array(text.utf8), now: 0) }
    }

    @Test func `JSON that means nothing is ignored`() throws {
        var machine = Self.connected()
        let messages = [
            "1", "null", "[]", "{}", #"{"method":"event"}"#, #"{"id":"x","result":1}"#, #"{"id":99,"result":1}"#,
        ]
        for text in messages {
            #expect(try machine.receive(Array(text.utf8), now: 0).isEmpty, "\(text)")
        }
    }

    // MARK: topics

    @Test func `listeners of a topic share one subscription, and the last one ends it`() throws {
        var machine = Self.connected()
        let first = Self.sent(try machine.listen(to: .motion, everyFrame: false))
        #expect(first.map { $0["method"] } == [.string("subscribe")])
        #expect(first[0]["params"] == .object(["topics": .array([.string("motion")])]))
        #expect(Self.sent(try machine.listen(to: .motion, everyFrame: false)).count == 1, "each gets a snapshot")
        #expect(machine.stopListening(to: .motion, everyFrame: false).isEmpty)
        let last = Self.sent(machine.stopListening(to: .motion, everyFrame: false))
        #expect(last.map { $0["method"] } == [.string("unsubscribe")])
        #expect(machine.stopListening(to: .motion, everyFrame: false).isEmpty)
    }

    @Test func `the rate is that of the most demanding listener`() throws {
        var machine = Self.connected()
        func rate(_ outputs: [ClientMachine.Output]) -> [JSONValue?] {
            Self.sent(outputs).map { $0["params"]?["rate"] }
        }
        #expect(rate(try machine.listen(to: .tracking, everyFrame: false)) == [nil])
        #expect(rate(try machine.listen(to: .tracking, everyFrame: true)) == [.string("all")])
        #expect(rate(try machine.listen(to: .tracking, everyFrame: false)) == [.string("all")])
        #expect(rate(machine.stopListening(to: .tracking, everyFrame: true)) == [nil], "the usual rate again")
        #expect(machine.stopListening(to: .tracking, everyFrame: false).isEmpty)
    }

    @Test func `a new connection gets the subscriptions and the indicators again`() throws {
        var machine = Self.connected()
        for topic in [Topic.motion, .face] { _ = try machine.listen(to: topic, everyFrame: false) }
        _ = try machine.listen(to: .tracking, everyFrame: true)
        machine.remember(indicator: "record", ["name": .string("record"), "state": .string("on")], isOff: false)
        machine.remember(indicator: "link", ["name": .string("link")], isOff: false)
        machine.remember(indicator: "link", [:], isOff: true)
        _ = machine.lost(DockError(.notConnected, "ended", hint: ""))
        let sent = Self.sent(machine.connected(Self.greeting))
        #expect(sent.map { $0["method"]?.string } == ["subscribe", "subscribe", "subscribe", "setIndicator"])
        #expect(sent[0]["params"]?["topics"] == .array([.string("motion")]))
        #expect(sent[1]["params"]?["rate"] == .string("all"))
        #expect(sent[3]["params"]?["state"] == .string("on"))
    }

    // MARK: lease

    /// Renews the lease until `end` with a sign of life every `beat` seconds. Returns the number of renewals, and why it was lost.
    private static func run(
        _ machine: inout ClientMachine, from start: Double, until end: Double, beat: Double?
    ) throws -> (renewals: Int, lost: DockError?) {
        var renewals = 0, now = start, nextBeat = beat.map { start + $0 } ?? .infinity
        while now < end {
            for output in machine.due(now: now) {
                switch output {
                case .send(let bytes):
                    renewals += 1
                    let id = message(bytes)["id"]?.integer ?? 0
                    _ = try machine.receive(answer(id, #"{"lease":2,"renewed":true}"#), now: now)
                case .leaseLost(let error): return (renewals, error)
                default: break
                }
            }
            now += 0.05
            if now >= nextBeat {
                machine.beat(now: now)
                nextBeat += beat ?? 0
            }
        }
        return (renewals, nil)
    }

    @Test func `the lease is renewed while the program is alive, and not after that`() throws {
        var machine = Self.connected()
        _ = machine.acquired(patience: 5, now: 100)
        let alive = try Self.run(&machine, from: 100, until: 130, beat: 4)
        #expect(alive.lost == nil && (52...61).contains(alive.renewals))
        let silent = try Self.run(&machine, from: 130, until: 150, beat: nil)
        #expect(silent.lost?.code == .timeout && silent.renewals <= 12, "\(silent)")
        #expect(!machine.holdsLease && machine.deadline(now: 150) == nil)
    }

    @Test func `a call is a sign of life`() throws {
        var machine = Self.connected()
        _ = machine.acquired(patience: 1, now: 0)
        for step in 1...20 {
            _ = try machine.call("status", [:], timeout: 100, now: Double(step) * 0.9)
            #expect(Self.codes(machine.due(now: Double(step) * 0.9 + 0.05)).isEmpty)
        }
    }

    @Test func `a lease that had expired is reported and given back`() throws {
        var machine = Self.connected()
        _ = machine.acquired(patience: 5, now: 0)
        let renewal = try #require(Self.sent(machine.due(now: 0.5)).first)
        #expect(renewal["method"] == .string("acquireControl"))
        let outputs = try machine.receive(
            Self.answer(renewal["id"]?.integer ?? 0, #"{"lease":2,"renewed":false}"#), now: 3)
        #expect(Self.sent(outputs).map { $0["method"] } == [.string("releaseControl")])
        #expect(Self.codes(outputs) == [.timeout] && !machine.holdsLease)
    }

    @Test func `a renewal that is refused, and the end of the connection, lose it`() throws {
        var machine = Self.connected()
        _ = machine.acquired(patience: 5, now: 0)
        let id = Self.sent(machine.due(now: 1)).first?["id"]?.integer ?? 0
        let refusal = Array(#"{"id":\#(id),"error":{"message":"busy: x","data":{"name":"busy","hint":"h"}}}"#.utf8)
        #expect(Self.codes(try machine.receive(refusal, now: 1)) == [.busy])
        _ = machine.acquired(patience: 5, now: 2)
        #expect(Self.codes(machine.lost(DockError(.notConnected, "ended", hint: ""))) == [.notConnected])
        _ = machine.connected(Self.greeting)
        _ = machine.acquired(patience: 5, now: 3)
        #expect(Self.sent(machine.released(isAbandoned: false)).map { $0["method"] } == [.string("releaseControl")])
        #expect(machine.lost(DockError(.notConnected, "ended", hint: "")).isEmpty)
        let isHeld = machine.acquired(patience: 5, now: 4)
        #expect(!isHeld && !machine.holdsLease, "there is no connection")
    }

    @Test func `a lease that is abandoned ends the motion first, and then is given back`() throws {
        var machine = Self.connected()
        let (id, _) = try machine.call("home", [:], timeout: 5, now: 0)
        _ = try machine.receive(Self.answer(id, #"{"motion":7,"duration":1}"#), now: 0)
        _ = machine.acquired(patience: 5, now: 0)
        let silent = machine.due(now: 6)
        #expect(Self.sent(silent).map { $0["method"]?.string } == ["cancelMotion", "releaseControl"])
        #expect(Self.sent(silent).first?["params"]?["motion"] == .number(7))
        #expect(Self.codes(silent) == [.timeout])
    }

    // MARK: reconnection

    @Test func `a connection is tried again soon, and then less often`() {
        var reconnection = Reconnection(), now = 0.0, waits: [Double] = []
        for _ in 0..<8 {
            reconnection.failed(now: now)
            waits.append((reconnection.due ?? .infinity) - now)
            now = reconnection.due ?? now
        }
        #expect(zip(waits, [0.1, 0.2, 0.4, 0.8, 1.6, 2, 2, 2]).allSatisfy { abs($0 - $1) < 1e-9 })
        reconnection.connected()
        #expect(reconnection.due == nil)
    }
}
