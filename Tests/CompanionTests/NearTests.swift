import DockControl
import DockTypes
import FaceTracker
import Geometry
import RobotFace
import Testing

@testable import Companion

/// Something near the head makes it slower, if that is wanted, and does nothing else.
@Suite struct NearTests {
    @Test func `it begins within 0.3 m, and ends when all has been farther than 0.4 m for half a second`() {
        var watch = NearWatch()
        #expect(watch.look(0.5, now: 0) == nil && watch.look(0.31, now: 0.1) == nil && !watch.isNear)
        #expect(watch.look(0.29, now: 0.2) == .began && watch.isNear)
        // Between the two distances it lasts, and a moment farther away does not end it.
        for step in 1...20 { #expect(watch.look(0.39, now: 0.2 + Double(step) / 10) != .ended) }
        #expect(watch.look(0.6, now: 2.4) != .ended && watch.look(0.6, now: 2.6) != .ended && watch.isNear)
        #expect(watch.look(0.39, now: 2.69) != .ended)
        #expect(watch.look(0.6, now: 3.1) != .ended)
        #expect(watch.look(0.6, now: 3.2) == .ended && !watch.isNear)
        #expect(watch.look(0.35, now: 3.3) == nil && !watch.isNear)
    }

    @Test func `without looks it ends after two seconds, and the loop's limit soon after`() {
        var watch = NearWatch()
        #expect(watch.look(0.1, now: 10) == .began)
        var renewals = 0, ended: Seconds?
        for step in 1...60 {
            let now = 10 + Double(step) / 20
            switch watch.look(nil, now: now) {
            case .renewed: renewals += 1
            case .ended: ended = now
            case .began: Issue.record("began again")
            case nil: break
            }
        }
        #expect(renewals >= 2 && (ended ?? 0) > 12 && (ended ?? 99) < 12.2)
        #expect(NearWatch.life > NearWatch.repeats + 0.25, "a renewal that waits for a tick must be in time")
    }

    @Test func `the eyes lean back only before a head that moves`() {
        var watch = NearWatch()
        #expect(watch.moves(true) == nil)
        _ = watch.look(0.1, now: 0)
        #expect(watch.moves(false) == nil && watch.moves(true) == true && watch.moves(true) == nil)
        #expect(watch.moves(false) == false)
        #expect(watch.moves(true) == true)
        _ = watch.look(nil, now: 3)
        #expect(watch.moves(true) == false)
    }

    // MARK: the session

    private static func state(watches: Bool = true) -> SessionState {
        var options = SessionState.Options(
            hasFace: true, display: .fixed, endsWithInput: false, dryRun: false, seed: 1)
        options.watchesNear = watches
        return SessionState(options: options)
    }

    private static func report(_ metres: Double) -> SessionEvent {
        var ticket = Ticket(asker: .client(4))
        ticket.call = 9
        return .call(.show(.distances(DistanceReport(nearest: metres), time: 0.5)), ticket)
    }

    private static func slows(_ effects: [SessionEffect]) -> Bool {
        effects.contains(.motion(.slow(NearWatch.share, for: NearWatch.life), nil))
    }

    /// Whether anything in these effects could move the head, or make it faster.
    private static func onlySlows(_ effects: [SessionEffect]) -> Bool {
        effects.allSatisfy { effect in
            guard case .motion(let command, _) = effect else { return true }
            guard case .slow(let share, _) = command else { return false }
            return share <= 1
        }
    }

    @Test func `a hand that a depth camera sees slows the head, and the events say so`() {
        var session = Self.state()
        let began = session.handle(Self.report(0.2), now: 1)
        #expect(Self.slows(began) && began.contains(.notice(.near(true))) && Self.onlySlows(began))
        let still = session.handle(Self.report(0.2), now: 1.2)
        #expect(!Self.slows(still) && !still.contains(.notice(.near(true))))
        #expect(Self.slows(session.handle(Self.report(0.2), now: 1.6)), "renewed")
        _ = session.handle(Self.report(1), now: 1.8)
        let ended = session.handle(.tick, now: 2.2)
        #expect(ended.contains(.notice(.near(false))) && Self.onlySlows(ended) && !Self.slows(ended))
    }

    @Test func `a program that dies leaves no slow head`() {
        var session = Self.state()
        _ = session.handle(Self.report(0.2), now: 1)
        _ = session.handle(.clientClosed(client: 4), now: 1.1)
        var last: Seconds = 0
        for step in 0..<30 {
            let now = 1.2 + Double(step) * 0.25, effects = session.handle(.tick, now: now)
            if Self.slows(effects) { last = now }
            #expect(Self.onlySlows(effects))
        }
        #expect(last < 3.1 && !session.tracking.near.isNear)
    }

    @Test func `a face counts by its size, less the error, and a turned head leans its eyes back`() {
        var session = Self.state()
        func frame(at metres: Double) -> TrackedFrame {
            let camera = CameraModel(camera: RigProfile.Camera()), width = camera.focal.x * 0.155 / metres
            let subject = TrackedSubject(id: 7, rect: Rect(x: 0.5 - width / 2, y: 0.3, width: width, height: 0.3))
            return TrackedFrame(
                exposure: 1, camera: camera, subjects: [subject], followed: subject, selected: [],
                setPoint: Point(x: 0.5, y: 0.5))
        }
        #expect(!Self.slows(session.handle(.tracked(frame(at: 0.35)), now: 1)))
        #expect(Self.slows(session.handle(.tracked(frame(at: 0.32)), now: 1.1)), "0.32 m less 10 %")
        var shot = LoopSnapshot()
        shot.command = .degrees(pan: 20, tilt: 0)
        #expect(session.handle(.snapshot(shot), now: 1.2).contains(.face(FaceChange(leans: true))))
        shot.command = .zero
        #expect(session.handle(.snapshot(shot), now: 1.3).contains(.face(FaceChange(leans: false))))
    }

    @Test func `without the setting nothing happens`() {
        var session = Self.state(watches: false)
        let effects = session.handle(Self.report(0.1), now: 1)
        #expect(!Self.slows(effects) && !effects.contains(.notice(.near(true))))
    }
}
