import ControlProtocol
import DockControl
import DockTypes
import Geometry
import RobotFace
import Testing

@testable import Companion
@testable import DockClient

/// The topics of a `Dock`.
extension DockTests {
    // MARK: topics

    @Test func `each topic's data is read whole`() async throws {
        let served = try TestServer(Self.backend()), dock = try await Dock.connect(path: served.path)
        func first<Value: Record & Equatable>(_ key: TopicKey<Value>) async throws -> Value? {
            for await update in try dock.updates(key) {
                #expect(update.isSnapshot && update.lost == 0)
                return update.value
            }
            return nil
        }
        // What is read is what was sent, member by member.
        func same<Value: Record & Equatable>(_ key: TopicKey<Value>) async throws {
            let read = try #require(try await first(key)), sent = JSONValue(json: Self.data(key.topic).bytes)
            #expect(JSONValue(json: read.json.bytes) == sent, "\(key.topic)")
        }
        try await same(.accessory)
        try await same(.motion)
        try await same(.tracking)
        try await same(.battery)
        try await same(.face)
        try await same(.layers)
        try await same(.indicators)
    }

    @Test func `events arrive in order, with what was lost`() async throws {
        let served = try TestServer(Self.backend()), dock = try await Dock.connect(path: served.path)
        let events = try dock.updates(.events), cues = try dock.updates(.cues), answers = try dock.updates(.detections)
        while !served.server.hasAudience(.detections) { await Task.yield() }
        served.server.publish(.events, EventEncoder.event(.button(id: 2, pressed: true)))
        let aside = PanTilt(pan: -1, tilt: 0.25)
        served.server.publish(.cues, EventEncoder.event(Cue.say("hello", .high, direction: aside)))
        served.server.encode(.detections) { ControlSamples.answers[0] }
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next()?.value == .button(id: 2, isPressed: true))
        for await cue in cues {
            #expect(cue.value == .say("hello", .high, direction: aside))
            break
        }
        for await answer in answers {
            #expect(JSONValue(json: answer.value.json.bytes) == JSONValue(json: ControlSamples.answers[0].bytes))
            break
        }
    }

    @Test func `a sequence that is dropped ends its subscription, and closing ends all`() async throws {
        let served = try TestServer(Self.backend()), dock = try await Dock.connect(path: served.path)
        do {
            let updates = try dock.updates(.motion)
            for await _ in updates { break }
            #expect(served.server.hasAudience(.motion))
        }
        while served.server.hasAudience(.motion) { await Task.yield() }
        let rest = try dock.updates(.face), task = Task { for await _ in rest {} }
        dock.close()
        await task.value
        #expect(dock.connection == .closed)
        #expect(throws: DockError.self) { try dock.updates(.face) }
        await #expect(throws: DockError.self) { try await dock.status() }
    }

    @Test func `a reader that is cancelled stops waiting`() async throws {
        let served = try TestServer(Self.backend()), dock = try await Dock.connect(path: served.path)
        let updates = try dock.updates(.log)
        let task = Task { for await _ in updates {} }
        task.cancel()
        await task.value
        _ = try await dock.status()
    }
}
