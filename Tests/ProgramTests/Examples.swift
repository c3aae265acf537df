import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

/// An example program on the test's own simulated dock.
struct Example {
    let dock: SimulatedDockPort
    let program: Program

    /// The folder of the built examples, from scripts/test or the user, whichever is newest; nil: they are not built.
    static let folder: String? = {
        func built(_ folder: String) -> Int? {
            var status = stat()
            return stat(folder + "/dock-control", &status) == 0 ? status.st_mtim.tv_sec : nil
        }
        if let own = getenv("DOCKFACE_EXAMPLES") { return String(cString: own) }
        let folders = [".build/debug", "Examples/.build/debug"].map(Place.file)
        return folders.filter { built($0) != nil }.max { built($0) ?? 0 < built($1) ?? 0 }
    }()

    /// Starts it, and waits until it has the dock. `settings`: the port and these settings are given to it as
    /// variables; if nil, the port is an argument.
    init(_ name: String, _ arguments: [String] = [], settings: [String: String]? = nil) throws {
        let link = TemporaryFile.freePath("example")
        dock = try SimulatedDockPort(link: link)
        var setup = Program.Setup()
        setup.path = (Self.folder ?? "") + "/" + name
        if let settings { setup.environment = settings.merging(["DOCKFACE_PORT": link]) { $1 } }
        program = try Program((settings == nil ? ["--port", link] : []) + arguments, setup)
        try waitForDock()
    }

    /// Starts it beside a daemon that has the dock, and waits until the program has it, too.
    init(_ name: String, beside daemon: ControlledDaemon) throws {
        dock = daemon.dock
        var setup = Program.Setup()
        setup.path = (Self.folder ?? "") + "/" + name
        setup.environment = ["DOCKFACE_SOCKET": daemon.socket, "DOCKFACE_PORT": daemon.dock.path]
        program = try Program([], setup)
        try waitForDock()
    }

    private func waitForDock() throws {
        guard sees(#"docked "dockface DLP/1 dock""#) else {
            throw Silence(description: "no dock: \(program.errors) \(program.output.suffix(300))")
        }
    }

    /// Waits for a text among the lines since `tell`.
    func sees(_ text: String, within seconds: Double = 10) -> Bool {
        program.wait(seconds) { program.news.contains(text) }
    }

    /// Sends a word and returns its answer, skipping earlier events.
    func tell(_ word: String) -> String {
        program.forget()
        program.tell(word)
        var answer: Substring?
        _ = program.wait {
            let lines = program.news.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            answer = lines.first { $0.hasPrefix("ok ") || $0.hasPrefix("error ") }
            return answer != nil
        }
        return answer.map(String.init) ?? "(no answer to \(word); \(program.errors.suffix(300)))"
    }

    /// How far the head turns, degrees, from before `act` until it is at rest afterwards.
    func turned(by act: () throws -> Void) rethrows -> (pan: Double, tilt: Double) {
        let before = dock.snapshot.pose
        try act()
        _ = eventually { dock.rate.magnitude < .degrees(0.05) }
        return (dock.snapshot.pose - before).degrees
    }
}
