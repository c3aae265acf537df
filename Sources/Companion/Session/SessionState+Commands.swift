internal import DockControl
internal import FaceTracker
internal import Geometry
internal import RobotFace

extension SessionState {
    /// A line of command words, from standard input or typed after `:`.
    mutating func command(_ line: String, now: Seconds) -> [SessionEffect] {
        let command: Command
        do {
            command = try CommandWords.parse(line, pictureSize: pictureSize)
        } catch {
            return say("error \(error.message): \(error.hint)", now: now)
        }
        return perform(command, now: now)
    }

    private mutating func perform(_ command: Command, now: Seconds) -> [SessionEffect] {
        switch command {
        case .motion(let motion): return [.motion(motion, answers: true)]
        case .tap(let point): return [.tap(point)]
        case .select(let ids): return [.select(ids)]
        case .face(let expression):
            mood.choose(expression, now: now)
            return [.face(FaceWish(expression: expression))] + say("ok face \(expression.name)", now: now)
        case .nextFace: return nextFace(now: now) + say("ok face \(mood.expression.name)", now: now)
        case .randomFaces(let on):
            mood.random(on ?? !mood.isRandom, now: now)
            return say("ok random faces \(mood.isRandom ? "on" : "off")", now: now)
        case .status(let why): return say("ok " + statusWords(why: why), now: now)
        case .help: return [.answer("ok help\n" + CommandWords.help.joined(separator: "\n"))]
        case .quit: return [.quit]
        default: return say("error not there yet: wait", now: now)
        }
    }

    mutating func nextFace(now: Seconds) -> [SessionEffect] {
        mood.choose(mood.expression.next, now: now)
        return [.face(FaceWish(expression: mood.expression))]
    }

    mutating func selected(_ request: PipelineRequest, _ id: Int?, now: Seconds) -> [SessionEffect] {
        switch (request, id) {
        case (.tap, let id?): return say("ok subject \(id)", now: now)
        case (.tap, nil):
            return say(
                "error noSubjectFound: tap on a face, or within a tenth of the picture's height of one", now: now)
        case (.select(let ids), _?):
            let words = ids.isEmpty ? "automatic" : "subjects " + ids.map(String.init).joined(separator: " ")
            return say("ok " + words, now: now)
        case (.select, nil):
            let there = lastFrame?.subjects.map { String($0.id) }.joined(separator: " ") ?? ""
            return say(
                "error noSubjectFound: "
                    + (there.isEmpty ? "nobody is in sight" : "in sight are the subjects \(there)"), now: now)
        }
    }

    // MARK: keys

    /// A click held for so long is a long press, seconds.
    static let longPress: Seconds = 0.6

    mutating func keys(_ input: InputEvent, now: Seconds) -> [SessionEffect] {
        switch input {
        case .key(let key, let modifiers, let phase):
            if typed != nil { return phase == .release ? [] : type(key, modifiers, now: now) }
            if let direction = ChevronKeys.direction(of: key) {
                let pulse = chevrons.key(direction, phase: phase, fast: modifiers.contains(.shift), now: now)
                return pulse.map { [.motion($0, answers: false)] } ?? []
            }
            guard phase == .press else { return [] }
            return press(key, modifiers, now: now)
        case .mouse(.press(button: 0), _, _, _):
            mouseDownAt = now
            return []
        case .mouse(.release(button: 0), _, _, _):
            guard let down = mouseDownAt else { return [] }
            mouseDownAt = nil
            return now - down < Self.longPress ? nextFace(now: now) : toggleRandom(now: now)
        case .focusLost:
            return chevrons.isRunning(now: now) ? [.motion(chevrons.stop(), answers: false)] : []
        case .mouse, .focusGained, .paste, .reply:
            return []
        }
    }

    private mutating func press(_ key: Key, _ modifiers: KeyModifiers, now: Seconds) -> [SessionEffect] {
        switch key {
        case .space: return [.motion(.stop, answers: true)]
        case .tab, .enter: return nextFace(now: now)
        case .escape:
            return help(false)
        case .character(let letter):
            // Shift comes as a modifier with the plain letter, or as the capital itself.
            let capital = modifiers.contains(.shift) || letter == "C"
            return press(Character(letter), capital: capital, now: now)
        default: return []
        }
    }

    private mutating func press(_ letter: Character, capital: Bool, now: Seconds) -> [SessionEffect] {
        switch letter {
        case "x", "X": return [.motion(.emergencyStop, answers: true)]
        case "c", "C":
            guard capital else { return [] }
            guard let asked = clearAskedAt, now - asked < Self.messageTime else {
                clearAskedAt = now
                return say("clear the latched stop? press C again", now: now)
            }
            clearAskedAt = nil
            return [.motion(.clear, answers: true)]
        case "h": return [.motion(.setMode(.manual), answers: false), .motion(.home, answers: true)]
        case "m": return [.motion(.setMode(snapshot.mode.next), answers: true)]
        case "f": return [.motion(.setFraming(snapshot.framing.mode.next), answers: true)]
        case "y": return [.motion(.animate(.yes), answers: true)]
        case "n": return [.motion(.animate(.nope), answers: true)]
        case "w": return [.motion(.animate(.wakeup), answers: true)]
        case "k": return [.motion(.animate(.kapow), answers: true)]
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
        mood.random(!mood.isRandom, now: now)
        return say("random faces \(mood.isRandom ? "on" : "off")", now: now)
    }

    private mutating func changeSpeed(_ step: Double) -> [SessionEffect] {
        speed = (speed + step).clamped(to: 0.1...1)
        return [.motion(.setSpeed(speed), answers: true)]
    }

    private mutating func help(_ on: Bool) -> [SessionEffect] {
        guard on != showsHelp else { return [] }
        showsHelp = on
        return [.face(FaceWish(page: on ? KeyHelp.page : []))]
    }

    /// A key while a command is being typed.
    private mutating func type(_ key: Key, _ modifiers: KeyModifiers, now: Seconds) -> [SessionEffect] {
        switch key {
        case .enter:
            let line = typed ?? ""
            typed = nil
            return line.isEmpty ? [] : command(line, now: now)
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

/// The keys, as the help page shows them.
enum KeyHelp {
    static let page = [
        "arrows      turn the dock (manual); with shift three times as fast",
        "space       stop now              x   emergency stop, latched",
        "C C         clear a latched stop  h   home",
        "m           next mode             f   next framing",
        "y n w k     yes, nope, wakeup, kapow",
        "[ ]         speed of manual motion",
        "Tab, Enter  next face             r   random faces",
        "o           subjects              i   status line",
        ":           command words         ?   this page",
        "q           stop the dock and quit",
    ]
}
