import ControlProtocol
import DockControl
import FaceTracker
import Geometry
import Processes
import RobotFace
import Testing

@testable import Companion

@Suite struct SessionStateTests {
    private func state(face: Bool = true, display: RigProfile.Mount = .fixed) -> SessionState {
        SessionState(
            options: SessionState.Options(
                hasFace: face, display: display, endsWithInput: true, dryRun: false, seed: 1))
    }

    private func press(_ key: Key, _ modifiers: KeyModifiers = []) -> SessionEvent {
        .input(.key(key, modifiers: modifiers, phase: .press))
    }

    private func commands(_ effects: [SessionEffect]) -> [MotionCommand] {
        effects.compactMap { if case .motion(let command, _) = $0 { command } else { nil } }
    }

    @Test func `space stops, x is the emergency stop, y n w k animate`() {
        var session = state()
        let expected: [(Key, MotionCommand)] = [
            (.space, .stop), (.character("x"), .emergencyStop), (.character("y"), .animate(.yes)),
            (.character("n"), .animate(.nope)), (.character("w"), .animate(.wakeup)),
            (.character("k"), .animate(.kapow)),
            (.character("m"), .setMode(.custom)), (.character("f"), .setFraming(.center)),
        ]
        for (key, command) in expected {
            let effects = session.handle(press(key), now: 1)
            #expect(commands(effects) == [command])
        }
    }

    @Test func `a dock that presses its buttons endlessly fills no log, and hides no other message`() {
        var session = state()
        func lines(_ event: SessionEvent, at now: Double) -> [String] {
            session.handle(event, now: now).compactMap { if case .log(_, let text) = $0 { text } else { nil } }
        }
        let logged = (0..<10_000).flatMap { lines(.loop(.accessory(.button(id: 1, pressed: $0 % 2 == 0))), at: 5) }
        #expect(logged.count == 20)
        #expect(lines(.loop(.note("the dock refused it")), at: 5) == ["the dock refused it"])
        #expect(lines(.tracking(.problem("line 7")), at: 5) == ["line 7"])
        let later = lines(.loop(.accessory(.cameraShutter)), at: 6.1)
        #expect(later == ["the dock's shutter button was pressed (9980 similar lines omitted)"])
        for happened in [LoopEvent.note("again"), .lost(3)] {
            #expect((0..<1000).flatMap { _ in lines(.loop(happened), at: 7) }.count <= 20)
        }
        #expect((0..<1000).flatMap { lines(.tracking(.status(level: "info", text: "\($0)")), at: 7) }.count <= 22)
    }

    @Test func `programs that come and go without end do not hide a fault of the dock`() {
        var session = state()
        func lines(_ event: SessionEvent, at now: Double) -> [String] {
            session.handle(event, now: now).compactMap { if case .log(_, let text) = $0 { text } else { nil } }
        }
        let lost = LeaseEnding(program: ProgramID(3), motion: nil, endedTracking: false)
        #expect((0..<1000).flatMap { _ in lines(.loop(.leaseEnded(lost)), at: 5) }.count == 20)
        var reading = ExtensionReading()
        (reading.name, reading.state) = ("x", .ready)
        let comesAndGoes = (1...1000).flatMap { client in
            lines(.call(.show(.report(reading, time: 5)), Ticket(asker: .client(client))), at: 5)
                + lines(.clientClosed(client: client), at: 5)
        }
        #expect(comesAndGoes.count == 20)
        #expect(lines(.loop(.dock(.faulted(.stall), nil)), at: 5).contains { $0.contains("stopped and latched") })
    }

    @Test func `an available source steers, an ended or unknown one is refused`() {
        var session = state(), vision = VisionHealth()
        vision.detectors = [DetectorHealth(name: "blazeface"), DetectorHealth(name: "exec")]
        vision.active = "blazeface"
        func used(_ words: String) -> [String] {
            session.handle(.line(words, nil), now: 1).compactMap { if case .use(let name) = $0 { name } else { nil } }
        }
        #expect(used("source exec") == [], "there is only standard input")
        _ = session.handle(.vision(vision), now: 1)
        #expect(used("source exec") == ["exec"])
        #expect(used("source nobody") == [])
        #expect(used("source") == [])
        vision.detectors[1].state = .over
        _ = session.handle(.vision(vision), now: 1)
        #expect(used("source exec") == [])
        #expect(used("source blazeface") == ["blazeface"])
    }

    @Test func `clear asks first`() {
        var session = state()
        let first = session.handle(press(.character("C")), now: 1)
        #expect(commands(first).isEmpty)
        let second = session.handle(press(.character("C")), now: 2)
        #expect(commands(second) == [.clear])
        let late = session.handle(press(.character("C")), now: 9)
        #expect(commands(late).isEmpty)
    }

    @Test func `status shows if a ready dock has no guard`() {
        var session = state(), shot = ready()
        _ = session.handle(.snapshot(shot), now: 2)
        #expect(session.statusWords(why: false, now: 2).contains("no guard"))
        shot.safety.isGuarded = true
        _ = session.handle(.snapshot(shot), now: 3)
        #expect(!session.statusWords(why: false, now: 3).contains("guard"))
    }

    @Test func `tab shows the next face, and after the last the first`() {
        var session = state()
        var seen: [String] = []
        for _ in Expression.all {
            _ = session.handle(press(.tab), now: 1)
            seen.append(session.face.mood.expression.name)
        }
        #expect(Set(seen).count == Expression.all.count && seen.last == "normal")
    }

    @Test func `a command can be typed after a colon`() {
        var session = state()
        for key in ":mode custom" {
            let event = key == " " ? press(.space) : press(.character(Unicode.Scalar(String(key)) ?? " "))
            let effects = session.handle(event, now: 1)
            #expect(commands(effects).isEmpty, "\(key) did something by itself")
        }
        let done = session.handle(press(.enter), now: 1)
        #expect(commands(done) == [.setMode(.custom)])
    }

    @Test func `an answer is shown for three seconds`() {
        var session = state()
        let shown = session.handle(.answer(.words, .success(MotionReceipt("home"))), now: 1)
        #expect(shown.contains(.face(FaceChange(statusLine: "ok home"))))
        #expect(shown.contains(.answer("ok home")))
        _ = session.handle(.snapshot(ready()), now: 2)
        let gone = session.handle(.tick, now: 4.1)
        #expect(gone.contains(.face(FaceChange(statusLine: ""))))
    }

    @Test func `an error says what to do`() {
        var session = state()
        let effects = session.handle(.line("mode sytem", nil), now: 1)
        guard case .answer(let text)? = effects.first else {
            Issue.record("no answer")
            return
        }
        #expect(text == "error unknown mode \"sytem\": did you mean `system`?")
    }

    @Test func `the eyes look at the face in the room, or for a camera on the head at its place in the image`() {
        var frame = TrackedFrame(
            sequence: 1, exposure: 1, subjects: [], followed: TrackedSubject(id: 4, rect: Rect.full), selected: [],
            setPoint: Point(x: 0.5, y: 0.5), pose: .zero)
        frame.bearing = .degrees(pan: 3, tilt: 1)
        frame.world = .degrees(pan: 30, tilt: 1)
        for (display, expected) in [(RigProfile.Mount.fixed, 30.0), (.head, 3)] {
            var session = state(display: display)
            let effects = session.handle(.tracked(frame), now: 1)
            let bearings = effects.compactMap { effect -> Double? in
                guard case .face(let wish) = effect, case .at(let target)? = wish.gaze else { return nil }
                return target.bearing.inDegrees
            }
            #expect(bearings.count == 1)
            #expect(abs((bearings.first ?? 0) - expected) < 1e-9)
        }
    }

    @Test func `the end of the detections ends a session without a face`() {
        var session = state(face: false)
        let effects = session.handle(.tracking(.ended), now: 1)
        #expect(effects.contains(.quit))
    }

    @Test func `alone it gets curious, calm again, sleepy, and is glad when a person comes`() {
        var session = state()
        var frame = TrackedFrame(
            sequence: 1, exposure: 1, subjects: [], followed: TrackedSubject(id: 4, rect: Rect.full), selected: [],
            setPoint: Point(x: 0.5, y: 0.5), pose: nil)
        frame.bearing = .zero
        _ = session.handle(.tracked(frame), now: 10)
        for (time, name) in [(12.5, "curiosity"), (19, "normal"), (131, "sleepy")] {
            _ = session.handle(.tick, now: time)
            #expect(session.face.mood.expression.name == name)
        }
        _ = session.handle(.tracked(frame), now: 140)
        #expect(session.face.mood.expression.name == "happy")
        _ = session.handle(.tracked(frame), now: 142.1)
        #expect(session.face.mood.expression.name == "normal")
        _ = session.handle(.line("face love", nil), now: 141)
        _ = session.handle(.tick, now: 500)
        #expect(session.face.mood.expression.name == "love", "a person chose it")
    }

    @Test func `a face chosen by a key expires, and events show again`() {
        var session = state()
        _ = session.handle(press(.tab), now: 10)
        #expect(session.face.mood.expression.name == "happy")
        _ = session.handle(.tick, now: 12.9)
        #expect(session.face.mood.expression.name == "happy")
        _ = session.handle(.tick, now: 13)
        #expect(session.face.mood.expression.name == "normal")
        // A face chosen by words lasts until it is withdrawn.
        _ = session.handle(.line("face love", nil), now: 20)
        _ = session.handle(.tick, now: 200)
        #expect(session.face.mood.expression.name == "love")
        _ = session.handle(.line("face auto", nil), now: 201)
        #expect(session.face.mood.expression.name == "normal")
        // A scene's cue changes the face, and leaves the screen's last row to a person.
        let effects = session.handle(.line("face love", .cue), now: 202)
        #expect(session.face.mood.expression.name == "love")
        #expect(!effects.contains { if case .answer = $0 { true } else { false } })
        _ = session.handle(.line("face auto", .cue), now: 203)
        // Random faces continue whatever key is pressed, and end with the original face.
        _ = session.handle(press(.character("r")), now: 210)
        _ = session.handle(.tick, now: 210)
        let random = session.face.mood.expression
        _ = session.handle(press(.tab), now: 210.5)
        #expect(session.face.mood.expression == random && session.face.mood.isRandom)
        _ = session.handle(press(.character("r")), now: 211)
        #expect(session.face.mood.expression.name == "normal")
    }

    @Test func `letters with Ctrl or Alt move nothing, except the emergency stop`() {
        var session = state()
        for modifiers: KeyModifiers in [.control, .alt, .command] {
            for letter: Unicode.Scalar in ["w", "k", "y", "n", "q", "h", "m"] {
                let effects = session.handle(
                    .input(.key(.character(letter), modifiers: modifiers, phase: .press)), now: 1)
                let moves = effects.filter { if case .face = $0 { false } else { true } }
                #expect(moves == [], "\(letter)")
            }
        }
        for key: Key in [.character("x"), .character("X"), .space] {
            let effects = session.handle(.input(.key(key, modifiers: [.control, .alt], phase: .press)), now: 2)
            #expect(effects.contains { if case .motion = $0 { true } else { false } }, "\(key)")
        }
    }

    @Test func `a long press acts while it is held, and a drag does nothing`() {
        var session = state()
        _ = session.handle(.input(.mouse(.press(button: 0), column: 3, row: 3, modifiers: [])), now: 1)
        _ = session.handle(.tick, now: 1.5)
        #expect(!session.face.mood.isRandom)
        _ = session.handle(.tick, now: 1.7)
        #expect(session.face.mood.isRandom)
        _ = session.handle(.input(.mouse(.release(button: 0), column: 3, row: 3, modifiers: [])), now: 1.8)
        #expect(session.face.mood.isRandom)
        _ = session.handle(press(.character("r")), now: 2)
        _ = session.handle(.input(.mouse(.press(button: 0), column: 3, row: 3, modifiers: [])), now: 3)
        _ = session.handle(.input(.mouse(.release(button: 0), column: 60, row: 20, modifiers: [])), now: 3.1)
        #expect(session.face.mood.expression.name == "normal")
    }

    @Test func `a status line that is too long loses its least important parts`() {
        let facts = [("STOPPED", 0), ("mode system", 1), ("30/s", 2), ("framing auto", 6), ("/dev/ttyACM0", 7)]
            .map { (text: $0.0, rank: $0.1) }
        #expect(SessionState.fitting(facts, columns: 80) == "STOPPED  mode system  30/s  framing auto  /dev/ttyACM0")
        #expect(SessionState.fitting(facts, columns: 40) == "STOPPED  mode system  30/s  framing auto")
        #expect(SessionState.fitting(facts, columns: 22) == "STOPPED  mode system")
        #expect(SessionState.fitting(facts, columns: 1) == "STOPPED")
    }

    @Test func `a latched dock that is not connected is shown as such`() {
        var session = state()
        var shot = LoopSnapshot()
        (shot.dock, shot.pose) = (.faulted(.emergencyStop), .zero)
        _ = session.handle(.snapshot(shot), now: 1)
        #expect(!session.statusWords(why: false, now: 1).contains("not connected"))
        #expect(!session.facts(now: 1).contains { $0.text == "no dock" })
        shot.pose = nil
        _ = session.handle(.snapshot(shot), now: 2)
        #expect(session.statusWords(why: false, now: 2).contains("the dock is not connected"))
        #expect(session.facts(now: 2).contains { $0.text == "no dock" })
    }

    @Test func `random faces change every five to fifteen seconds and never to the same`() {
        var session = state()
        _ = session.handle(press(.character("r")), now: 0)
        var changes: [(Double, String)] = []
        for tick in 0..<4000 {
            let now = Double(tick) * 0.25, before = session.face.mood.expression.name
            _ = session.handle(.tick, now: now)
            if session.face.mood.expression.name != before { changes.append((now, session.face.mood.expression.name)) }
        }
        let gaps = zip(changes, changes.dropFirst()).map { $1.0 - $0.0 }
        #expect((gaps.min() ?? 0) >= 5 && (gaps.max() ?? 99) <= 15.25)
        #expect(Set(changes.map(\.1)).count > 15)
    }

    private func ready() -> LoopSnapshot {
        var snapshot = LoopSnapshot()
        snapshot.dock = .ready
        return snapshot
    }
}
