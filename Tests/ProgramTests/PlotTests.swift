import Foundation
import TestSupport
import Testing

extension ProgramTests {
    /// `dockface plot` from outside.
    @Suite(.timeLimit(.minutes(1))) struct Plots {
        /// A head that swings, and somebody in the middle of its picture.
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

        @Test func `several traces lie over each other, on both axes, and the file is as it was said`() throws {
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

        @Test func `where nobody knows the camera, what needs it is left out and said`() throws {
            let file = try trace(rig: "something else")
            let program = try run([file.path, "-o", "-"])
            #expect(program.end() == .exit(0))
            #expect(program.errors.contains("\"something else\"") && program.errors.contains("--profile"))
            #expect(program.output.contains("the camera is not known") && !program.output.contains(">target<"))
            let named = try run([file.path, "-o", "-", "--profile", "dlp-dock"])
            #expect(named.end() == .exit(0) && named.errors.isEmpty && named.output.contains(">target<"))
        }

        @Test func `what is no trace, or not in it, is refused with what to do`() throws {
            let file = try TemporaryFile("hello\n", ".jsonl"), good = try trace()
            let program = try run([file.path, "-o", "-"])
            #expect(program.end() == .exit(65) && program.output.isEmpty)
            #expect(program.errors.contains("\(file.path):1: no line of a trace"), "\(program.errors)")
            let late = try run([good.path, "-o", "-", "--from", "99"])
            #expect(late.end() == .exit(65) && late.errors.contains("the trace ends after 30"), "\(late.errors)")
            for wrong in [["--from", "3", "--to", "2"], ["--label", "a", "--label", "b"], ["--axis", "roll"]] {
                #expect(try run([good.path, "-o", "-"] + wrong).end() == .exit(64), "\(wrong)")
            }
        }
    }
}
