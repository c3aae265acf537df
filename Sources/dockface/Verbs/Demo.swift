import ArgumentParser
import DockControl
import Glibc

/// `dockface demo`: the main function without hardware. It is `dockface run` with other words, which `DemoWords`
/// inserts before anything is read.
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Demonstrate dockface without hardware: a simulated dock follows two people in a staged scene, with the face in this terminal.",
        usage: "dockface demo [--find[=THING]] [--seconds N] [--summary] [other options of dockface run]",
        discussion: """
            On a terminal, two people visit the robot: they walk about, and a simulated camera on the head sees them. The plan in the \
            corner shows the head from above. ? shows the keys and q quits. Elsewhere, or with --summary, the demo follows two \
            recorded people for ten seconds without a face and prints one JSON line.

            With --find, the robot searches for a cup (or the THING: dog, apple, motorcycle) in a recorded room, shows what it takes for \
            what, remembers the place, looks away and looks back. The demo ends by itself. It needs the extension find.
            """)

    @Argument(parsing: .captureForPassthrough, help: "Options of dockface run.")
    var options: [String] = []

    func run() throws { throw CleanExit.helpRequest(self) }
}

/// Translates the demo to words of `dockface run`.
enum DemoWords {
    /// Returns the program's words, with the demo's options inserted.
    static func expanded(_ words: [String]) -> [String] {
        guard words.first == "demo", !words.contains(where: ["--help", "-h", "--version"].contains) else {
            return words
        }
        let typed = Array(words.dropFirst().filter { !isFind($0) })
        func isTyped(_ option: String) -> Bool { typed.contains { $0 == option || $0.hasPrefix(option + "=") } }
        var added = ["--config=none"]
        if !isTyped("--port") { added.append("--port=sim") }
        let hasOwnEyes = isTyped("--detector") || isTyped("--camera")
        if let find = words.last(where: isFind) {
            let thing = find.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init) ?? usualThing
            added += ["--find-story=\(thing)", "--staged", "--mode=manual", "--greeting=off"]
            if !hasOwnEyes { added.append("--detector=room:room-c") }
            if !isTyped("--seconds") { added.append("--seconds=\(longest)") }
            let isQuiet = isatty(1) == 0 || isTyped("--summary") || isTyped("--headless")
            if isQuiet, !isTyped("--headless"), !isTyped("--no-headless") { added.append("--headless") }
            if isQuiet, !isTyped("--summary") { added.append("--summary") }
        } else if isatty(1) == 0 || isTyped("--summary") || isTyped("--headless") {
            // Two people stay in view, so that every frame counts.
            if !hasOwnEyes { added.append("--detector=scene:two-people,loop=pingpong") }
            if !isTyped("--headless"), !isTyped("--no-headless") { added.append("--headless") }
            if !isTyped("--summary") { added.append("--summary") }
            if !isTyped("--seconds") { added.append("--seconds=10") }
        } else if !hasOwnEyes {
            added += ["--detector=scene:visit,loop=again", "--staged"]
        }
        return ["run"] + added + typed
    }

    private static func isFind(_ word: String) -> Bool { word == "--find" || word.hasPrefix("--find=") }

    /// What is searched unless another thing is named. The room has three.
    private static let usualThing = "cup"
    /// When a search demo ends at the latest, in seconds. It ends by itself before.
    private static let longest = 150
}
