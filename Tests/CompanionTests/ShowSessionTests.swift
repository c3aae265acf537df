import ControlProtocol
import DockControl
import DockTypes
import FaceTracker
import Geometry
import RobotFace
import Testing

@testable import Companion

/// What other programs show, as the session and its listeners get it.
extension ShowDeskTests {
    // MARK: session

    static func state() -> SessionState {
        SessionState(
            options: SessionState.Options(hasFace: true, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
    }

    static func ticket(_ client: Int = 4) -> Ticket {
        var ticket = Ticket(asker: .client(client))
        ticket.call = 9
        return ticket
    }

    @Test func `layers are published when they appear, change and end`() {
        var session = Self.state()
        _ = session.handle(.audience([.layers, .indicators]), now: 0)
        func set(_ items: [LayerItem], now: Seconds) -> [SessionEffect] {
            session.handle(.call(.show(.layer("a", .picture, items, time: 1)), Self.ticket()), now: now)
        }
        let item = LayerItem.point([0.5, 0.5, 0])
        #expect(set([item], now: 1).contains(.publish(.layers)))
        #expect(!set([item], now: 1.5).contains(.publish(.layers)), "the same again only renews it")
        #expect(!session.handle(.tick, now: 2.2).contains(.publish(.layers)))
        #expect(session.status(now: 2.2).shown.layers.count == 1)
        #expect(session.handle(.tick, now: 2.5).contains(.publish(.layers)))
        #expect(session.status(now: 2.5).shown.layers.isEmpty)
        #expect(set([item], now: 3).contains(.publish(.layers)))
        #expect(session.handle(.clientClosed(client: 4), now: 3.1).contains(.publish(.layers)))
    }

    @Test(arguments: [60, 81, 100, 140]) func `the legend names the marks of things while they are shown`(columns: Int)
    {
        var session = Self.state()
        _ = session.handle(.screen(columns: columns, rows: 24), now: 0)
        _ = session.handle(.input(.key(.character("o"), modifiers: [], phase: .press)), now: 0)
        let frame = TrackedFrame(
            sequence: 1, exposure: 1, subjects: [], selected: [], setPoint: Point(x: 0.5, y: 0.5))
        func legend(_ effects: [SessionEffect]) -> String? {
            var texts: [String] = []
            for case .face(let change) in effects { texts += change.labels?.map(\.text) ?? [] }
            return texts.first { $0.contains("followed") || $0.contains("found") }
        }
        let faces = legend(session.handle(.tracked(frame), now: 1))
        #expect(faces?.contains("[#1] followed") == true && faces?.contains("things:") == false)
        let item = LayerItem.path([[0, 0, -2], [1, 0, -2]], text: "? cup", colour: .yellow)
        func show(_ items: [LayerItem], as name: String) -> String? {
            legend(session.handle(.call(.show(.layer(name, .world, items, time: 1)), Self.ticket()), now: 1.1))
        }
        #expect(show([item], as: "map") == nil, "another program's marks are its own")
        let things = show([item], as: "find")
        #expect(things?.contains("things: ? seen") == true && things?.contains("= found") == true)
        // Each mark is explained where there is room.
        #expect(columns < 80 || things?.contains("... asked") == true && things?.contains("x another") == true)
        #expect(columns < 100 || things?.contains("[#1] followed") == true)
        #expect((things?.count ?? 0) + 8 <= columns)
        #expect(show([], as: "find")?.contains("things:") == false)
    }

    @Test(arguments: [60, 80, 100, 170]) func `the legend names each part of a face's label`(columns: Int) throws {
        var session = Self.state()
        _ = session.handle(.screen(columns: columns, rows: 24), now: 0)
        _ = session.handle(.input(.key(.character("o"), modifiers: [], phase: .press)), now: 0)
        let camera = CameraModel(camera: RigProfile.Camera())
        // A face that is about 15 cm wide, 2 m away.
        let rect = Rect(x: 0.45, y: 0.4, width: camera.focal.x * 0.155 / 2, height: 0.2)
        var subjects = [TrackedSubject(id: 1, rect: rect, score: 0.96), TrackedSubject(id: 2, rect: rect)]
        subjects[0].attributes = FaceAttributes(looking: 0.8)
        subjects[0].salienceRank = 2
        subjects[1].coasting = true
        let frame = TrackedFrame(
            exposure: 1, camera: camera, subjects: subjects, followed: subjects[0], selected: [],
            setPoint: Point(x: 0.5, y: 0.5))
        var texts: [String] = []
        for case .face(let change) in session.handle(.tracked(frame), now: 1) {
            texts += change.labels?.map(\.text) ?? []
        }
        #expect(texts.contains("[#1] ~2.0 m, 96 %, looking 80 %"), "\(texts)")
        #expect(texts.contains { $0.hasPrefix("#2? ") }, "\(texts)")
        let legend = try #require(texts.first { $0.contains("followed") })
        for part in ["+ aim", "[#1] followed", "estimated", "96 % sure", "? lost"] + (columns < 80 ? [] : ["#2 "]) {
            #expect(legend.contains(part), "\(part): \(legend)")
        }
        #expect(legend.count + 8 <= columns)
    }

    @Test(arguments: [52, 60, 80, 100, 170], [false, true])
    func `the plan of the room covers no part of the legend`(columns: Int, things: Bool) {
        for isShown in [false, true] {
            let overlay = PictureOverlay(columns: columns, rows: 24)
            let legend = overlay.legend(things: things, besidePlan: isShown)
            let begin = Int((legend.x * Double(columns - 1)).rounded()), end = begin + legend.text.count
            #expect(begin >= 4 && end <= (isShown ? RoomPlan.left(columns: columns) - 2 : columns - 4), "\(legend)")
        }
        var session = Self.state()
        _ = session.handle(.screen(columns: columns, rows: 24), now: 0)
        for key in ["o", "p"] as [Unicode.Scalar] {
            _ = session.handle(.input(.key(.character(key), modifiers: [], phase: .press)), now: 0)
        }
        let frame = TrackedFrame(
            exposure: 1, camera: CameraModel(camera: RigProfile.Camera()), subjects: [], selected: [],
            setPoint: Point(x: 0.5, y: 0.5), pose: PanTilt(pan: 0, tilt: 0))
        var labels: [TextOverlay.Label] = []
        for case .face(let change) in session.handle(.tracked(frame), now: 1) { labels += change.labels ?? [] }
        let beside = PictureOverlay(columns: columns, rows: 24).legend(things: false, besidePlan: true)
        #expect(labels.contains(beside) && labels.contains { $0.text.contains("◆") }, "\(labels)")
    }

    @Test func `an indicator is on the screen and in the log until its connection ends`() {
        var session = Self.state()
        _ = session.handle(.screen(columns: 80, rows: 24), now: 0)
        let on = session.handle(.call(.show(.indicator("record", .on, text: "")), Self.ticket()), now: 1)
        #expect(on.contains(.log(.info, "a program reports: record on")))
        func labels(_ effects: [SessionEffect]) -> [String] {
            var texts: [String] = []
            for case .face(let change) in effects { texts += change.labels?.map(\.text) ?? [] }
            return texts
        }
        #expect(labels(on).contains("● REC"))
        #expect(session.statusWords(why: false, now: 1).contains("record on"))
        let gone = session.handle(.clientClosed(client: 4), now: 2)
        #expect(gone.contains { if case .face(let change) = $0 { change.labels == [] } else { false } })
        #expect(session.status(now: 2).shown.indicators.isEmpty)
    }

    @Test func `a sentence says whether a program listens`() {
        var session = Self.state()
        func say() -> [SessionEffect] {
            session.handle(.call(.show(.cue(.say("hello", .normal))), Self.ticket()), now: 1)
        }
        #expect(say().contains(.reply(call: 9, .success(Outcome("not heard", .heard(false))))))
        _ = session.handle(.audience([.cues]), now: 1)
        let heard = say()
        #expect(heard.contains(.reply(call: 9, .success(Outcome("offered", .heard(true))))))
        #expect(heard.contains(.cue(.say("hello", .normal))))
    }

    @Test func `a person's stop and another program's lease do not prevent it, because nothing moves`() {
        var arbiter = Arbiter()
        _ = arbiter.admit(.motion(.stop), from: .keys, now: 1)
        _ = try? arbiter.acquire(7, now: 1)
        #expect(arbiter.admit(.show(.indicator("record", .on, text: "")), from: .client(4), now: 1) == nil)
    }

    // MARK: full rate

    @Test func `listeners that want every frame get it, and the others ten a second`() throws {
        var session = Self.state()
        var frame = TrackedFrame(
            sequence: 1, exposure: 1, subjects: [], followed: nil, selected: [], setPoint: Point(x: 0.5, y: 0.5))
        func counts(_ interest: TopicInterest) -> (usual: Int, extra: Int) {
            var usual = 0, extra = 0
            _ = session.handle(.audience(interest), now: 10)
            for number in 0..<60 {
                frame.sequence = number
                let effects = session.handle(.tracked(frame), now: 10 + Double(number) / 60)
                usual += effects.count { $0 == .publish(.tracking) }
                extra += effects.count { $0 == .publishFrame }
            }
            return (usual, extra)
        }
        #expect(counts([.tracking]).extra == 0)
        var session2 = Self.state()
        swap(&session, &session2)
        let every = counts(TopicInterest([.tracking], everyFrame: true))
        #expect((9...11).contains(every.usual) && every.usual + every.extra == 60)
    }

    @Test func `a mailbox passes every frame to those that want it, and the newest to the others in time`() throws {
        let mailbox = try ControlMailbox()
        mailbox.setAudience(TopicInterest([.tracking], everyFrame: true))
        var every: [Int] = [], usual: [Int] = []
        for number in 1...600 {
            mailbox.publish(.tracking, isExtra: number % 6 != 1) { .number(number) }
            for new in mailbox.drain(now: 100 + Double(number) / 60 + 0.001 * Double(number % 3)).publications {
                if new.pace != .usual { every.append(new.sequence) }
                if new.pace != .everyFrame { usual.append(new.sequence) }
            }
        }
        #expect(every == Array(1...600))
        #expect((95...101).contains(usual.count) && usual == usual.sorted())
        mailbox.setAudience([.tracking])
        mailbox.publish(.tracking) { .number(601) }
        mailbox.publish(.tracking, isExtra: true) { .number(602) }
        #expect(mailbox.drain(now: 200).publications.map(\.pace) == [.all], "an extra does not hide a state")
        #expect(mailbox.drain(now: 300).publications.isEmpty)
    }
}
