import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// Command words over standard input: their answers.
    @Suite(.timeLimit(.minutes(10))) struct Words {
        /// A daemon that has just seen a face of (0.60, 0.40, 0.10, 0.20) in a frame of 640 x 480, and does not move.
        private func seeing() throws -> Daemon {
            let daemon = try Daemon(["--headless", "--detector", "stdin", "--mode", "manual"])
            daemon.program.tell(#"{"type":"hello","v":1,"image":{"w":640,"h":480}}"#)
            var frames = 0
            daemon.program.wait(meanwhile: {
                daemon.program.tell(Daemon.face); frames += 1
            }) { frames > 6 }
            return daemon
        }

        @Test func `a tap on a face answers with its id, a tap elsewhere that no person is there`() throws {
            let daemon = try seeing()
            defer { daemon.dock.close() }
            let answer = daemon.program.ask("tap 0.65 0.5")
            #expect(answer.hasPrefix("ok subject ") && Int(answer.dropFirst(11)) != nil, "\(answer)")
            #expect(
                daemon.program.ask("tap 0.1 0.1").hasPrefix(
                    "error noSubjectFound: no face at that point: tap on a face")
            )
            #expect(daemon.program.ask("0.62 0.45") == answer, "two bare numbers are a tap")
            #expect(daemon.program.ask("tap 416px 240px") == answer)
            #expect(daemon.program.ask("select \(answer.dropFirst(11))") == "ok subjects \(answer.dropFirst(11))")
            #expect(
                daemon.program.ask("select 999").hasPrefix(
                    "error noSubjectFound: no such subject: the subjects in view are"))
            #expect(daemon.program.ask("tap off") == "ok automatic")
            #expect(daemon.neverMoved)
        }

        @Test func `pixels need a frame size`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            #expect(
                daemon.program.ask("tap 416px 240px").hasPrefix("error the image size is not known yet: give 0...1")
            )
        }

        static let lines = [
            ("tpa 0.4 0.6", "error unknown command \"tpa\": did you mean `tap`?"),
            ("xyzzy", "error unknown command \"xyzzy\": type `help`"),
            ("tap 0.4", "error Y is missing: type: tap X Y"),
            ("tap 1.4 0.5", "error X must be between 0 and 1: or give pixels"),
            ("-0.4 0.5", "error X must be between 0 and 1"),
            ("tap 0.4 0.6 0.8", "error unexpected argument \"0.8\": type: tap X Y"),
            ("mode manul", "error unknown mode \"manul\": did you mean `manual`?"),
            ("face hapy", "error there is no face \"hapy\": did you mean `face happy`?"),
            ("animate yess", "error there is no motion \"yess\": did you mean `yes`?"),
            ("orient 20", "error TILT is missing: type: orient PAN TILT"),
            ("orient -20 -5", "error mode system owns the dock: type `mode manual` first"),
            ("velocity nan 0", "error PAN is not a number: \"nan\""),
            ("velocity 10 0 for 1000", "error S must be above 0 and at most 60"),
            ("speed 0", "error PERCENT must be above 0 and at most 100"),
            ("torque", "error on or off?: type: torque on|off"),
            ("region 0.5 0.5 0.9 0.9", "error the region must lie inside the frame"),
            ("clear", "ok nothing is latched"),
            ("framing left", "ok framing left"),
            ("face next", "ok face "),
            ("faces", "error unknown command \"faces\": did you mean `face`?"),
            ("status --why", "ok mode system, dock ready"),
        ]

        @Test func `every word is answered, a wrong one with what to type`() throws {
            let daemon = try Daemon(["--headless", "--detector", "none"])
            defer { daemon.dock.close() }
            for (line, answer) in Self.lines {
                let said = daemon.program.ask(line)
                #expect(said.hasPrefix(answer), "\(line): \(said)")
            }
            #expect(daemon.program.ask("help") == "ok help")
            #expect(daemon.program.wait { daemon.program.news.contains("orient PAN TILT") })
            #expect(daemon.neverMoved)
        }

        @Test(arguments: ["none", "stdin"])
        func `lines are answered in order, each with its tag, with or without a detector`(detector: String) throws {
            let daemon = try Daemon(["--headless", "--detector", detector])
            defer { daemon.dock.close() }
            try daemon.waitForPose()
            daemon.program.forget()
            let lines = [
                "#1 mode manual", "#2 status", "#3 orient 1 1", "#4 face happy", "tap 0.1 0.1", "#5 torque off",
                "#6 status", "#nope! status", "#8 help",
            ]
            let answers = [
                "#1 ok mode manual", "#2 ok mode manual, ", "#3 ", "#4 ok face happy", "error noSubjectFound", "#5 ",
                "#6 ok mode manual, ", "error \"#nope!\" is not a tag: a tag is # and up to 32 letters",
                "#8 ok help",
            ]
            daemon.program.write(Array((lines.joined(separator: "\n") + "\n").utf8))
            #expect(daemon.program.wait { daemon.program.news.contains("#8 ok help") }, "\(daemon.program.news)")
            let said = daemon.program.news.split(separator: "\n").prefix(answers.count).map(String.init)
            for (said, answer) in zip(said, answers) { #expect(said.hasPrefix(answer), "\(said)") }
        }

        @Test(arguments: ["none", "stdin"])
        func `a stop is carried out once, before everything that waits, and answered in its place`(
            detector: String
        ) throws {
            let daemon = try Daemon(["--headless", "--detector", detector, "--mode", "manual"])
            defer { daemon.dock.close() }
            try daemon.waitForPose()
            #expect(daemon.program.ask("velocity 30 0 for 60").hasPrefix("ok"))
            #expect(daemon.program.wait { daemon.dock.rate.magnitude > .degrees(25) })
            daemon.program.forget()
            // More than a pipe holds: it is read as it is written. The output cannot hold so many answers: some are
            // lost.
            let lines = [String](repeating: "help", count: 3000) + ["stop"]
            daemon.program.write(Array((lines.joined(separator: "\n") + "\n").utf8), within: 20)
            let written = monotonicNow()
            #expect(daemon.program.wait(5) { daemon.dock.rate.magnitude < .degrees(0.5) })
            // The last line is read at once; the head brakes in 0.1 s.
            #expect(monotonicNow() - written < 0.45, "\(monotonicNow() - written) s")
            // Until all of that is answered.
            var size = 0, since = monotonicNow()
            #expect(
                daemon.program.wait(40) {
                    if daemon.program.outputBytes.count != size { since = monotonicNow() }
                    size = daemon.program.outputBytes.count
                    return monotonicNow() - since > 0.7
                })
            daemon.program.forget()
            let answers = ["status", "velocity 20 0 for 60", "stop", "face happy"]
            daemon.program.write(Array((answers.joined(separator: "\n") + "\n").utf8))
            #expect(daemon.program.wait { daemon.program.news.split(separator: "\n").count == answers.count })
            let said = daemon.program.news.split(separator: "\n").map(String.init)
            let begins = ["ok mode manual", "error a stop came first", "ok stopped", "ok face happy"]
            #expect(said.count == 4 && zip(said, begins).allSatisfy { $0.hasPrefix($1) }, "\(said)")
            let moment = monotonicNow()
            #expect(eventually(2) { monotonicNow() > moment + 0.5 })
            #expect(daemon.dock.rate.magnitude < .degrees(0.5), "nothing began after it")
        }
    }
}
