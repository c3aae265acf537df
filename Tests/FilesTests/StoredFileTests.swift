import DockTypes
import Glibc
import Testing

@testable import Files

/// What an error of a stored file advises.
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
}
