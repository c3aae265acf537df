internal import Glibc

/// What the environment tells about a terminal before it is asked.
public struct TerminalGuess: Sendable, Equatable {
    /// How many colours it shows.
    public internal(set) var depth: ColourDepth
    /// What its font has.
    public internal(set) var glyphs = FaceGlyphs.blocks
    /// The environment was explicit: no answer changes the depth any more.
    var isCertain: Bool
    /// The terminal may be asked questions.
    var mayAsk: Bool
    /// Pixels are not worth their bytes: the terminal is far away, or another one stands in between.
    var avoidsGraphics = false
    /// Inside tmux, which knows what the terminal outside can show.
    var isTmux = false
    /// How long the first picture waits for the answers, seconds.
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
            // What COLORTERM says is about the terminal outside, which tmux may or may not pass on.
            (depth, isCertain, mayAsk) = (.palette256, false, true)
            isTmux = value("TMUX") != nil
        } else {
            (depth, isCertain, mayAsk) = (isDirect ? .trueColour : has256 ? .palette256 : .palette16, isDirect, true)
        }
        if value("SSH_CONNECTION") != nil { answerTime = 1 }
        avoidsGraphics =
            value("SSH_CONNECTION") != nil || value("TMUX") != nil || term.hasPrefix("screen") || term.hasPrefix("tmux")
            || isCertain && depth != .trueColour
        // The console's font has half blocks and no eighths. A locale that names another character set has no blocks.
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

    /// Asks tmux, where there is one, how many colours the terminal outside shows; 0.3 s at most.
    ///
    /// Without the feature tmux turns every colour into one of 256 by itself, and not into one of those chosen by hand.
    public mutating func askTmux() {
        guard isTmux else { return }
        let features = TmuxClient.features(within: 0.3)
        depth = features.contains("RGB") ? .trueColour : .palette256
        isCertain = !features.isEmpty
    }
}
