import DockClient
import DockTestKit
import EventDevice
import ExtensionKit
import Gamepad
import Geometry
import Testing

@testable import dockface_pad

/// What reaches the daemon, in which order.
@Suite(.timeLimit(.minutes(10))) struct DeskTests {
    private struct Stage {
        let daemon: FakeDaemon, desk: PadDesk, inbox: PadInbox, dock: Dock

        init(isSilent: Bool) async throws {
            daemon = try FakeDaemon()
            if isSilent { daemon.hold() }
            dock = try await Dock.connect(path: daemon.path)
            inbox = PadInbox(try #require(Bell()))
            desk = PadDesk(inbox, log: ExtensionLog("pad") { _ in }, isDry: false)
            desk.connect(dock)
        }

        /// Waits until nothing is on its way.
        func breathe() async throws {
            _ = try await dock.call("status")
            #expect(try await next(1) == ["status"])
        }

        /// The next calls that arrive: command words, or the names of other methods. A stop is also sent without an id.
        func next(_ count: Int) async throws -> [String] {
            var lines: [String] = []
            while lines.count < count { lines.append(try await daemon.next("call") { $0.id != nil }.words) }
            return lines
        }
    }

    private static let right = PanTilt.degrees(pan: 10, tilt: 0)

    @Test func `calls arrive in the order of the intents, and a person's stop is a call and a word`() async throws {
        let stage = try await Stage(isSilent: false)
        for _ in 0..<20 {
            stage.desk.perform([.word("mode manual", movesHead: false), .velocity(Self.right)], now: 0)
            #expect(try await stage.next(2) == ["mode manual", "velocity 10.00 0.00 for 0.25"])
            try await stage.breathe()
            stage.desk.perform([.stop(isPersonal: false)], now: 0)
            #expect(try await stage.next(1) == ["stop"])
            try await stage.breathe()
            stage.desk.perform([.stop(isPersonal: true)], now: 0)
            #expect(try await stage.next(2) == ["stop", "stop"])
            try await stage.breathe()
            stage.desk.perform([.emergencyStop], now: 0)
            #expect(try await stage.next(2) == ["emergencyStop", "estop"])
            try await stage.breathe()
        }
        await stage.desk.settle()
    }

    @Test func `a stop arrives, whatever is being sent`() async throws {
        let stage = try await Stage(isSilent: false)
        for _ in 0..<100 {
            stage.desk.perform([.velocity(Self.right), .stop(isPersonal: false)], now: 0)
            while try await stage.next(1) != ["stop"] {}
            await stage.desk.settle()
        }
    }

    @Test func `a daemon that does not answer gets two velocities, and every zero and every stop`() async throws {
        let stage = try await Stage(isSilent: true)
        for _ in 0..<50 { stage.desk.perform([.velocity(Self.right)], now: 0) }
        #expect(try await stage.next(2) == Array(repeating: "velocity 10.00 0.00 for 0.25", count: 2))
        stage.desk.perform([.velocity(.zero)], now: 0)
        #expect(try await stage.next(1) == ["velocity 0.00 0.00 for 0.25"])
        stage.desk.perform([.stop(isPersonal: false)], now: 0)
        #expect(try await stage.next(2) == ["stop", "stop"], "it is made again, because nothing confirms it")
        stage.daemon.release()
        await stage.desk.settle()
    }

    @Test func `what the daemon refuses comes back to the pad's thread`() async throws {
        var refusal: String?, answer: Seconds??
        // On a busy machine the calls may time out before the daemon ends, which is no refusal.
        for _ in 0..<10 where refusal == nil || answer == nil {
            let stage = try await Stage(isSilent: true)
            stage.desk.perform([.velocity(Self.right), .word("animate yes", movesHead: true)], now: 0)
            _ = try await stage.next(2)
            stage.daemon.end()
            (refusal, answer) = (nil, nil)
            // Not on the bell: a thread that waits there is missing for the task that rings it.
            for _ in 0..<300 where refusal == nil || answer == nil {
                let news = stage.inbox.take()
                (refusal, answer) = (refusal ?? news.refusal, answer ?? news.answer)
                if refusal == nil || answer == nil { try await Task.sleep(for: .milliseconds(10)) }
            }
        }
        #expect(refusal != nil && answer == .some(nil))
    }

    @Test func `news do not pile up`() throws {
        let inbox = PadInbox(try #require(Bell()))
        for _ in 0..<10_000 {
            inbox.put {
                $0.daemon = DaemonView()
                $0.outcomes.insert("stopped")
            }
        }
        inbox.lost()
        inbox.put { $0.daemon = DaemonView(isManual: false) }
        let news = inbox.take()
        #expect(news.isLost && news.daemon?.isManual == false && news.outcomes == ["stopped"])
        #expect(inbox.take().daemon == nil && WorkerThread.wait([inbox.bell.descriptor], for: 0).isEmpty)
    }
}
