import ControlProtocol
import DockClient
import DockTestKit
import ExtensionKit
import FacePrivacy
import Foundation
import ProgramTestKit
import Synchronization
import Testing
import VideoRecorder

@testable import dockface_record

/// What reaches the daemon's screen, and that the log does not stand in its way.
@Suite(.timeLimit(.minutes(10))) struct SignTests {
    private let place = TemporaryFolder()

    @Test func `a sign that the daemon refuses is shown again, only not that of a recording`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        let refusal = [FakeStep.refusal(.limitReached, "too many indicators")]
        daemon.answer("setIndicator", inTurn: [refusal, refusal, refusal, [.usual]])
        let folder = try ChunkFolder.open(place.path + "/recordings", makes: true)
        let recorder = try Recorder(RecorderSettings(), in: folder) { _ in }
        let board = SignBoard(), work = Task { await board.run(dock, recorder, RecorderSettings(), needsScreen: false) }
        board.show(.recording)
        #expect(try await daemon.next("setIndicator")["state"]?.string == "on")
        board.show(.off)
        for _ in 0..<3 { #expect(try await daemon.next("setIndicator")["state"]?.string == "off") }
        work.cancel()
        await work.value
        recorder.end()
        #expect(daemon.requests.count { $0.method == "setIndicator" } == 4)
    }

    @Test func `a log that is not read holds up no one, and says how much is missing`() async throws {
        let written = Mutex<[String]>([]), entered = DispatchSemaphore(value: 0), gate = DispatchSemaphore(value: 0)
        let log = ExtensionLog("record") { line in
            if written.withLock({ $0.isEmpty }) {
                entered.signal()
                gate.wait()
            }
            written.withLock { $0.append(line) }
        }
        let lines = try #require(LogLines(log))
        lines.add("first")
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                entered.wait()
                done.resume()
            }
        }
        for number in 1...300 { lines.add("\(number)", isWarning: number == 1) }
        gate.signal()
        await lines.drain(within: 30)
        let all = written.withLock { $0 }
        #expect(all.count == 258 && all.first == "record: first" && all[1] == "record: warning: 1")
        #expect(all.last == "record: warning: 44 lines are missing here, because standard error was not read")
    }
}
