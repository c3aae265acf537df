import DockTypes
import Glibc
import TestSupport
import Testing

@testable import Files

/// What an error of a stored file advises, and which of several programs creates one.
@Suite struct StoredFileTests {
    @Test func `the hint names the variable of the folder in question`() {
        let failure = PathFailure(number: EROFS)
        let hints = [UserFolder.configuration, UserFolder.state ?? "", "/elsewhere"].map {
            StoredFile.failure("write", $0 + "/x", failure).hint
        }
        #expect(hints[0].hasSuffix("another with XDG_CONFIG_HOME"))
        #expect(hints[1].hasSuffix("another with XDG_STATE_HOME"))
        #expect(hints[2].hasSuffix("XDG_CONFIG_HOME, XDG_DATA_HOME or XDG_STATE_HOME"))
    }

    @Test func `of those who create a file at the same time one does, and all find its text`() async throws {
        let folder = TemporaryFile.freePath("create"), path = folder + "/new/file"
        try #require(mkdir(folder, 0o700) == 0)
        let created = try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<16 {
                group.addTask { try StoredFile.create("\(number)", at: path, mode: 0o600) ? number : nil }
            }
            var created: [Int] = []
            for try await number in group { created += number.map { [$0] } ?? [] }
            return created
        }
        #expect(created.count == 1)
        #expect(try !StoredFile.create("later", at: path, mode: 0o644), "an existing file stays")
        let text = try StoredFile.read(path)
        #expect(text == created.first.map { "\($0)" })
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let names = try StoredFile.names(in: folder + "/new")
        #expect(names == [".", "..", "file"], "no drafts are left")
    }
}
