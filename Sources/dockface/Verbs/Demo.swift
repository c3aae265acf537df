import ArgumentParser
import DockControl
import Glibc

/// `dockface demo`: the main job without hardware. It is `dockface run` with other words, which `DemoWords` inserts before
/// anything is read.
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Demonstrate dockface without hardware: a simulated dock follows recorded people, with the face in this terminal.",
        usage: "dockface demo [--seconds N] [--summary] [other options of dockface run]",
        discussion: """
            The rectangles are of two real people, seen through a simulated camera that turns with the head. On a terminal, ? shows \
            the keys and q quits. Elsewhere, or with --summary, the demo runs for ten seconds without a face and prints one JSON line.
            """)

    @Argument(parsing: .captureForPassthrough, help: "Options of dockface run.")
    var options: [String] = []

    func run() throws { throw CleanExit.helpRequest(self) }
}

/// Translates the demo to words of `dockface run`.
enum DemoWords {
    /// Returns the program's words, with the demo's options inserted.
    /// - Throws: an exit if the recording is not found.
    static func expanded(_ words: [String]) throws -> [String] {
        guard words.first == "demo", !words.contains(where: ["--help", "-h", "--version"].contains) else {
            return words
        }
        let typed = Array(words.dropFirst())
        func isTyped(_ option: String) -> Bool { typed.contains { $0 == option || $0.hasPrefix(option + "=") } }
        var added = ["--config=none"]
        if !isTyped("--port") { added.append("--port=sim") }
        if !isTyped("--detector"), !isTyped("--camera") {
            added.append("--detector=scene:\(try recording()),loop=pingpong")
        }
        if isatty(1) == 0 || isTyped("--summary") {
            if !isTyped("--headless"), !isTyped("--no-headless") { added.append("--headless") }
            if !isTyped("--summary") { added.append("--summary") }
            if !isTyped("--seconds") { added.append("--seconds=10") }
        }
        return ["run"] + added + typed
    }

    /// Finds the recording near the program: in an installation, or in a checkout with the program some folders below.
    private static func recording() throws -> String {
        var places = ["Examples/faces"]
        if let program = realPath(of: "/proc/self/exe") {
            var folders = program.split(separator: "/").dropLast()
            while !folders.isEmpty {
                let folder = "/" + folders.joined(separator: "/")
                places += [folder + "/share/dockface/faces", folder + "/Examples/faces"]
                folders = folders.dropLast()
            }
        }
        for place in places where access("\(place)/two-people.jsonl", R_OK) == 0 { return "\(place)/two-people.jsonl" }
        throw fail(
            "the recording two-people.jsonl was not found: run dockface in a clone of the project, or install the package",
            status: 69)
    }
}
