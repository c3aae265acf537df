import Glibc

/// Measures dockface and a C program and prints a table. Usage: measure DOCKFACE PEERS DIRECTORY [--quick]
@main
struct Measure {
    /// Turns of 1/30 s before the measurement starts: time for the handshake and to find the face.
    static let warmUp = 60

    static func main() {
        let words = CommandLine.arguments
        guard words.count >= 4 else { return end("usage: measure DOCKFACE PEERS DIRECTORY [--quick]") }
        signal(SIGPIPE, SIG_IGN)
        setenv("TERM", "xterm-256color", 1)
        setenv("COLORTERM", "truecolor", 1)
        let programs = Programs(
            dockface: words[1], peers: words[2], link: words[3] + "/dock",
            profile: words[3] + "/fixed-camera.toml")
        do throws(Failure) {
            try measure(programs, isQuick: words.contains("--quick"))
        } catch {
            end("\(error)")
        }
    }

    private static func end(_ reason: String) {
        say(reason)
        exit(1)
    }

    private static func measure(_ programs: Programs, isQuick: Bool) throws(Failure) {
        let rounds = isQuick ? 2 : 4, turns = isQuick ? 90 : 300, still = isQuick ? 150 : 750, starts = isQuick ? 5 : 20
        var report = Report()
        for round in 1...rounds {
            say("round \(round) of \(rounds)")
            report.rounds.append(
                (
                    try programs.dockface(feeds: true, warmUp: warmUp, turns: turns),
                    try programs.yardstick(warmUp: warmUp, turns: turns)
                ))
        }
        say("late lines")
        report.late = try programs.dockface(feeds: true, lateness: 6_000_000, warmUp: warmUp, turns: turns)
        say("idle")
        report.idle = try programs.dockface(feeds: false, warmUp: warmUp, turns: still)
        report.idlePeer = try programs.woken(report.idle.sleeps, warmUp: warmUp, turns: still)
        say("face")
        report.face = try programs.dockface(face: true, feeds: true, warmUp: warmUp, turns: still)
        report.idleFace = try programs.dockface(face: true, feeds: false, warmUp: warmUp, turns: still)
        say("start")
        report.starts = try programs.firstAnswers(starts)
        try report.check(turns: turns)
        print(report.table)
    }

    /// Prints on standard error.
    private static func say(_ text: String) { _ = "measure: \(text)\n".withCString { write(2, $0, strlen($0)) } }
}
