import ControlProtocol
import Glibc
import Testing

@testable import DockTestKit

@Suite struct FakeConnectionTests {
    @Test func `bytes become lines at their ends`() {
        var connection = FakeConnection()
        #expect(connection.receive("ab".utf8) == [])
        #expect(connection.receive("c\nd\n\ne".utf8) == [Array("abc".utf8), Array("d".utf8)])
    }

    @Test func `a line without an end, and a program that does not read, end the connection`() {
        var talker = FakeConnection()
        _ = talker.receive([UInt8](repeating: 0x78, count: LineFramer.longest + 1))
        #expect(talker.isEnding)
        var sleeper = FakeConnection()
        sleeper.send([UInt8](repeating: 0, count: FakeConnection.capacity))
        #expect(!sleeper.isEnding)
        sleeper.send([0])
        #expect(sleeper.isEnding && sleeper.outbox.count == FakeConnection.capacity)
    }

    @Test func `nothing follows the end`() {
        var connection = FakeConnection()
        connection.send("a".utf8)
        connection.end()
        connection.send("b".utf8)
        #expect(connection.outbox == Array("a".utf8))
    }
}

@Suite struct TemporaryFolderTests {
    @Test func `files are written, read and removed with the folder, and links are not followed`() throws {
        let outside = TemporaryFolder()
        outside.write("kept", to: "file")
        var folder: TemporaryFolder? = TemporaryFolder()
        let path = try #require(folder?.path)
        folder?.write("text", to: "a/b/c")
        #expect(folder?.text(of: "a/b/c") == "text" && folder?.text(of: "a/b") == nil)
        #expect(folder?.mode() == 0o700 && folder?.mode(of: "none") == nil)
        #expect(symlink(outside.path, path + "/a/link") == 0)
        folder = nil
        #expect(access(path, F_OK) != 0 && outside.text(of: "file") == "kept")
    }
}

@Suite struct SampleTests {
    @Test func `a sample stays in the range of its form`() {
        #expect(Shape.number(2...3).sample == .number(2) && Shape.number(-3 ... -2).sample == .number(-2))
        #expect(Shape.number(-.infinity ... .infinity).sample == .number(0))
        #expect(Shape.positive(upTo: 0.5).sample == .number(0.5))
        #expect(Shape.positive(upTo: .infinity).sample == .number(1))
        #expect(Shape.multiple(of: 4, 6...9).sample == .number(8) && Shape.whole(1...Int.max).sample == .number(1))
        #expect(Shape.list(of: .flag, 2...3).sample == .array([.bool(false), .bool(false)]))
    }
}
