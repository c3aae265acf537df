internal import Glibc

/// How to show the face on a terminal.
public struct TerminalOptions: Sendable {
    /// Open descriptors of the terminal to read keys from and to draw on; nil: the controlling terminal, /dev/tty.
    public var input: Int32?, output: Int32?
    /// Colours; nil: found out from the environment and by asking the terminal.
    public var depth: ColourDepth?
    /// The look of the eyes.
    public var style: EyeStyle = .block
    /// Seed of blinks and glances: the same seed, the same film.
    public var seed: UInt64 = 1
    /// Pictures a second while something moves, 1...60.
    public var framesPerSecond = 30.0
    /// What it shows first.
    public var expression = Expression.normal
    /// Whether mouse clicks are wanted.
    public var mouse = true
    /// Steps of 255 that a colour may be off while the picture moves.
    public var tolerance = 6

    /// What the environment tells; nil: this process's own.
    var guess: TerminalGuess?

    /// The controlling terminal, everything found out by itself.
    public init() {}
}

/// What the environment tells about a terminal before it is asked.
struct TerminalGuess: Sendable, Equatable {
    var depth: ColourDepth
    /// The environment was explicit: no answer changes the depth any more.
    var isCertain: Bool
    /// The terminal may be asked questions.
    var mayAsk: Bool

    init(depth: ColourDepth, isCertain: Bool, mayAsk: Bool) {
        (self.depth, self.isCertain, self.mayAsk) = (depth, isCertain, mayAsk)
    }

    /// `variable` looks a name up in the environment.
    init(_ variable: (String) -> String?) {
        func has(_ name: String) -> Bool { variable(name)?.isEmpty == false }
        let term = variable("TERM") ?? ""
        let colours = variable("COLORTERM") ?? ""
        let isDirect = colours == "truecolor" || colours == "24bit" || term.hasSuffix("-direct")
        let has256 = term.contains("256color") || term.contains("kitty") || has("TMUX")
        if has("NO_COLOR") || term == "dumb" || term.isEmpty || term.hasPrefix("vt") {
            (depth, isCertain, mayAsk) = (.mono, true, !term.isEmpty && term != "dumb")
        } else if term == "linux" {
            (depth, isCertain, mayAsk) = (.palette16, true, false)
        } else if has("TMUX") || term.hasPrefix("tmux") || term.hasPrefix("screen") {
            // What COLORTERM says is about the terminal outside, which tmux may or may not pass on.
            (depth, isCertain, mayAsk) = (.palette256, false, true)
        } else {
            (depth, isCertain, mayAsk) = (isDirect ? .trueColour : has256 ? .palette256 : .palette16, isDirect, true)
        }
    }

    /// From this process's environment.
    static func ofProcess() -> TerminalGuess {
        TerminalGuess { name in
            guard let value = getenv(name) else { return nil }
            return String(cString: value)
        }
    }
}
