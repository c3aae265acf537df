import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// The verbs other than `run` and `track`.
    @Suite(.timeLimit(.minutes(10))) struct Verbs {
        private func said(_ arguments: [String], _ environment: [String: String] = [:]) throws -> String {
            var setup = Program.Setup()
            setup.hasInput = false
            setup.environment = environment
            let program = try Program(arguments, setup)
            #expect(program.end() == .exit(0), "\(program.errors)")
            return program.output
        }

        @Test func `a misspelt verb gets a suggestion, and no existing one is refused`() throws {
            let rows = try said(["--help"]).split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            let verbs = rows.compactMap { $0.split(separator: " ").first }.filter { $0.first?.isLowercase == true }
            #expect(verbs.count > 35)
            for verb in verbs { _ = try said([String(verb), "--help"]) }
            let wrong = try Program(["statsu"])
            #expect(wrong.end() == .exit(64))
            #expect(wrong.errors.contains("did you mean `dockface status`?"), "\(wrong.errors)")
            let page = try Program(["help", "statsu"])
            #expect(page.end() == .exit(64))
            #expect(page.errors.contains("did you mean `dockface status`?"), "\(page.errors)")
            let option = try Program(["status", "--nope"])
            #expect(option.end() == .exit(64) && option.errors.hasPrefix("dockface: error: "), "\(option.errors)")
        }

        @Test func `a simulated dock on a link is driven like a real one`() throws {
            let link = TemporaryFile.freePath("simulate")
            let dock = try Program(["simulate", "--link", link])
            #expect(dock.wait { dock.output.contains("try it: dockface run --port \(link)\n") }, "\(dock.errors)")
            let second = try Program(["simulate", "--link", link])
            #expect(second.end() == .exit(69) && second.errors.contains("simulates a dock at \(link) already"))
            let program = try Program(["run", "--port", link, "--headless", "--detector", "none", "--mode", "manual"])
            #expect(program.wait { program.errors.contains("dock ready: simulated") }, "\(program.errors)")
            #expect(program.wait(meanwhile: { program.tell("orient 12 -8") }) { program.output.contains("ok moving") })
            #expect(
                program.wait(meanwhile: { program.tell("status") }) {
                    // It has arrived within half a degree; the rest is the dock's noise.
                    program.output.split(separator: "\n").contains { line in
                        (116...124).contains { pan in
                            line.contains("pan +\(pan / 10).\(pan % 10) tilt -7.")
                                || line.contains("pan +\(pan / 10).\(pan % 10) tilt -8.")
                        }
                    }
                })
            let status = dock.ask("status")
            #expect(status.hasPrefix("ok pan 1") && status.contains("deg, rate"), "\(status)")
            #expect(dock.ask("shutter") == "ok shutter")
            #expect(program.wait { program.errors.contains("the dock's shutter button was pressed") })
            #expect(dock.ask("unplug") == "ok unplug")
            #expect(program.wait { program.errors.contains("the dock is gone") })
            #expect(access(link, F_OK) != 0)
            #expect(dock.ask("replug") == "ok replug")
            #expect(program.wait { program.errors.components(of: "dock ready") == 2 }, "\(program.errors)")
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0), "\(program.errors)")
            #expect(dock.wait(meanwhile: { dock.tell("status") }) { dock.output.contains("last frame stop") })
            #expect(dock.ask("dance").hasPrefix("error \"dance\": shutter, flip"))
            dock.signal(SIGTERM)
            #expect(dock.end() == .exit(0))
            var status2 = stat()
            #expect(lstat(link, &status2) != 0, "the link is removed")
        }

        @Test func `every face starts on a terminal and ends with it restored`() throws {
            var number = 1
            while try Program(["face", "\(number)", "--toml"]).end() == .exit(0) {
                let terminal = try Terminal(columns: 60, rows: 20)
                var setup = Program.Setup()
                setup.terminal = terminal
                let program = try Program(["face", "\(number)", "--seconds", "0.1"], setup)
                #expect(program.end() == .exit(0), "face \(number)")
                number += 1
            }
            #expect(number > 21)
        }

        @Test func `a face without a terminal is one picture of that size, without cursor addressing`() throws {
            let picture = try said(["face", "happy", "--size", "40x12", "--seconds", "0"])
            let rows = picture.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            #expect(rows.count == 13 && rows.last?.isEmpty == true, "\(rows.count)")
            for row in rows.dropLast() {
                let screen = TextScreen(Array(row.utf8), columns: 41, rows: 1)
                #expect(screen.bottom.contains(" ") && screen.rows[0][40] == " ")
            }
            #expect(!picture.contains("\u{1b}[H") && !picture.contains("\u{1b}[?"))
            #expect(picture.contains("▀") || picture.contains("▄"))
            let others = picture.split(separator: "\u{1b}").dropFirst().filter { part in
                part.first(where: { $0.isLetter }) != "m"
            }
            #expect(others.isEmpty, "only colours: \(others.prefix(3))")
        }

        @Test func `faces differ, and numbers are names too`() throws {
            let happy = try said(["face", "happy", "--size", "40x12", "--seconds", "0"])
            #expect(try said(["face", "sad", "--size", "40x12", "--seconds", "0"]) != happy)
            #expect(try said(["face", "happy", "--size", "40x12", "--seconds", "0"]) == happy)
            #expect(try !said(["face", "happy", "--size", "40x12"], ["NO_COLOR": "1"]).contains("\u{1b}[38"))
        }

        @Test(.serialized, arguments: [nil, SIGTERM, SIGINT, SIGHUP])
        func `a face on a terminal plays until q or a signal and restores the terminal`(_ number: Int32?) throws {
            let terminal = try Terminal(), settings = terminal.settings
            var setup = Program.Setup()
            setup.terminal = terminal
            setup.hasInput = false
            setup.hasErrors = false
            let program = try Program(["face", "happy", "--colour", "true"], setup)
            #expect(program.wait { program.output.contains("▀") || program.output.contains("▄") })
            #expect(!terminal.isCooked)
            if let number { program.signal(number) } else { program.type("q") }
            #expect(program.end() == .exit(0))
            #expect(terminal.settings == settings)
            // After that nothing is drawn. If a daemon runs here, a plain note about it follows.
            let last = try #require(program.output.ranges(of: "\u{1b}").last)
            #expect(program.output[last.lowerBound...].hasPrefix("\u{1b}[?1049l"))
        }

        @Test func `ports, and the program alone, end well and say what to do next`() throws {
            #expect(try !said(["ports"]).isEmpty)
            let alone = try said([])
            #expect(alone.contains("dockface demo") && alone.contains("dockface --help"))
            #expect(try said(["--help"]).contains("simulate"))
            #expect(try said(["--version"]).hasPrefix("0."))
        }

        @Test func `profiles are listed, shown and checked`() throws {
            let list = try said(["profiles"])
            #expect(list.contains("dlp-dock ") && list.contains("dlp-dock-hobby ") && list.contains("not verified"))
            let shown = try said(["profiles", "show", "dlp-dock"])
            #expect(shown.contains("driver: dlp") && shown.contains("pan.soft_margin"), "\(shown)")
            // What it shows with --toml is a complete profile.
            let file = try TemporaryFile(try said(["profiles", "show", "dlp-dock", "--toml"]), ".toml")
            #expect(try said(["profiles", "check", file.path]).contains(": ok, dockface DLP/1 dock"))
            func values(_ name: String) throws -> [Substring] {
                try said(["profiles", "show", name, "--toml"]).split(separator: "\n").filter { !$0.hasPrefix("#") }
            }
            #expect(try values(file.path) == values("dlp-dock"))
            #expect(try said(["profiles", "check", Place.file("profiles/dlp-dock.toml")]).contains(": ok, "))
        }

        @Test func `a broken profile is reported with line, column and a suggestion, status 78`() throws {
            let file = try TemporaryFile(
                "name = \"x\"\ndriver = \"dpl\"\n[pan]\nmin = -10\nmax = 10\nmax_speed = \"fast\"\nmax_acceleration = 9\n"
                    + "[tilt]\nmin = -10\nmax = 10\n  lag_msec = 3\nmax_speed = 5\nmax_acceleration = 9\n", ".toml")
            let program = try Program(["profiles", "check", file.path])
            #expect(program.end() == .exit(78))
            let said = program.output + program.errors
            #expect(said.contains("\(file.path):2:1: there is no driver \"dpl\"; did you mean \"dlp\"?"), "\(said)")
            #expect(said.contains("\(file.path):6:1: \"pan.max_speed\" is wrong: expected a number from"), "\(said)")
            #expect(
                said.contains("\(file.path):11:3: \"tilt.lag_msec\" is unknown; did you mean \"lag_ms\"?"), "\(said)")
            let noToml = try TemporaryFile("name = \"x\"\nmin = = 3\n", ".toml")
            let second = try Program(["profiles", "check", noToml.path])
            #expect(second.end() == .exit(78))
            #expect((second.output + second.errors).contains("\(noToml.path):2:"), "\(second.output)")
        }
    }
}
