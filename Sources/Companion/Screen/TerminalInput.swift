internal import DockControl
internal import Geometry
internal import RobotFace

/// Turns keys and clicks at the controlling terminal into actions. It is a value that stores the held arrow key, the
/// line that is being typed, the unfinished click, and the speed of manual motion.
struct TerminalInput: Sendable {
    /// An action that a person at the terminal requests.
    enum Action: Sendable, Equatable {
        /// Turns the dock by an arrow key.
        case turn(MotionCommand)
        /// Ends the pulse of an arrow key, because its release will not arrive.
        case endTurn(MotionCommand)
        case call(Command)
        /// Calls a command in mode manual.
        case callInManual(Command)
        case preset(String)
        case nextMode, nextFraming
        /// A change of the speed of manual motion, as a fraction.
        case speed(by: Double)
        /// A line of command words.
        case words(String)
        case say(String)
        case nextFace, toggleRandom
        /// A click on a cell of the screen.
        case click(column: Int, row: Int)
        /// A rectangle of cells that was dragged with the mouse.
        case drag(columns: ClosedRange<Int>, rows: ClosedRange<Int>)
        case toggle(Screen.Part)
        case hide(Screen.Part)
        case quit
    }

    /// The start of a click.
    private struct MouseDown {
        let time: Seconds
        let column: Int, row: Int
    }

    /// When an arrow key last turned the dock, CLOCK_MONOTONIC.
    var turnedAt: Seconds = -.infinity
    /// The line that is being typed after `:`.
    private(set) var typed = TypedLine()
    /// The speed of manual motion as last requested, 0.01...1.
    var speed = 1.0
    private var chevrons = ChevronKeys()
    private var mouseDown: MouseDown?
    private var clearAskedAt: Seconds?

    /// How long a click must be held to count as a long press, in seconds.
    static let longPress: Seconds = 0.6

    /// Returns the action that a key or a click requests, or nil if there is none or the input is incomplete. If the
    /// screen shows the camera's frame (`isFrameShown`), the mouse selects a part of it.
    mutating func handle(_ input: InputEvent, isFrameShown: Bool = false, now: Seconds) -> Action? {
        switch input {
        case .key(let key, let modifiers, let phase):
            if typed.text != nil {
                return phase == .release ? nil : typed.handle(key, modifiers).map { .words($0) }
            }
            if let direction = ChevronKeys.direction(of: key) {
                return chevrons.key(direction, phase: phase, fast: modifiers.contains(.shift), now: now).map {
                    .turn($0)
                }
            }
            return phase == .press ? press(key, modifiers, now: now) : nil
        case .mouse(.press(button: 0), let column, let row, _):
            mouseDown = MouseDown(time: now, column: column, row: row)
            return nil
        case .mouse(.release(button: 0), let column, let row, _):
            guard let down = mouseDown else { return nil }
            mouseDown = nil
            let isStill = abs(down.column - column) <= 1 && abs(down.row - row) <= 1
            if isFrameShown {
                guard !isStill else { return .click(column: column, row: row) }
                return .drag(
                    columns: min(down.column, column)...max(down.column, column),
                    rows: min(down.row, row)...max(down.row, row))
            }
            // A drag selects text, or the user has reconsidered.
            guard isStill else { return nil }
            return now - down.time < Self.longPress ? .click(column: column, row: row) : .toggleRandom
        case .focusLost: return chevrons.isRunning(now: now) ? .endTurn(chevrons.stop()) : nil
        case .mouse, .focusGained, .paste, .reply: return nil
        }
    }

    /// Advances the time: a long press acts before the button is released, unless it may begin a rectangle.
    mutating func tick(isFrameShown: Bool = false, now: Seconds) -> Action? {
        guard !isFrameShown, let down = mouseDown, now - down.time >= Self.longPress else { return nil }
        mouseDown = nil
        return .toggleRandom
    }

    private mutating func press(_ key: Key, _ modifiers: KeyModifiers, now: Seconds) -> Action? {
        switch key {
        case .space: return .call(.motion(.stop))
        case .tab, .enter: return .nextFace
        case .escape: return .hide(.help)
        case .character(let letter):
            // Ctrl and Alt with a letter belong to terminals and window managers. Stop and emergency stop work with any
            // modifier.
            guard modifiers.isDisjoint(with: [.control, .alt, .command]) || letter == "x" || letter == "X" else {
                return nil
            }
            // Shift arrives as a modifier with the plain letter or as the capital itself.
            if letter == "C" || letter == "c" {
                return letter == "C" || modifiers.contains(.shift) ? clear(now: now) : nil
            }
            return press(Character(letter))
        default: return nil
        }
    }

    private mutating func press(_ letter: Character) -> Action? {
        switch letter {
        case "1"..."9": return .preset(String(letter))
        case "[": return .speed(by: -0.1)
        case "]": return .speed(by: 0.1)
        case ":":
            typed.begin()
            return nil
        default: return Self.letters[letter]
        }
    }

    /// The letters that always have the same meaning.
    private static let letters: [Character: Action] = [
        "x": .call(.motion(.emergencyStop)), "X": .call(.motion(.emergencyStop)),
        "h": .callInManual(.motion(.home)), "g": .call(.giveBack), "m": .nextMode, "f": .nextFraming,
        "y": .call(.animate("yes")), "n": .call(.animate("nope")), "w": .call(.animate("wakeup")),
        "k": .call(.animate("kapow")), "r": .toggleRandom, "o": .toggle(.overlay), "p": .toggle(.plan),
        "t": .toggle(.taps), "i": .toggle(.status), "?": .toggle(.help), "q": .quit,
    ]

    /// Clears a latched stop at the second press within three seconds.
    private mutating func clear(now: Seconds) -> Action {
        guard let asked = clearAskedAt, now - asked < Screen.messageTime else {
            clearAskedAt = now
            return .say("clear the latched stop? press C again")
        }
        clearAskedAt = nil
        return .call(.motion(.clear))
    }
}
