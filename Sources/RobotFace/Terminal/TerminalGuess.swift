internal import Glibc

/// What the environment shows about a terminal before it is queried.
public struct TerminalGuess: Sendable, Equatable {
    /// The number of colours.
    public internal(set) var depth: ColourDepth
    /// The glyphs of its font.
    public internal(set) var glyphs = FaceGlyphs.blocks
    /// The environment was explicit; no answer changes the depth.
    var isCertain: Bool
    /// Whether the terminal may be queried.
    var mayAsk: Bool
    /// Whether pixels cost too many bytes: the terminal is remote, or another one is in between.
    var avoidsGraphics = false
    /// Inside tmux, which knows the capabilities of the outer terminal.
    var isTmux = false
    /// How long the first frame waits for the answers, seconds.
    var answerTime = 0.3

    /// `variable` looks a name up in the environment.
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
        // The console's font has half blocks but no eighths. A locale with another character set has no blocks.
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        let isForeign = locale.contains(".") && !locale.contains("utf-8") && !locale.contains("utf8")
        glyphs = isDumb || isForeign ? .ascii : term == "linux" ? .half : .blocks
    }

    /// From this process's environment.
    public static func ofProcess() -> TerminalGuess {
        TerminalGuess { name in
            guard let value = getenv(name) else { return nil }
            return String(cString: value)
        }
    }

    /// Asks tmux, if present, how many colours the outer terminal shows; takes at most 0.3 s.
    ///
    /// Without the RGB feature, tmux converts every colour to one of 256, which is not one of the hand-chosen colours.
    public mutating func askTmux() {
        guard isTmux else { return }
        let features = TmuxClient.features(within: 0.3)
        depth = features.contains("RGB") ? .trueColour : .palette256
        isCertain = !features.isEmpty
    }
}
