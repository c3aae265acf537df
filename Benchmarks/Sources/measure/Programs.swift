import CMeasure
import Glibc

/// The programs under measurement and their command lines.
struct Programs {
    let dockface: String
    /// The folder of the C programs.
    let peers: String
    /// Path of the simulated dock.
    let link: String
    /// A rig whose camera does not turn with it, because the people in the lines do not react to the head's motion.
    let profile: String

    /// Starts a simulated dock in a separate process and returns once it is available at `link`. Every run uses a new
    /// one, because a dock keeps the settings of its last host.
    private func startDock() throws(Failure) -> Child {
        let dock = try Child([dockface, "simulate", "--link", link, "--seconds", "600"], output: .pipe)
        _ = try dock.line()
        usleep(300_000)  // time to boot
        return dock
    }

    /// Measures dockface with a dock, without a face or with one in a terminal of 80 x 24 cells that a reader drains.
    func dockface(
        face: Bool = false, feeds: Bool, beat: Beat = Beat(), warmUp: Int, turns: Int
    ) throws(Failure) -> Stand.Result {
        let dock = try startDock(), port = try Terminal(), screen = face ? try Terminal() : nil
        defer { dock.stop() }
        let stand = Stand(beat: beat, port: port, dock: measure_pty_client(link), screen: screen)
        guard stand.dock >= 0 else { throw .system("the simulated dock's port") }
        defer { close(stand.dock) }
        var words = [dockface, "run", "--port", port.path, "--detector", "stdin", "--profile", profile]
        if !face { words.append("--headless") }
        let child = try Child(words, output: screen.map { .terminal($0.path) } ?? .nothing)
        defer { child.stop() }
        return try stand.run(child, feeds: feeds, warmUp: warmUp, turns: turns)
    }

    /// Measures the C program, which needs no answering dock.
    func yardstick(beat: Beat = Beat(), warmUp: Int, turns: Int) throws(Failure) -> Stand.Result {
        let stand = Stand(beat: beat, port: try Terminal())
        let child = try Child([peers + "/read_scan_write", stand.port.path])
        defer { child.stop() }
        return try stand.run(child, feeds: true, warmUp: warmUp, turns: turns)
    }

    /// Measures the C program that is woken at this rate (1/s) and does nothing. It shows the machine's cost of waking.
    func woken(_ rate: Double, warmUp: Int, turns: Int) throws(Failure) -> Stand.Result {
        let child = try Child([peers + "/wake", rate.text(1)])
        defer { child.stop() }
        return try Stand(port: try Terminal()).run(child, feeds: false, warmUp: warmUp, turns: turns)
    }

    /// Milliseconds from the start of dockface to its answer to `status`, for `count` runs.
    func firstAnswers(_ count: Int) throws(Failure) -> [Double] {
        let dock = try startDock()
        defer { dock.stop() }
        var times: [Double] = []
        for _ in 0..<count { times.append(try firstAnswer()) }
        return times
    }

    private func firstAnswer() throws(Failure) -> Double {
        let began = measure_now()
        let child = try Child([dockface, "run", "--headless", "--port", link, "--detector", "stdin"], output: .pipe)
        defer { child.stop() }
        _ = "status\n".withCString { write(child.input, $0, 7) }
        var answer = try child.line()
        while !answer.hasPrefix("ok") { answer = try child.line() }
        return Double(measure_now() - began) / 1e6
    }
}
