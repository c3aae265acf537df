import ControlProtocol
import Foundation
import TestSupport
import Testing

extension ProgramTests {
    /// The verbs of the program, which its help and its completions list.
    @Suite(.timeLimit(.minutes(10))) struct VerbTableTests {
        @Test func `each command word of the API's table is a verb with help and completions`() throws {
            let program = try Program(["--experimental-dump-help"])
            _ = program.end()
            let help = try JSONReader.value(of: Array(program.output.utf8))
            let verbs = help["command"]?["subcommands"]?.array ?? []
            let names = Set(verbs.compactMap { $0["commandName"]?.string })
            #expect(names.isSuperset(of: MethodTable.rows.compactMap(\.word)))
            #expect(names.isSuperset(of: ["latency", "metrics", "trace", "release", "quit"]))
            for verb in verbs { #expect(verb["abstract"]?.string?.isEmpty == false, "\(verb["commandName"] ?? .null)") }
        }
    }
}
