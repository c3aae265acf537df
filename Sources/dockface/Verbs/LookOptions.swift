public import ArgumentParser
import Glibc
public import RobotFace

/// How the face is shown; shared by the verbs that show it.
struct LookOptions: ParsableArguments {
    @Option(help: "Look of the eyes: block or bar.")
    var style = EyeStyle.block

    @Option(help: "Glyphs: blocks, half or ascii; default: what the terminal can. See: dockface face --test-card.")
    var painter: FaceGlyphs?

    @Option(help: "Colours: true, 256, 16 or mono; default: what the terminal can.")
    var colour: ColourDepth?

    @Flag(help: "A face that only blinks and looks: no breath, no glances, no motion of moods.")
    var calm = false

    @Flag(name: .customLong("no-sync"), help: "No synchronized updates, for terminals that flicker with them.")
    var noSync = false

    @Option(help: "Seed of blinks, glances and random faces.")
    var seed: UInt64 = 1
}

extension FaceGlyphs: ExpressibleByArgument {}

extension ColourDepth: ExpressibleByArgument {
    /// From the words of the command line.
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

/// Whether a descriptor is a terminal.
func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
