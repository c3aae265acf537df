public import ArgumentParser
import Glibc
public import RobotFace

/// Options for the look of the face, shared by the verbs that show it.
struct LookOptions: ParsableArguments {
    @Option(help: "Look of the eyes: block or bar.")
    var style = EyeStyle.block

    @Option(
        help:
            "Draw with blocks, half, ascii, sixel or kitty. Default: what the terminal supports. See: dockface face --test-card."
    )
    var painter: PainterChoice?

    @Option(help: "Colours: true, 256, 16 or mono. Default: what the terminal supports.")
    var colour: ColourDepth?

    @Flag(
        inversion: .prefixedNo, help: "Only blink and look: no breathing, no glances, no motion of moods.")
    var calm = false

    @Flag(inversion: .prefixedNo, help: "Use synchronised updates; some terminals flicker with them.")
    var sync = true

    @Option(help: "Seed of blinks, glances and random faces.")
    var seed: UInt64 = 1
}

/// Glyphs or pixels.
enum PainterChoice: String, ExpressibleByArgument, CaseIterable {
    case blocks, half, ascii, sixel, kitty

    var glyphs: FaceGlyphs? { FaceGlyphs(rawValue: rawValue) }
    var graphics: FaceGraphics? { FaceGraphics(rawValue: rawValue) }
}

extension ColourDepth: ExpressibleByArgument {
    /// Parses the words of the command line.
    public init?(argument: String) {
        switch argument {
        case "true", "truecolor", "24bit": self = .trueColour
        case "256": self = .palette256
        case "16": self = .palette16
        case "mono", "none": self = .mono
        default: return nil
        }
    }

    /// The words of the command line.
    public static var allValueStrings: [String] { ["true", "256", "16", "mono"] }
}
