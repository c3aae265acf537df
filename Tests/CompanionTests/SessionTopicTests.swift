import DockControl
import DockTypes
import FaceTracker
import Geometry
import RobotFace
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

    @Test(arguments: [CameraCommand.flip, .zoom(steps: 1)])
    func `a camera that only listeners serve refuses commands without them`(command: CameraCommand) {
        var session = state(camera: AnnouncedCamera(needsListener: true) { _ in })
        func answer() -> [SessionEffect] { session.handle(.call(.camera(command), Ticket(asker: .words)), now: 1) }
        #expect(
            answer().contains(
                .answer(
                    "error this rig has no such camera: a program can provide one: topic `events` of the control API")))
        let before = session.desk
        _ = session.handle(.loop(.accessory(.cameraFlip)), now: 2)
        #expect(session.desk == before)
        _ = session.handle(.audience([.events]), now: 3)
        #expect(answer().contains { if case .camera = $0 { true } else { false } })
    }

    @Test func `the shutter is for a program that records, and is refused in words without one`() {
        var session = state(camera: AnnouncedCamera(needsListener: true) { _ in })
        func press(_ now: Double) -> [SessionEffect] {
            session.handle(.call(.camera(.shutter(nil)), Ticket(asker: .words)), now: now)
        }
        func show(_ state: IndicatorState, _ now: Double) -> [SessionEffect] {
            session.handle(
                .call(
                    .show(.indicator("record", state, text: "")), Ticket(asker: .client(4))), now: now)
        }
        // A program that only listens does not record.
        _ = session.handle(.audience([.events]), now: 0)
        let refusal = "error no program records: start one that reports as extension `record`"
        #expect(press(1).contains(.answer(refusal)))
        #expect(
            session.handle(.loop(.accessory(.cameraShutter)), now: 2).contains(
                .log(.info, "no program records: start one that reports as extension `record`")))
        var recorder = ExtensionReading()
        (recorder.name, recorder.state) = ("record", .ready)
        _ = session.handle(.call(.show(.report(recorder, time: 10)), Ticket(asker: .client(4))), now: 3)
        let pressed = press(4)
        #expect(pressed.contains(.camera([.startRecording])))
        #expect(pressed.contains(.notice(.recording(isWanted: true))))
        #expect(session.desk.state?.isRecording == true)
        _ = show(.trying, 5)
        #expect(session.desk.state?.isRecording == true, "it is about to begin")
        _ = show(.on, 6)
        func orders(_ effects: [SessionEffect]) -> Int {
            effects.count { if case .notice(.recording) = $0 { true } else { false } }
        }
        let failed = show(.fault, 7)
        #expect(session.desk.state?.isRecording == false, "the disk is full")
        #expect(orders(failed) == 0, "what a program shows is no request of a person")
        let begun = show(.on, 8)
        #expect(orders(begun) == 0)
        #expect(session.desk.state?.isRecording == true, "it began by itself")
        _ = session.handle(.clientClosed(client: 4), now: 9)
        #expect(session.desk.state?.isRecording == false && press(10).contains(.answer(refusal)))
    }

    @Test func `a recorder that leaves before it shows anything leaves no mark`() {
        var session = state(camera: AnnouncedCamera(needsListener: true) { _ in })
        var recorder = ExtensionReading()
        (recorder.name, recorder.state) = ("record", .ready)
        _ = session.handle(.call(.show(.report(recorder, time: 10)), Ticket(asker: .client(4))), now: 1)
        _ = session.handle(.call(.camera(.shutter(true)), Ticket(asker: .words)), now: 2)
        #expect(session.marks(now: 2).contains { $0.text.contains("REC") })
        _ = session.handle(.clientClosed(client: 4), now: 3)
        #expect(session.desk.state?.isRecording == false && session.marks(now: 3).isEmpty)
    }

    @Test func `a camera that records by itself is shown beside whatever a program says`() {
        var session = state(camera: AnnouncedCamera { _ in })
        _ = session.handle(.call(.camera(.shutter(true)), Ticket(asker: .words)), now: 1)
        let claim = ShowCommand.indicator("record", .secure, text: "faces covered")
        _ = session.handle(.call(.show(claim), Ticket(asker: .client(4))), now: 2)
        #expect(session.marks(now: 2).map(\.text).filter { $0.contains("REC") } == ["● REC"])
    }
}
