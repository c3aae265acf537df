import Foundation
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// A capture program that writes endlessly to standard error.
    @Suite(.timeLimit(.minutes(10))) struct CameraFlood {
        @Test func `standard error of a camera's program is read at no more than a megabyte a second`() throws {
            var template = Array("/tmp/dockface-test-XXXXXX".utf8CString)
            try #require(mkdtemp(&template) != nil)
            let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            // Replaces ffmpeg.
            let script = """
                #!/bin/sh
                date +%s%N > \(folder)/begin
                head -c 3145728 /dev/zero >&2
                date +%s%N > \(folder)/draft && mv \(folder)/draft \(folder)/end
                sleep 60
                """
            try script.write(toFile: folder + "/ffmpeg", atomically: true, encoding: .utf8)
            chmod(folder + "/ffmpeg", 0o755)
            var setup = Program.Setup()
            setup.environment = ["PATH": folder + ":/usr/bin:/bin"]
            let program = try Program(
                ["run", "--port", "sim", "--headless", "--camera", "test", "--detector", "exec:sleep 60"], setup)
            #expect(program.wait(20) { access(folder + "/end", F_OK) == 0 }, "\(program.errors)")
            let times = ["begin", "end"].map { name in
                Double(TemporaryFile.text(of: folder + "/" + name)?.dropLast() ?? "") ?? 0
            }
            #expect((times[1] - times[0]) / 1e9 > 2, "\(times)")
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0), "\(program.errors)")
        }
    }
}
