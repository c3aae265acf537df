internal import Glibc

/// The options for a face on a terminal.
public struct TerminalOptions: Sendable {
    /// Open descriptors of the terminal for input and output, or nil for the controlling terminal, /dev/tty.
    public var input: Int32?, output: Int32?
    /// The number of colours, or nil to detect it from the environment and the terminal's answers.
    public var depth: ColourDepth?
    /// The glyphs, or nil to detect them from the environment.
    public var glyphs: FaceGlyphs?
    /// The pixel graphics, or nil to use them if the terminal supports them and is local, unless `glyphs` is set.
    public var graphics: FaceGraphics?
    /// The look of the eyes.
    public var style: EyeStyle = .block
    /// The seed of blinks and glances: the same seed gives the same frames.
    public var seed: UInt64 = 1
    /// Frames per second while something moves, 1...60.
    public var framesPerSecond = 30.0
    /// The initial expression.
    public var expression = Expression.normal
    /// Whether mouse clicks are reported.
    public var mouse = true
    /// Steps of 255 that a colour may be off while the face moves.
    public var tolerance = 6
    /// Whether the face only blinks and moves its eyes, without breathing, glances and the motion of moods. A window
    /// without keyboard focus is calm anyway.
    public var calm = false
    /// Whether each frame is sent as one synchronised update (DEC 2026). It is off for terminals that flicker with it.
    public var synchronizes = true

    /// The guess from the environment, or nil for this process's environment.
    var guess: TerminalGuess?

    /// Creates options for the controlling terminal, with everything detected.
    public init() {}
}
