internal import DockControl
internal import Geometry
internal import RobotFace

/// Executes actions of a person at the controlling terminal.
extension SessionState {
    mutating func keys(_ event: InputEvent, now: Seconds) -> [SessionEffect] {
        input.handle(event, isFrameShown: screen.shows(.overlay), now: now).map { perform($0, now: now) } ?? []
    }

    mutating func perform(_ action: TerminalInput.Action, now: Seconds) -> [SessionEffect] {
        if case .faulted = snapshot.dock, !action.isUseful(whileStopped: screen) {
            return say("stopped: when all is well, press C twice", now: now)
        }
        switch action {
        case .turn(let pulse):
            arbiter.tookOver(.keys, now: now)
            custom.revoke()
            input.turnedAt = now
            return [.motion(pulse, nil)]
        case .endTurn(let end): return [.motion(end, nil)]
        case .call(let command): return call(command, .keys, now: now)
        case .callInManual(let command): return [.motion(.setMode(.manual), nil)] + call(command, .keys, now: now)
        case .preset(let name):
            guard motions.library.presets[name] != nil else {
                return say("error no preset \(name): turn the head and type :preset save \(name)", now: now)
            }
            return perform(.callInManual(.preset(.go(name))), now: now)
        case .nextMode: return call(.motion(.setMode(snapshot.mode.next)), .keys, now: now)
        case .nextFraming: return call(.motion(.setFraming(snapshot.framing.mode.next)), .keys, now: now)
        case .speed(let step):
            input.speed = (input.speed + step).clamped(to: 0.1...1)
            return [.motion(.setSpeed(input.speed), .keys)]
        case .words(let line):
            // An answer has one line, but the words need a page.
            guard line.split(separator: " ") == ["help"] else { return command(line, .words, now: now) }
            screen.open(.words(page: 0))
            return [.face(FaceChange(page: screen.pageLines))]
        case .say(let text): return say(text, now: now)
        case .nextFace: return nextFace(now: now)
        case .toggleRandom:
            return random(!face.mood.isRandom, now: now)
                + say("random faces \(face.mood.isRandom ? "on" : "off")", now: now)
        case .click(let column, let row):
            // If the subjects are on the screen, a click is a tap on one of them.
            if screen.shows(.overlay), let point = screen.point(column: column, row: row) {
                guard screen.shows(.taps) else { return say("clicks do not follow: press t", now: now) }
                return call(.tap(point), .keys, now: now)
            }
            return nextFace(now: now)
        case .drag(let columns, let rows): return drag(columns, rows, now: now)
        case .toggle(.taps): return toggleTaps(now: now)
        case .toggle(let part): return show(part, !screen.shows(part))
        case .hide(let part): return screen.shows(part) ? show(part, false) : []
        case .quit: return [.quit]
        }
    }

    /// Sets the region to a rectangle that was dragged over the camera's frame.
    private mutating func drag(
        _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, now: Seconds
    ) -> [SessionEffect] {
        guard screen.shows(.overlay), let first = screen.point(column: columns.lowerBound, row: rows.lowerBound),
            let last = screen.point(column: columns.upperBound, row: rows.upperBound)
        else { return [] }
        guard columns.count > 2, rows.count > 2 else {
            return say("error the region is too small: drag a larger rectangle", now: now)
        }
        let region = Rect(x: first.x, y: first.y, width: last.x - first.x, height: last.y - first.y)
        return call(.motion(.setRegion(region)), .keys, now: now)
    }

    /// Switches tap to track on or off. Off also releases the subject that a tap selected, as in DockKit's sample.
    private mutating func toggleTaps(now: Seconds) -> [SessionEffect] {
        let on = !screen.shows(.taps)
        screen.show(.taps, on)
        var quiet = Ticket.keys
        quiet.isQuiet = true
        let released = on ? [] : call(.select([]), quiet, now: now)
        return released + say("clicks follow: \(on ? "on" : "off")", now: now)
    }

    private mutating func show(_ part: Screen.Part, _ on: Bool) -> [SessionEffect] {
        guard part == .help else {
            screen.show(part, on)
            return []
        }
        if on { screen.open(.keys) } else { screen.show(.help, false) }
        return [.face(FaceChange(page: screen.pageLines))]
    }
}

extension TerminalInput.Action {
    /// Returns whether the action is useful while the dock is stopped by a fault or an emergency stop. Otherwise a
    /// person who types `clear` without a colon would change faces and presets.
    fileprivate func isUseful(whileStopped screen: Screen) -> Bool {
        switch self {
        case .nextFace, .toggleRandom, .preset, .nextFraming, .speed: false
        case .click: screen.shows(.overlay)
        default: true
        }
    }
}
