internal import Glibc

/// How to show the face on a terminal.
public struct TerminalOptions: Sendable {
    /// Open descriptors of the terminal to read keys from and to draw on; nil: the controlling terminal, /dev/tty.
    public var input: Int32?, output: Int32?
    /// Colours; nil: found out from the environment and by asking the terminal.
    public var depth: ColourDepth?
    /// What the face is drawn with; nil: found out from the environment.
    public var glyphs: FaceGlyphs?
    /// Pixels; nil: where the terminal says that it has them and is near, unless `glyphs` asks for glyphs.
    public var graphics: FaceGraphics?
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
    /// Only blinks and looks: no breath, no glances, no motion of moods. A window without the keyboard is calm anyway.
    public var calm = false
    /// Each picture is sent as one synchronized update (DEC 2026); off for terminals that flicker with it.
    public var synchronizes = true

    /// What the environment tells; nil: this process's own.
    var guess: TerminalGuess?

    /// The controlling terminal, everything found out by itself.
    public init() {}
}
