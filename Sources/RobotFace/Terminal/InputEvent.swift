/// A key of the keyboard.
public enum Key: Sendable, Hashable {
    /// A printing key: its character without modifiers if the terminal reports that, otherwise as typed.
    case character(Unicode.Scalar)
    /// Arrow keys.
    case up, down, left, right
    /// Named keys.
    case enter, tab, escape, space, backspace, delete, insert, home, end, pageUp, pageDown
    /// Function keys, 1...12.
    case function(Int)
}

/// The modifiers held with a key or a mouse button.
public struct KeyModifiers: OptionSet, Sendable, Hashable {
    /// The bits, one per modifier, in the terminals' order.
    public let rawValue: UInt8

    /// Creates modifiers from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The Shift key.
    public static let shift = KeyModifiers(rawValue: 1)
    /// The Alt or Option key.
    public static let alt = KeyModifiers(rawValue: 2)
    /// The Control key.
    public static let control = KeyModifiers(rawValue: 4)
    /// The Super, Windows or Command key.
    public static let command = KeyModifiers(rawValue: 8)
}

/// The phase of a key event. Terminals without the kitty keyboard protocol report every repetition as a press, and no
/// release.
public enum KeyPhase: Sendable, Hashable {
    /// The key was pressed.
    case press
    /// The key is held.
    case `repeat`
    /// The key was released.
    case release
}

/// An action with the mouse.
public enum MouseAction: Sendable, Hashable {
    /// A button was pressed or released: 0 left, 1 middle, 2 right.
    case press(button: Int), release(button: Int)
    /// The mouse moved.
    case motion
    /// The wheel turned; positive is away from the user.
    case wheel(Int)
}

/// An answer of the terminal to a question from the start.
public enum TerminalReply: Sendable, Hashable {
    /// The primary device attributes (DA1), which every terminal answers, and whether they include sixel graphics.
    case deviceAttributes(sixel: Bool)
    /// The terminal supports the kitty graphics protocol.
    case kittyGraphics
    /// The answer to XTGETTCAP or DECRQSS: whether it shows 24-bit colour.
    case directColour(Bool)
    /// The kitty keyboard flags, which show that it supports that protocol.
    case keyboard(flags: Int)
    /// The answer to DECRQM: the state of a private mode, where 0 is an unknown mode.
    case mode(Int, state: Int)
    /// Size of a cell in pixels.
    case cellSize(width: Int, height: Int)
    /// Any other answer.
    case other
}

/// An input event from a terminal.
public enum InputEvent: Sendable, Hashable {
    /// A key, with the modifiers held.
    case key(Key, modifiers: KeyModifiers, phase: KeyPhase)
    /// The mouse, in cells from 0 at the top left.
    case mouse(MouseAction, column: Int, row: Int, modifiers: KeyModifiers)
    /// The window lost or gained the keyboard focus.
    case focusLost, focusGained
    /// Text was pasted. Its contents are discarded, because a paste must never steer a machine.
    case paste
    /// The terminal answered a question.
    case reply(TerminalReply)
}
