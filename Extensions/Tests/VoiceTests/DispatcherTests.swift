import ControlProtocol
import Testing

@testable import Voice

/// The conversation with Speech Dispatcher, with the answers that its server gives.
@Suite struct DispatcherTests {
    private static let settings = "208 OK CLIENT NAME SET\r\n220 OK NOTIFICATION SET\r\n220 OK NOTIFICATION SET\r\n"
    private static let queued = "225-21\r\n225 OK MESSAGE QUEUED\r\n"
    private static let begun = "701-21\r\n701-5\r\n701 BEGIN\r\n", ended = "702-21\r\n702-5\r\n702 END\r\n"

    /// A conversation up to the moment at which the server takes the sentence.
    private func talk(_ text: String, _ urgency: CueUrgency = .normal) -> (talk: DispatcherTalk, sent: String) {
        var talk = DispatcherTalk()
        let first = talk.begin() + talk.speak(text, urgency)
        return (talk, String(decoding: first, as: UTF8.self))
    }

    private func receive(_ talk: inout DispatcherTalk, _ text: String) -> (sent: String, news: [DispatcherTalk.News]) {
        let (output, news) = talk.receive(Array(text.utf8))
        return (String(decoding: output, as: UTF8.self), news)
    }

    @Test func `a sentence is sent when the server takes it, and its end is known`() {
        var (talk, sent) = talk("Hello.", .high)
        #expect(
            sent == "SET self CLIENT_NAME user:dockface:voice\r\nSET self NOTIFICATION end on\r\n"
                + "SET self NOTIFICATION cancel on\r\nSET self PRIORITY important\r\nSPEAK\r\n")
        #expect(receive(&talk, Self.settings + "202 OK PRIORITY SET\r\n") == ("", []))
        #expect(receive(&talk, "230 OK RECEIVING DATA\r\n") == ("Hello.\r\n.\r\n", []) && talk.isWaiting)
        #expect(receive(&talk, Self.queued) == ("", []) && !talk.isWaiting)
        #expect(receive(&talk, Self.begun) == ("", []))
        #expect(receive(&talk, Self.ended) == ("", [.ended]))
        let next = String(decoding: talk.speak("Next.", .low), as: UTF8.self)
        #expect(next == "SET self PRIORITY notification\r\nSPEAK\r\n")
    }

    @Test func `the same in single bytes, and with an end before the answer`() {
        var (talk, _) = talk("Hello.")
        var news: [DispatcherTalk.News] = [], sent = ""
        let all = Self.settings + "202 OK\r\n230 OK\r\n" + Self.begun + Self.ended + Self.queued
        for byte in all.utf8 {
            let (output, more) = talk.receive([byte])
            sent += String(decoding: output, as: UTF8.self)
            news += more
        }
        #expect(sent == "Hello.\r\n.\r\n" && news == [.ended])
    }

    @Test func `a line that begins with a dot does not end the text`() {
        var (talk, _) = talk(".hidden")
        #expect(receive(&talk, Self.settings + "202 OK\r\n230 OK\r\n").sent == "..hidden\r\n.\r\n")
    }

    @Test func `the end of another program's message is not the end of this one`() {
        var (talk, _) = talk("Hello.")
        _ = receive(&talk, Self.settings + "202 OK\r\n230 OK\r\n" + Self.queued)
        #expect(receive(&talk, "702-20\r\n702-5\r\n702 END\r\n").news.isEmpty)
        #expect(receive(&talk, "703-21\r\n703-5\r\n703 CANCELED\r\n").news == [.ended])
    }

    @Test func `a request to cancel is never taken for text`() {
        var (talk, _) = talk("Hello.")
        // The server has not answered SPEAK yet: what comes now would be spoken.
        #expect(talk.cancel().isEmpty)
        #expect(receive(&talk, Self.settings + "202 OK\r\n230 OK\r\n").sent == "Hello.\r\n.\r\nCANCEL self\r\n")
        #expect(receive(&talk, Self.queued + "210 OK CANCELED\r\n").news.isEmpty && !talk.isWaiting)
        #expect(String(decoding: talk.cancel(), as: UTF8.self) == "CANCEL self\r\n")
    }

    @Test(arguments: [
        "garbage\r\n", "999\r\n", "208 OK\r\n208 OK\r\n208 OK\r\n202 OK\r\n300 ERR INTERNAL\r\n",
        "208 OK\r\n208 OK\r\n208 OK\r\n202 OK\r\n230 OK\r\n409 ERR RATE TOO HIGH\r\n",
        "208 OK\r\n208 OK\r\n208 OK\r\n202 OK\r\n230 OK\r\n225 OK MESSAGE QUEUED\r\n",
        String(repeating: "x", count: 5000),
    ])
    func `a server that does not do its part is left`(text: String) throws {
        var (talk, _) = talk("Hello.")
        let news = receive(&talk, text).news
        guard case .failed = try #require(news.last) else {
            Issue.record("\(news)")
            return
        }
        #expect(receive(&talk, Self.ended).news.isEmpty, "nothing after the failure")
    }

    @Test func `random bytes end a conversation at most once, and keep nothing without a bound`() {
        var dice = SystemDice(seed: 11)
        let alphabet = Array("0123456789- \r\nOK225230702".utf8)
        for _ in 0..<3000 {
            var (talk, _) = talk("Hello."), failures = 0
            for _ in 0..<dice.next(200) {
                if dice.next(40) == 0 { _ = talk.cancel() }
                let byte = dice.next(30) == 0 ? UInt8(dice.next(256)) : alphabet[dice.next(alphabet.count)]
                failures += talk.receive([byte]).news.count { if case .failed = $0 { true } else { false } }
            }
            #expect(failures <= 1)
        }
    }
}
