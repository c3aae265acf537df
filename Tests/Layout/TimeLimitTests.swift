import Foundation
import Testing

/// The time limits of all tests.
@Suite struct TimeLimitTests {
    /// A limit runs while its test waits for a thread of the pool, which more than a thousand tests share. On a busy
    /// machine that alone takes minutes.
    private static let least = 10

    @Test(arguments: ["Tests", "Extensions/Tests"])
    func `a time limit ends a test that hangs, and not one that is slow`(folder: String) throws {
        let all = FileManager.default.enumerator(
            at: LayerTests.root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        let files = (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            for limit in text.matches(of: /\.timeLimit\(\.minutes\((\d+)\)\)/) {
                #expect(Int(limit.1) ?? 0 >= Self.least, "\(file.lastPathComponent): \(limit.0)")
            }
        }
    }
}
