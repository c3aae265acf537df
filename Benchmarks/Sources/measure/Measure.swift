import Glibc

/// Measures dockface and a C program and prints a table.
/// Usage: measure DOCKFACE PEERS DIRECTORY [--quick] [--unpunctual]
@main
struct Measure {
    /// Turns of 1/30 s before the measurement starts: time for the handshake and to find the face.
    static let warmUp = 60

    static func main() {
        let words = CommandLine.arguments
        guard words.count >= 4 else { return end("usage: measure DOCKFACE PEERS DIRECTORY [--quick] [--unpunctual]") }
        signal(SIGPIPE, SIG_IGN)
        setenv("TERM", "xterm-256color", 1)
        setenv("COLORTERM", "truecolor", 1)
        let programs = Programs(
            dockface: words[1], peers: words[2], link: words[3] + "/dock",
            profile: words[3] + "/fixed-camera.toml")
        do throws(Failure) {
            let isQuick = words.contains("--quick")
            if words.contains("--unpunctual") {
                try measureUnpunctual(programs, isQuick: isQuick)
            } else {
                try measure(programs, isQuick: isQuick)
            }
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
        report.late = try programs.dockface(feeds: true, beat: Beat(late: 6_000_000), warmUp: warmUp, turns: turns)
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

    /// Prints how long lines wait that come before or after their beat.
    private static func measureUnpunctual(_ programs: Programs, isQuick: Bool) throws(Failure) {
        let turns = isQuick ? 150 : 600
        print("| frames/s | off the beat | dockface p50, p75, p99 | C program p50, p75, p99 |")
        print("| --- | --- | --- | --- |")
        for rate in [15.0, 25, 30] {
            for spread in [0, 1, 2, 4] {
                let beat = Beat(rate: rate, spread: Int64(spread) * 1_000_000)
                say("\(Int(rate)) frames/s, +-\(spread) ms")
                let mine = try programs.dockface(feeds: true, beat: beat, warmUp: warmUp, turns: turns)
                let its = try programs.yardstick(beat: beat, warmUp: warmUp, turns: turns)
                guard mine.latencies.count > turns / 2, its.latencies.count > turns / 2 else {
                    throw Failure("too few set-points")
                }
                print("| \(Int(rate)) | +-\(spread) ms | \(figures(mine)) | \(figures(its)) |")
            }
        }
    }

    private static func figures(_ result: Stand.Result) -> String {
        let times = Percentiles(result.latencies)
        return [0.5, 0.75, 0.99].map { (times.at($0) / 1000).text(2) }.joined(separator: ", ") + " ms"
    }

    /// Prints on standard error.
    private static func say(_ text: String) { _ = "measure: \(text)\n".withCString { write(2, $0, strlen($0)) } }
}
