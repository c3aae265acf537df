internal import Glibc

extension InputEvent {
    /// Whether it is an arrow that was pressed or is held.
    var isHeldArrow: Bool {
        guard case .key(let key, _, let phase) = self, phase != .release else { return false }
        return key == .up || key == .down || key == .left || key == .right
    }

    /// The signal that a terminal's driver would send for this key.
    var terminalSignal: Int32? {
        guard case .key(.character(let character), let modifiers, let phase) = self, modifiers == .control,
            phase != .release
        else { return nil }
        switch character {
        case "c": return SIGINT
        case "z": return SIGTSTP
        case "\\": return SIGQUIT
        default: return nil
        }
    }
}
