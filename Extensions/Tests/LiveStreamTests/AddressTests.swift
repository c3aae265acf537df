import DockTypes
import Testing

@testable import LiveStream

@Suite struct AddressTests {
    private static let passphrase = "correct-horse", password = "hunter22"

    @Test func `what is shown has no user, no path and no options`() throws {
        let rtsp = try StreamAddress("rtsp://robot:\(Self.password)@media.example:8554/kitchen")
        #expect(rtsp.shown == "rtsp://media.example:8554" && rtsp.hasSecret)
        #expect(rtsp.target == "rtsp://media.example:8554/kitchen")
        let login = try #require(rtsp.login)
        #expect(login.access == RTSPAccess(user: "robot", password: Self.password))
        #expect(login.host == "media.example" && login.port == "8554" && login.path == "/kitchen")
        let other = try #require(try StreamAddress("rtsp://a%40b:c%3a%25@[::1]/x?y=z").login)
        #expect(other.access == RTSPAccess(user: "a@b", password: "c:%"))
        #expect(other.host == "::1" && other.port == "554" && other.path == "/x?y=z")
        let srt = try StreamAddress("srt://[2001:db8::1]:9000?passphrase=\(Self.passphrase)&latency=120000")
        #expect(srt.shown == "srt://[2001:db8::1]:9000" && srt.hasSecret)
        #expect(try !StreamAddress("rtsp://media.example/kitchen").hasSecret)
    }

    @Test func `the secrets of SRT are in no word of the command line`() throws {
        let address = try StreamAddress(
            "srt://host:9000?streamid=publish:room&mode=caller&passphrase=\(Self.passphrase)")
        let words = StreamCommand.words(StreamSettings(address), to: address.target, width: 640, height: 480)
        #expect(words.last == "srt://host:9000?mode=caller")
        #expect(!words.contains { $0.contains(Self.passphrase) || $0.contains("publish:room") })
        let file = String(decoding: StreamCommand.secretOptions(address), as: UTF8.self)
        #expect(file == "streamid=publish:room\npassphrase=\(Self.passphrase)\n")
    }

    @Test func `an error of ffmpeg is reported without the secrets`() throws {
        let text = "rtsp://robot:\(Self.password)@media.example:8554/kitchen", address = try StreamAddress(text)
        let complaint = StreamComplaint.words(
            ["\(text): something new", "user robot, password \(Self.password)"], "exit status 1", address)
        #expect(complaint == "***: something new (exit status 1)")
        #expect(!address.redacted("robot:\(Self.password) \(Self.password) kitchen").contains("hunter"))
        let refused = StreamComplaint.words(
            ["[rtsp] method ANNOUNCE failed: 401 Unauthorized", "\(text): Server returned 401"], "exit status 1",
            address)
        #expect(refused == "the server does not accept the user or the password")
    }

    @Test(arguments: [
        "http://host/a", "rtsp:/host", "rtsp://", "rtsp://:8554/a", "srt://host", "srt://host:0", "srt://host:70000",
        "srt://user:word@host:9000", "rtsp://host/a b", "rtsp://host/\u{7}", "rtsp://[::1", "-i", "srt://host:9000x",
        "srt://host:1?passphrase=" + String(repeating: "a", count: 999),
        "rtsp://" + String(repeating: "a", count: 2048),
    ])
    func `what is no address is refused, and not repeated`(text: String) {
        let error = #expect(throws: DockError.self) { try StreamAddress(text) }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("word") != true && error?.message.contains("passphrase") != true)
    }

    @Test func `the pauses grow, and begin again after a stream that lasted`() {
        var pauses = StreamPauses()
        #expect((0..<8).map { _ in pauses.next(after: 0) } == [0.5, 1, 2, 4, 8, 16, 30, 30])
        #expect(pauses.next(after: 9) == 30 && pauses.next(after: 10) == 0.5)
    }
}
