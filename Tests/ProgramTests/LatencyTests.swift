import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// `dockface latency` against a running daemon.
    @Suite(.timeLimit(.minutes(10))) struct Latencies {
        /// Runs a verb for the daemon at this socket.
        private func ask(_ socket: String, _ words: String...) throws -> (
            ending: Program.Ending?, output: String, errors: String
        ) {
            let program = try Program(["latency", "--socket", socket] + words)
            let ending = program.end(within: 10)
            return (ending, program.output, program.errors)
        }

        @Test func `the stages of a daemon that follows a person, as a table, as lines and as JSON`() throws {
            let place = TemporaryFile.freePath("latency"), socket = place + "/control.sock"
            defer { _ = system("rm -rf '\(place)'") }
            let daemon = try Program([
                "run", "--headless", "--port", "sim", "--socket", socket, "--detector",
                "scene:\(Place.faces("walking-and-pause")),loop=pingpong",
            ])
            // Following, and a frame has led to a set-point.
            #expect(
                daemon.wait(20) {
                    let json = (try? ask(socket, "--once", "--json").output) ?? ""
                    return json.contains(#""to":"port","why":null"#)
                }, "\(daemon.errors)")
            let (ending, table, errors) = try ask(socket, "--once")
            #expect(ending == .exit(0) && errors.isEmpty, "\(errors)")
            let lines = table.split(separator: "\n").map(String.init)
            #expect(lines.count == 11 && lines[0].hasPrefix("ms") && lines[0].contains("last 256"), "\(table)")
            #expect(lines[1].hasPrefix("exposure -> rectangle") && lines[2].hasPrefix("rectangle -> track"), "\(table)")
            #expect(lines[5].contains("the port is not serial hardware"), "\(table)")
            #expect(lines[10].hasPrefix("times of the frames"), "\(table)")
            // A program that asks for JSON gets one answer, and the verb ends.
            let once = try ask(socket, "--json")
            #expect(once.ending == .exit(0) && once.output.split(separator: "\n").count == 1, "\(once)")
            let stream = try ask(socket, "--interval", "0.2", "--seconds", "0.7").output
            let rows = stream.split(separator: "\n")
            #expect((2...4).contains(rows.count) && rows.allSatisfy { $0.contains("  delivered ") }, "\(stream)")
            #expect(!stream.contains("\u{1B}"))
            // As with other verbs, --json is one object, unless more are asked for.
            let json = try ask(socket, "--json")
            #expect(json.ending == .exit(0) && json.output.split(separator: "\n").count == 1, "\(json.output)")
            let more = try ask(socket, "--json", "--interval", "0.2", "--seconds", "0.7").output
            #expect((2...4).contains(more.split(separator: "\n").count), "\(more)")
            let endless = try Program(["latency", "--socket", socket, "--json", "--follow", "--interval", "0.1"])
            #expect(endless.wait { endless.output.split(separator: "\n").count >= 3 })
            endless.signal(SIGINT)
            #expect(endless.end(within: 10) != nil)
            daemon.signal(SIGTERM)
            #expect(daemon.end(within: 10) == .exit(0))
        }

        @Test func `the error without a daemon says so, and an invalid interval is refused`() throws {
            #expect(try ask("/nowhere/at/all.sock").ending == .exit(69))
            #expect(try ask("/nowhere/at/all.sock", "--interval", "0").ending == .exit(64))
            #expect(try ask("/nowhere/at/all.sock", "--once", "--follow").ending == .exit(64))
        }
    }
}
