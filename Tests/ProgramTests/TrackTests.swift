import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// `dockface track` as a filter between two programs.
    @Suite(.timeLimit(.minutes(10))) struct Track {
        /// The lines of a recording: hello, frames, bye.
        private func recording(_ name: String) throws -> [String] {
            let text = try #require(TemporaryFile.text(of: Place.faces(name)))
            return text.split(separator: "\n").map(String.init)
        }

        /// The ids of a line's subjects.
        private func ids(_ line: String) -> [String] {
            line.split(separator: "{").compactMap { part -> String? in
                guard let found = part.firstRange(of: #""id":"#) else { return nil }
                return String(part.suffix(from: found.upperBound).prefix { $0.isNumber })
            }
        }

        @Test func `bad lines are counted at the end`() throws {
            let program = try Program(["track"])
            for line in ["{bad", #"{"faces":[{"rect":[0.4,0.2,0.1,0.2]}]}"#, "{worse", "{worst"] { program.tell(line) }
            program.closeInput()
            #expect(program.end() == .exit(0))
            #expect(program.errors.contains("warning: line 1: "), "\(program.errors)")
            #expect(program.errors.contains("3 of 4 lines were skipped"), "\(program.errors)")
        }

        @Test func `every frame gives one line at once, with the two people's own ids`() throws {
            let program = try Program(["track"])
            var seen: Set<String> = [], frames = 0
            for line in try recording("two-people") {
                program.tell(line)
                guard line.contains(#""frame""#) else { continue }
                // The next frame is written only when the answer to this one has arrived.
                let answer = try #require(program.line(), "\(line)")
                frames += 1
                #expect(
                    answer.hasPrefix(#"{"type":"tracking","seq":\#(frames - 1),"#) && answer.hasSuffix("]}"),
                    "\(answer)")
                let here = ids(answer)
                seen.formUnion(here)
                if frames > 5 { #expect(here.count == 2, "\(answer)") }
            }
            #expect(frames == 56 && seen.count == 2, "\(seen)")
            program.closeInput()
            #expect(program.end() == .exit(0))
            #expect(program.news.isEmpty && program.errors.isEmpty, "\(program.news) \(program.errors)")
        }

        @Test(.serialized, arguments: [("0.19,0.4", true), ("0.75,0.36", false)])
        func `the selected subject is the one at that point`(_ point: String, _ isLeft: Bool) throws {
            let program = try Program(["track", "--select", point])
            program.write(Array((try recording("two-people").joined(separator: "\n") + "\n").utf8))
            program.closeInput()
            #expect(program.end() == .exit(0))
            let last = try #require(program.output.split(separator: "\n").last)
            let subjects = last.split(separator: "{").filter { $0.contains(#""selected":"#) }
            let selected = subjects.filter { $0.contains(#""selected":true"#) }
            #expect(selected.count == 1 && subjects.count == 2, "\(last)")
            let subject = try #require(selected.first)
            let start = try #require(subject.firstRange(of: #""rect":["#))
            let x = try #require(Double(String(subject.suffix(from: start.upperBound).prefix { $0 != "," })))
            #expect((x < 0.4) == isLeft, "\(last)")
        }

        @Test func `garbage is named and skipped, garbage alone ends with status 65`() throws {
            let some = try Program(["track"])
            some.write(Array(("{]\nwhat\n" + #"{"faces":[{"rect":[0.4,0.2,0.1,0.2]}]}"# + "\n").utf8))
            some.closeInput()
            #expect(some.end() == .exit(0))
            #expect(some.output.split(separator: "\n").count == 1)
            #expect(some.errors.contains("line 1: not valid JSON"), "\(some.errors)")
            #expect(some.errors.contains("line 2: "), "\(some.errors)")
            #expect(some.errors.contains("2 of 3 lines were skipped"), "\(some.errors)")
            let all = try Program(["track"])
            all.tell("what is this")
            all.closeInput()
            #expect(all.end() == .exit(65))
            #expect(all.errors.contains("is this a detection stream?"))
        }

        @Test func `another version of the stream is refused with status 65`() throws {
            let program = try Program(["track"])
            program.tell(#"{"type":"hello","v":2}"#)
            #expect(program.end() == .exit(65))
            #expect(program.errors.contains("the stream has version 2, but this program supports version 1"))
        }
    }
}
