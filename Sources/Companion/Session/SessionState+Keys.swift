internal import DockControl
internal import Geometry
internal import RobotFace

/// Actions of the keys of the controlling terminal.
extension SessionState {
    /// How long a click must be held to count as a long press, seconds.
    static let longPress: Seconds = 0.6

    mutating func keys(_ input: InputEvent, now: Seconds) -> [SessionEffect] {
        switch input {
        case .key(let key, let modifiers, let phase):
            if typed != nil { return phase == .release ? [] : type(key, modifiers, now: now) }
            if let direction = ChevronKeys.direction(of: key) {
                let pulse = chevrons.key(direction, phase: phase, fast: modifiers.contains(.shift), now: now)
                guard let pulse else { return [] }
                arbiter.tookOver(.keys, now: now)
                customMayBegin = false
                return [.motion(pulse, nil)]
            }
            guard phase == .press else { return [] }
            return press(key, modifiers, now: now)
        case .mouse(.press(button: 0), let column, let row, _):
            mouseDown = MouseDown(time: now, column: column, row: row)
            return []
        case .mouse(.release(button: 0), let column, let row, _):
            guard let down = mouseDown else { return [] }
            mouseDown = nil
            // A drag selects text, or the user has reconsidered.
            guard abs(down.column - column) <= 1, abs(down.row - row) <= 1 else { return [] }
            guard now - down.time < Self.longPress else { return toggleRandom(now: now) }
            // If the subjects are on the screen, a click is a tap on one of them.
            if showsOverlay, let point = place(column: column, row: row) {
                return call(.tap(point), .keys, now: now)
            }
            return nextFace(now: now)
        case .focusLost:
            return chevrons.isRunning(now: now) ? [.motion(chevrons.stop(), nil)] : []
        case .mouse, .focusGained, .paste, .reply:
            return []
        }
    }

    /// A click that is still held: the long press acts before the button is released.
    mutating func holdMouse(now: Seconds) -> [SessionEffect] {
        guard let down = mouseDown, now - down.time >= Self.longPress else { return [] }
        mouseDown = nil
        return toggleRandom(now: now)
    }

    private mutating func press(_ key: Key, _ modifiers: KeyModifiers, now: Seconds) -> [SessionEffect] {
        // Ctrl and Alt with a letter belong to terminals and window managers. Stop and emergency stop work with any modifier.
        if case .character(let letter) = key, letter != "x", letter != "X",
            !modifiers.isDisjoint(with: [.control, .alt, .command])
        {
            return []
        }
        switch key {
        case .space: return call(.motion(.stop), .keys, now: now)
        case .tab, .enter: return nextFace(now: now)
        case .escape:
            return help(false)
        case .character(let letter):
            // Shift arrives as a modifier with the plain letter, or as the capital itself.
            let capital = modifiers.contains(.shift) || letter == "C"
            return press(Character(letter), capital: capital, now: now)
        default: return []
        }
    }

    private mutating func press(_ letter: Character, capital: Bool, now: Seconds) -> [SessionEffect] {
        switch letter {
        case "x", "X": return call(.motion(.emergencyStop), .keys, now: now)
        case "c", "C":
            guard capital else { return [] }
            guard let asked = clearAskedAt, now - asked < Self.messageTime else {
                clearAskedAt = now
                return say("clear the latched stop? press C again", now: now)
            }
            clearAskedAt = nil
            return call(.motion(.clear), .keys, now: now)
        case "h": return [.motion(.setMode(.manual), nil)] + call(.motion(.home), .keys, now: now)
        case "g": return call(.giveBack, .keys, now: now)
        case "m": return call(.motion(.setMode(snapshot.mode.next)), .keys, now: now)
        case "f": return call(.motion(.setFraming(snapshot.framing.mode.next)), .keys, now: now)
        case "y": return call(.animate("yes"), .keys, now: now)
        case "n": return call(.animate("nope"), .keys, now: now)
        case "w": return call(.animate("wakeup"), .keys, now: now)
        case "k": return call(.animate("kapow"), .keys, now: now)
        case "1"..."9":
            guard library.presets[String(letter)] != nil else {
                return say("error no preset \(letter): turn the head and type :preset save \(letter)", now: now)
            }
            return [.motion(.setMode(.manual), nil)] + call(.preset(.go(String(letter))), .keys, now: now)
        case "[": return changeSpeed(-0.1)
        case "]": return changeSpeed(0.1)
        case "r": return toggleRandom(now: now)
        case "o":
            showsOverlay.toggle()
            return []
        case "i":
            showsStatus.toggle()
            message = nil
            return []
        case ":":
            typed = ""
            return []
        case "?": return help(!showsHelp)
        case "q": return [.quit]
        default: return []
        }
    }

    private mutating func toggleRandom(now: Seconds) -> [SessionEffect] {
        return random(!mood.isRandom, now: now) + say("random faces \(mood.isRandom ? "on" : "off")", now: now)
    }

    private mutating func changeSpeed(_ step: Double) -> [SessionEffect] {
        speed = (speed + step).clamped(to: 0.1...1)
        return [.motion(.setSpeed(speed), .keys)]
    }

    private mutating func help(_ on: Bool) -> [SessionEffect] {
        guard on != showsHelp else { return [] }
        showsHelp = on
        return [.face(FaceWish(page: on ? KeyHelp.page : []))]
    }

    /// Handles a key while a command is being typed.
    private mutating func type(_ key: Key, _ modifiers: KeyModifiers, now: Seconds) -> [SessionEffect] {
        switch key {
        case .enter:
            let line = typed ?? ""
            typed = nil
            return line.isEmpty ? [] : command(line, .words, now: now)
        case .escape:
            typed = nil
        case .backspace:
            if typed?.isEmpty == true { typed = nil } else { typed?.removeLast() }
        case .space: typed?.append(" ")
        case .character(let letter):
            let text = modifiers.contains(.shift) ? String(letter).uppercased() : String(letter)
            if (typed?.count ?? 0) < 200 { typed?.append(text) }
        default: break
        }
        return []
    }
}

/// The start of a click.
struct MouseDown: Sendable, Equatable {
    var time: Seconds
    var column: Int, row: Int
}

/// The keys, as the help page shows them.
enum KeyHelp {
    static let page = [
        "arrows      turn the dock (manual); with shift three times as fast",
        "space       stop now              x   emergency stop, latched",
        "C C         clear a latched stop  h   home",
        "m           next mode             f   next framing",
        "g           after a stop: give the dock back to programs",
        "y n w k     yes, nope, wakeup, kapow",
        "[ ]         speed of manual motion",
        "Tab, Enter  next face             r   random faces",
        "o           subjects: click one   i   status line",
        "1 ... 9     presets, saved by :preset save 1",
        ":           command words         ?   this page",
        "            (Esc leaves; until then no key stops the dock)",
        "q           stop the dock and quit",
    ]
}
