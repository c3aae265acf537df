import Foundation
import TestSupport
import Testing

extension ProgramTests {
    /// `dockface plot` from outside.
    @Suite(.timeLimit(.minutes(10))) struct Plots {
        /// A head that swings, and a person in the centre of its image.
        private func trace(rig: String = "dockface DLP/1 dock") throws -> TemporaryFile {
            var text = #"{"t":100,"k":"trace","v":1,"rig":"\#(rig)","driver":"dlp","cause":"asked"}"# + "\n"
            for step in 0..<1500 {
                let time = 100 + 0.02 * Double(step), pan = 0.3 * sin(0.8 * (time - 100))
                text +=
                    #"{"t":\#(time),"k":"pose","at":\#(time),"pan":\#(pan),"tilt":0.1,"panRate":0,"tiltRate":0}"# + "\n"
                text +=
                    #"{"t":\#(time),"k":"set","pan":\#(pan * 0.8),"tilt":0,"owner":"tracking","reason":"moving"}"#
                    + "\n"
                guard step % 2 == 0, step > 2 else { continue }
                text +=
                    #"{"t":\#(time),"k":"rect","exposure":\#(time - 0.04),"subjects":[{"id":1,"rect":[0.45,0.35,0.1,0.2],"followed":true}]}"#
                    + "\n"
            }
            text += #"{"t":130,"k":"state","dock":"faulted","cause":"stall","mode":"manual"}"# + "\n"
            return try TemporaryFile(text, ".jsonl")
        }

        private func run(_ arguments: [String]) throws -> Program {
            var setup = Program.Setup()
            setup.hasInput = false
            return try Program(["plot"] + arguments, setup)
        }

        @Test func `a trace is drawn with target, head, error and commands`() throws {
            let file = try trace(), program = try run([file.path, "-o", "-", "--title", "a < b"])
            #expect(program.end() == .exit(0) && program.errors.isEmpty, "\(program.errors)")
            let svg = program.output
            #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") && svg.utf8.count < 150_000)
            for words in ["a &lt; b", ">target<", ">head<", "pan: target less head, degrees", ">30 s<", "fault: stall"]
            {
                #expect(svg.contains(words), "\(words)")
            }
            #expect(!svg.contains("tilt"))
            #expect(try run([file.path, "-o", "-", "--title", "a < b"]).end() == .exit(0))
        }

        @Test func `several traces are overlaid, on both axes, and the output is as requested`() throws {
            let one = try trace(), other = try trace()
            let path = TemporaryFile.freePath("plot") + ".svg"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let program = try run([
                one.path, other.path, "--label", "before", "--label", "after", "--axis", "both", "--from", "5", "--to",
                "10", "-o", path,
            ])
            #expect(program.end() == .exit(0) && program.output.isEmpty, "\(program.errors)")
            let svg = try String(contentsOfFile: path, encoding: .utf8)
            for words in [">before<", ">after<", "tilt, degrees", "pan, degrees", ">10.0 s<"] {
                #expect(svg.contains(words), "\(words)")
            }
            #expect(!svg.contains("fault") && svg.components(separatedBy: "clipPath id").count == 7)
        }

        @Test func `if the camera is unknown, charts that need it are left out, with a message`() throws {
            let file = try trace(rig: "something else")
            let program = try run([file.path, "-o", "-"])
            #expect(program.end() == .exit(0))
            #expect(program.errors.contains("\"something else\"") && program.errors.contains("--profile"))
            #expect(program.output.contains("the camera is unknown") && !program.output.contains(">target<"))
            let named = try run([file.path, "-o", "-", "--profile", "dlp-dock"])
            #expect(named.end() == .exit(0) && named.errors.isEmpty && named.output.contains(">target<"))
        }

        @Test func `an invalid trace, or a time outside it, is refused, and the error says what to do`() throws {
            let file = try TemporaryFile("hello\n", ".jsonl"), good = try trace()
            let program = try run([file.path, "-o", "-"])
            #expect(program.end() == .exit(65) && program.output.isEmpty)
            #expect(program.errors.contains("\(file.path):1: not a line of a trace"), "\(program.errors)")
            let late = try run([good.path, "-o", "-", "--from", "99"])
            #expect(late.end() == .exit(65) && late.errors.contains("the trace ends after 30"), "\(late.errors)")
            for wrong in [["--from", "3", "--to", "2"], ["--label", "a", "--label", "b"], ["--axis", "roll"]] {
                #expect(try run([good.path, "-o", "-"] + wrong).end() == .exit(64), "\(wrong)")
            }
        }

        @Test func `a recording is run again with a change, and drawn next to the original`() throws {
            let file = try trace(), path = TemporaryFile.freePath("what-if") + ".jsonl"
            defer { try? FileManager.default.removeItem(atPath: path) }
            func replay(_ arguments: [String]) throws -> Program { try Program(["replay", file.path] + arguments) }
            let program = try replay(["--what-if", "controller=p,latency=+40ms", "--output", path])
            #expect(program.end() == .exit(0) && program.errors.isEmpty, "\(program.errors)")
            for words in ["recorded", "as it is", "what if", "error, degrees rms", "set-points per second"] {
                #expect(program.output.contains(words), "\(program.output)")
            }
            let drawn = try run([file.path, path, "--label", "recorded", "--label", "P", "-o", "-"])
            #expect(drawn.end() == .exit(0) && drawn.errors.isEmpty && drawn.output.contains(">P<"), "\(drawn.errors)")
            let report = try replay(["--what-if", "fps=10", "--json"])
            #expect(report.end() == .exit(0))
            #expect(report.output.hasPrefix(#"{"asItIs":{"#) && report.output.contains(#""whatIf":"fps=10""#))
            let first = try replay(["--what-if", "fps=10", "--output", "-"])
            let again = try replay(["--what-if", "fps=10", "--output", "-"])
            #expect(first.end() == .exit(0) && again.end() == .exit(0))
            #expect(first.output == again.output && first.output.hasPrefix(#"{"t":100,"k":"trace""#))
        }

        @Test func `an invalid change, and a trace that cannot be run, are refused`() throws {
            let file = try trace(), strange = try trace(rig: "something else")
            let cases: [(arguments: [String], status: Int32, says: String)] = [
                ([file.path, "--what-if", "speed=3"], 64, "controller= ours, p, pid"),
                ([file.path, "--what-if", "fps=3", "--speed", "2"], 64, "cannot be combined"),
                ([file.path, "--output", "-"], 64, "need --what-if"),
                ([file.path, "--what-if", "fps=3", "--from", "50"], 65, "check --from and --to"),
                ([strange.path, "--what-if", "fps=3"], 78, "name the profile with --profile"),
            ]
            for one in cases {
                let program = try Program(["replay"] + one.arguments)
                #expect(program.end() == .exit(one.status), "\(one.arguments)")
                #expect(program.errors.contains(one.says) && program.output.isEmpty, "\(program.errors)")
            }
        }
    }
}
