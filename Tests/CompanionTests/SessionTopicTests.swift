import DockControl
import DockTypes
import FaceTracker
import Geometry
import Testing

@testable import Companion

/// When the topics are published, and who must listen to them.
@Suite struct SessionTopicTests {
    private func state(camera: (any CameraControl)? = nil) -> SessionState {
        var options = SessionState.Options(
            hasFace: false, display: .fixed, endsWithInput: false, dryRun: false, seed: 1)
        options.camera = camera
        return SessionState(options: options)
    }

    private func listened(_ effects: [SessionEffect]) -> Bool { effects.contains(.publish(.tracking)) }

    @Test func `a detector that falls silent leaves no subjects, and the topic says so once`() {
        var session = state()
        _ = session.handle(.audience([.tracking]), now: 0)
        let subject = TrackedSubject(id: 4, rect: Rect.full)
        let frame = TrackedFrame(
            exposure: 1, subjects: [subject], followed: subject, selected: [], setPoint: Point(x: 0.5, y: 0.5))
        #expect(listened(session.handle(.tracked(frame), now: 1)))
        #expect(!listened(session.handle(.tick, now: 1.9)))
        #expect(session.status(now: 1.9).frame?.subjects.count == 1)
        #expect(listened(session.handle(.tick, now: 2.1)))
        let status = session.status(now: 2.1)
        #expect(status.frame?.subjects.isEmpty == true && status.frame?.followed == nil)
        #expect(!listened(session.handle(.tick, now: 2.4)))
    }

    @Test func `a new phase is published without a frame`() {
        var session = state()
        _ = session.handle(.audience([.tracking]), now: 0)
        var shot = LoopSnapshot()
        shot.phase = .following
        #expect(listened(session.handle(.snapshot(shot), now: 1)))
        #expect(!listened(session.handle(.snapshot(shot), now: 1.1)))
        shot.phase = .detectorStale
        #expect(listened(session.handle(.snapshot(shot), now: 1.2)))
    }

    @Test(arguments: [CameraCommand.shutter(nil), .flip, .zoom(steps: 1)])
    func `a camera that only listeners serve refuses commands without them`(command: CameraCommand) {
        var session = state(camera: AnnouncedCamera(needsListener: true) { _ in })
        func answer() -> [SessionEffect] { session.handle(.call(.camera(command), Ticket(asker: .words)), now: 1) }
        #expect(
            answer().contains(
                .answer(
                    "error this rig has no such camera: a program can provide one: topic `events` of the control API")))
        let before = session.desk
        _ = session.handle(.loop(.accessory(.cameraShutter)), now: 2)
        #expect(session.desk == before)
        _ = session.handle(.audience([.events]), now: 3)
        #expect(answer().contains { if case .camera = $0 { true } else { false } })
    }

    @Test func `a recording can be ended after its listener has left`() {
        var session = state(camera: AnnouncedCamera(needsListener: true) { _ in })
        _ = session.handle(.audience([.events]), now: 0)
        func press() -> [SessionEffect] {
            session.handle(.call(.camera(.shutter(nil)), Ticket(asker: .words)), now: 1)
        }
        #expect(press().contains(.camera([.startRecording])))
        _ = session.handle(.audience([]), now: 2)
        #expect(press().contains(.camera([.stopRecording])))
        #expect(!press().contains(.camera([.startRecording])))
    }
}
