import Testing

@testable import Camera

/// What a camera's program says about its wait.
@Suite struct CaptureWaitingTests {
    private func feed(_ waiting: inout CaptureWaiting, _ text: String, now: Double = 100) {
        let bytes = Array(text.utf8)
        bytes.withUnsafeBytes { waiting.feed($0, now: now) }
    }

    @Test func `a program waits from its line until a picture arrives`() {
        var waiting = CaptureWaiting()
        feed(&waiting, "listening\nwaiting: no send")
        #expect(!waiting.isWaiting && waiting.text == nil)
        feed(&waiting, "er yet\r\nlistening still\n")
        #expect(waiting.isWaiting && waiting.text == "no sender yet")
        waiting.end()
        #expect(!waiting.isWaiting && waiting.text == nil)
        feed(&waiting, "waiting: it is gone\n")
        #expect(waiting.isWaiting && waiting.text == "it is gone")
        feed(&waiting, "waiting: cut off")
        waiting.reset()
        feed(&waiting, "\n")
        #expect(!waiting.isWaiting && waiting.text == nil)
    }

    @Test func `only a whole line with a text counts`() {
        var waiting = CaptureWaiting()
        for line in ["waiting", "waiting:", "waiting: ", " waiting: x", "[mjpeg] waiting: x", "Waiting: x"] {
            feed(&waiting, line + "\n")
            #expect(!waiting.isWaiting && waiting.text == nil, "\(line)")
        }
        #expect(CaptureWaiting.isMarked("waiting: x") && !CaptureWaiting.isMarked("no waiting: x"))
    }

    @Test func `its text is plain, short, and changes seldom`() {
        var waiting = CaptureWaiting(), texts: Set<String> = []
        feed(&waiting, "waiting: \u{1B}[2J\(String(repeating: "x", count: 5000))\n")
        #expect(waiting.isWaiting && waiting.text?.contains("\u{1B}") == false)
        #expect((100...130).contains(waiting.text?.count ?? 0))
        for number in 0..<1000 {
            feed(&waiting, "waiting: \(number)\n", now: 200 + Double(number) / 100)
            if let text = waiting.text { texts.insert(text) }
            if number % 2 == 1 { waiting.end() }
        }
        #expect((1...8).contains(texts.count), "\(texts)")
        feed(&waiting, "waiting: still\n", now: 209.999)
        #expect(waiting.isWaiting, "it waits also if its text is not shown")
        #expect(waiting.text != "still")
        let deadline = waiting.deadline ?? 0
        #expect((209.9...210.1).contains(deadline))
        waiting.show(now: deadline + 0.001)
        #expect(waiting.text == "still" && waiting.deadline == nil, "the last text is shown later")
    }
}
