import CMeasure
import Glibc

/// The programs under measurement, and how each is started.
struct Programs {
    let dockface: String
    let peer: String
    /// Where the simulated dock is.
    let link: String

    /// A simulated dock in a process of its own, which offers itself at `link` when this returns.
    func startDock() throws(Failure) -> Child {
        let dock = try Child([dockface, "simulate", "--link", link, "--seconds", "1800"], output: .pipe)
        _ = try dock.line()
        usleep(300_000)  // it boots
        return dock
    }

    /// dockface without a face, with a dock in front of it.
    func headless(feeds: Bool, warmUp: Int, turns: Int) throws(Failure) -> Stand.Result {
        let stand = Stand(port: try Terminal(), dock: try connect())
        defer { close(stand.dock) }
        let child = try Child([dockface, "run", "--headless", "--port", stand.port.path, "--detector", "stdin"])
        defer { child.stop() }
        return try stand.run(child, feeds: feeds, warmUp: warmUp, turns: turns)
    }

    /// dockface with its face in a terminal of 80 x 24 cells that a reader drains.
    func withFace(feeds: Bool, warmUp: Int, turns: Int) throws(Failure) -> Stand.Result {
        let screen = try Terminal()
        let stand = Stand(port: try Terminal(), dock: try connect(), screen: screen)
        defer { close(stand.dock) }
        let child = try Child(
            [dockface, "run", "--port", stand.port.path, "--detector", "stdin"], output: .terminal(screen.path))
        defer { child.stop() }
        return try stand.run(child, feeds: feeds, warmUp: warmUp, turns: turns)
    }

    /// The C program, which needs no dock that answers.
    func yardstick(warmUp: Int, turns: Int) throws(Failure) -> Stand.Result {
        let stand = Stand(port: try Terminal())
        let child = try Child([peer, stand.port.path])
        defer { child.stop() }
        return try stand.run(child, feeds: true, warmUp: warmUp, turns: turns)
    }

    /// Milliseconds from starting dockface to its answer to `status`.
    func firstAnswer() throws(Failure) -> Double {
        let began = measure_now()
        let child = try Child([dockface, "run", "--headless", "--port", link, "--detector", "stdin"], output: .pipe)
        defer { child.stop() }
        _ = "status\n".withCString { write(child.input, $0, 7) }
        var answer = try child.line()
        while !answer.hasPrefix("ok") { answer = try child.line() }
        return Double(measure_now() - began) / 1e6
    }

    private func connect() throws(Failure) -> Int32 {
        let descriptor = measure_pty_client(link)
        guard descriptor >= 0 else { throw .system("the simulated dock's port") }
        return descriptor
    }
}
