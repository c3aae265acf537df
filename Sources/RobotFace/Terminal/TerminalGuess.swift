internal import Glibc

/// The properties of a terminal that follow from the environment, before it is queried.
public struct TerminalGuess: Sendable, Equatable {
    /// The number of colours.
    public internal(set) var depth: ColourDepth
    /// The glyphs of its font.
    public internal(set) var glyphs = FaceGlyphs.blocks
    /// Whether the environment was explicit, so that no answer changes the depth.
    var isCertain: Bool
    /// Whether the terminal may be queried.
    var mayAsk: Bool
    /// Whether pixels cost too many bytes, because the terminal is remote or another one is in between.
    var avoidsGraphics = false
    /// Whether the terminal is inside tmux, which has the capabilities of the outer terminal.
    var isTmux = false
    /// The time for which the first frame waits for the answers, in seconds.
    var answerTime = 0.3

    /// Derives the properties. `variable` looks up a name in the environment.
    init(_ variable: (String) -> String?) {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let term = value("TERM") ?? ""
        let colours = value("COLORTERM") ?? ""
        let isDirect = colours == "truecolor" || colours == "24bit" || term.hasSuffix("-direct")
        let has256 = term.contains("256color") || term.contains("kitty") || value("TMUX") != nil
        let isDumb = term == "dumb" || term.isEmpty || term.hasPrefix("vt")
        if value("NO_COLOR") != nil || isDumb {
            (depth, isCertain, mayAsk) = (.mono, true, !term.isEmpty && term != "dumb")
        } else if term == "linux" {
            (depth, isCertain, mayAsk) = (.palette16, true, false)
        } else if value("TMUX") != nil || term.hasPrefix("tmux") || term.hasPrefix("screen") {
            // COLORTERM describes the outer terminal, whose colours tmux may not pass on.
            (depth, isCertain, mayAsk) = (.palette256, false, true)
            isTmux = value("TMUX") != nil
        } else {
            (depth, isCertain, mayAsk) = (isDirect ? .trueColour : has256 ? .palette256 : .palette16, isDirect, true)
        }
        if value("SSH_CONNECTION") != nil { answerTime = 1 }
        avoidsGraphics =
            value("SSH_CONNECTION") != nil || value("TMUX") != nil || term.hasPrefix("screen") || term.hasPrefix("tmux")
            || isCertain && depth != .trueColour
        // The console's font has half blocks but no eighths. A locale with another character set supports no blocks.
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        let isForeign = locale.contains(".") && !locale.contains("utf-8") && !locale.contains("utf8")
        glyphs = isDumb || isForeign ? .ascii : term == "linux" ? .half : .blocks
    }

    /// Returns the guess from this process's environment.
    public static func ofProcess() -> TerminalGuess {
        TerminalGuess { name in
            guard let value = getenv(name) else { return nil }
            return String(cString: value)
        }
    }

    /// Asks tmux, if present, how many colours the outer terminal shows. It takes at most 0.3 s.
    ///
    /// Without the RGB feature, tmux converts every colour to one of 256, which is not one of the hand-chosen colours.
    public mutating func askTmux() {
        guard isTmux else { return }
        let features = TmuxClient.features(within: 0.3)
        depth = features.contains("RGB") ? .trueColour : .palette256
        isCertain = !features.isEmpty
    }
}
