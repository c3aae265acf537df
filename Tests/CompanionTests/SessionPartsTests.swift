import DockControl
import Geometry
import RobotFace
import Testing

@testable import Companion

/// The values that make up a session's state.
@Suite struct SessionPartsTests {
    private func press(_ letter: Unicode.Scalar, _ modifiers: KeyModifiers = []) -> InputEvent {
        .key(.character(letter), modifiers: modifiers, phase: .press)
    }

    // MARK: terminal input

    @Test func `a letter is an action, but part of a line while a command is typed`() {
        var input = TerminalInput()
        #expect(input.handle(press("y"), now: 1) == .call(.animate("yes")))
        #expect(input.handle(press(":"), now: 1) == nil && input.typed.text == "")
        for letter in "yes".unicodeScalars { #expect(input.handle(press(letter), now: 1) == nil) }
        #expect(input.typed.text == "yes")
        #expect(input.handle(.key(.enter, modifiers: [], phase: .press), now: 1) == .words("yes"))
        #expect(input.typed.text == nil)
    }

    @Test func `only the second C within three seconds clears a latched stop`() {
        var input = TerminalInput()
        #expect(input.handle(press("c"), now: 0) == nil, "a small letter")
        for (time, clears) in [(1.0, false), (4.1, false), (6.0, true), (7.0, false)] {
            #expect((input.handle(press("c", .shift), now: time) == .call(.motion(.clear))) == clears, "\(time)")
        }
    }

    @Test func `the speed of manual motion has ten steps and starts from the last request`() {
        var session = SessionState(
            options: .init(hasFace: true, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
        let faster = session.handle(.input(press("]")), now: 1)
        #expect(faster.contains(.motion(.setSpeed(1), .keys)))
        session.input.speed = 0.15
        let slower = session.handle(.input(press("[")), now: 1)
        #expect(slower.contains(.motion(.setSpeed(0.1), .keys)))
    }

    @Test func `a pulse ends when the terminal loses the focus, because the release will not arrive`() {
        var input = TerminalInput()
        guard case .turn? = input.handle(.key(.left, modifiers: [], phase: .press), now: 1) else {
            Issue.record("no pulse")
            return
        }
        #expect(input.handle(.focusLost, now: 1.1) == .endTurn(.chevron(.zero, duration: 0)))
        #expect(input.handle(.focusLost, now: 1.2) == nil)
    }

    private func mouse(_ action: MouseAction, _ column: Int, _ row: Int) -> InputEvent {
        .mouse(action, column: column, row: row, modifiers: [])
    }

    @Test func `over the camera's frame a drag is a rectangle, and no long press interrupts it`() {
        var input = TerminalInput()
        _ = input.handle(mouse(.press(button: 0), 40, 12), isFrameShown: true, now: 1)
        #expect(input.tick(isFrameShown: true, now: 3) == nil)
        let drag = input.handle(mouse(.release(button: 0), 10, 4), isFrameShown: true, now: 4)
        #expect(drag == .drag(columns: 10...40, rows: 4...12))
        _ = input.handle(mouse(.press(button: 0), 40, 12), isFrameShown: true, now: 5)
        let click = input.handle(mouse(.release(button: 0), 41, 12), isFrameShown: true, now: 7)
        #expect(click == .click(column: 41, row: 12), "however long it was held")
        _ = input.handle(mouse(.press(button: 0), 40, 12), now: 8)
        #expect(input.handle(mouse(.release(button: 0), 10, 4), now: 8.1) == nil)
    }

    @Test func `a rectangle over the frame is the region, and t switches off that clicks follow`() {
        var session = SessionState(
            options: .init(hasFace: true, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
        _ = session.handle(.screen(columns: 81, rows: 25), now: 1)
        _ = session.handle(.input(press("o")), now: 1)
        func gesture(_ from: (Int, Int), _ to: (Int, Int)) -> [SessionEffect] {
            session.handle(.input(mouse(.press(button: 0), from.0, from.1)), now: 2)
                + session.handle(.input(mouse(.release(button: 0), to.0, to.1)), now: 2.1)
        }
        let region = Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        let dragged = gesture((20, 6), (60, 18))
        #expect(dragged.contains { if case .motion(.setRegion(region), _) = $0 { true } else { false } }, "\(dragged)")
        #expect(gesture((20, 6), (60, 7)).contains(.answer("error the region is too small: drag a larger rectangle")))
        func taps(_ effects: [SessionEffect]) -> Bool {
            effects.contains { if case .ask(.tap, _) = $0 { true } else { false } }
        }
        #expect(taps(gesture((40, 12), (40, 12))))
        let off = session.handle(.input(press("t")), now: 3)
        #expect(off.contains(.answer("clicks follow: off")))
        #expect(off.contains { if case .ask(.select([]), _) = $0 { true } else { false } })
        #expect(!taps(gesture((40, 12), (40, 12))))
        #expect(session.handle(.input(press("t")), now: 4).contains(.answer("clicks follow: on")))
        #expect(taps(gesture((40, 12), (40, 12))))
    }

    // MARK: screen

    @Test func `the first row names the keys, unless there was a message before`() {
        var screen = Screen(), busy = Screen()
        screen.tick(now: 1)
        busy.say("ok home", now: 0.9)
        busy.tick(now: 1)
        #expect(screen.messageText == "?  help     q  quit" && busy.messageText == "ok home")
        screen.tick(now: 1 + Screen.greetingTime)
        #expect(screen.messageText == nil)
    }

    @Test func `only a change is drawn`() {
        var screen = Screen()
        let label = TextOverlay.Label(x: 0, y: 0, text: "+")
        #expect(screen.refresh(row: "a", labels: [label]).count == 2)
        #expect(screen.refresh(row: "a", labels: [label]).isEmpty)
        #expect(screen.refresh(row: "", labels: [label]) == [FaceChange(statusLine: "")])
    }

    // MARK: audience

    @Test func `tracking is published ten times a second, and only to listeners`() {
        var audience = Audience()
        let early = audience.trackingIsDue(now: 1)
        audience.terminal = [.tracking]
        let times = (0..<100).filter { audience.trackingIsDue(now: 2 + Double($0) / 100) }
        #expect(!early && (10...11).contains(times.count))
    }

    // MARK: motions

    private func record(_ desk: inout MotionDesk, from start: Seconds) {
        _ = desk.record(
            (0..<100).map { step in
                let time = start + Double(step) * 0.02
                return MotionSample(time: time, pose: .degrees(pan: Double(step), tilt: 0), rate: .zero)
            })
    }

    @Test func `a taught motion stays until it is written, whatever else is written before`() throws {
        var desk = MotionDesk()
        try desk.begin("nod", byPerson: true, now: 0)
        record(&desk, from: 0)
        let script = try desk.finish()
        var library = desk.library
        try library.savePreset("door", at: .zero)
        desk.written(library)
        #expect(try desk.finish() == script, "only the preset was written")
        try library.save(script)
        desk.written(library)
        #expect(throws: DockError.self) { try desk.finish() }
        #expect(desk.library.taught["nod"] == script)
    }

    @Test func `a program's refused recording does not expose a person's recording`() throws {
        var desk = MotionDesk()
        try desk.begin("nod", byPerson: true, now: 0)
        #expect(throws: DockError.self) { try desk.begin("other", byPerson: false, now: 1) }
        #expect(throws: DockError.self, "it is still a person's") { try desk.begin("third", byPerson: true, now: 2) }
        #expect(desk.words(now: 3) == "recording nod 3 s")
    }

    @Test func `a program's recording does not keep a person from teaching`() throws {
        var desk = MotionDesk()
        try desk.begin("nod", byPerson: false, now: 0)
        try desk.begin("mine", byPerson: true, now: 1)
        #expect(desk.words(now: 1) == "recording mine 0 s")
        #expect(try desk.discard() == "mine")
    }

    // MARK: dock

    private func battery(_ name: String, _ level: Double, _ charge: BatteryState.Charge) -> BatteryState {
        BatteryState(name: name, level: level, charge: charge, isLow: level < 0.2)
    }

    @Test func `a motion whose end was reported is not under way, even in an older snapshot`() {
        var dock = DockView(), shot = LoopSnapshot()
        shot.motion = RunningMotion(id: MotionID(3), name: "yes", start: 0, duration: 2)
        dock.record(shot)
        #expect(dock.settled.motion != nil)
        for id in 3..<20 { dock.record(EndedMotion(id: MotionID(id), name: "yes", outcome: .completed)) }
        #expect(dock.endings.count == 8 && dock.settled.motion != nil, "it is forgotten after eight others")
        dock.record(EndedMotion(id: MotionID(3), name: "yes", outcome: .completed))
        #expect(dock.settled.motion == nil && dock.snapshot.motion != nil)
    }

    @Test func `a change to manual mode ends the reasons of tracking at once`() {
        var dock = DockView(), shot = LoopSnapshot()
        shot.reasons = AxisReasons(pan: .noSubject, tilt: .torqueOff)
        dock.record(shot)
        dock.apply(.mode(.manual))
        #expect(dock.snapshot.reasons == AxisReasons(pan: .nothingToDo, tilt: .torqueOff))
    }

    @Test func `one supply that charges does not hide another that is low`() {
        var dock = DockView()
        dock.record(battery("head", 0.1, .charging))
        #expect(!dock.isBatteryLow)
        dock.record(battery("base", 0.1, .notCharging))
        #expect(dock.isBatteryLow)
        dock.record(battery("base", 0.9, .notCharging))
        #expect(!dock.isBatteryLow && dock.snapshot.device.batteries.count == 2)
    }
}
