import Testing

@testable import Camera

/// What a camera's program says about its wait.
@Suite struct CaptureWaitingTests {
    private func feed(_ errors: inout CaptureErrors, _ text: String, now: Double = 100) {
        let bytes = Array(text.utf8)
        bytes.withUnsafeBytes { errors.feed($0, canWait: true, now: now) }
    }

    @Test func `a program waits from its line until a picture arrives`() {
        var waiting = CaptureErrors()
        feed(&waiting, "listening\nwaiting: no send")
        #expect(!waiting.isWaiting && waiting.waitsFor == nil)
        feed(&waiting, "er yet\r\nlistening still\n")
        #expect(waiting.isWaiting && waiting.waitsFor == "no sender yet")
        waiting.endWait()
        #expect(!waiting.isWaiting && waiting.waitsFor == nil)
        feed(&waiting, "waiting: it is gone\n")
        #expect(waiting.isWaiting && waiting.waitsFor == "it is gone")
        feed(&waiting, "waiting: cut off")
        waiting.drain(canWait: true, now: 101)
        waiting.close()
        feed(&waiting, "\n")
        #expect(!waiting.isWaiting && waiting.waitsFor == nil)
    }

    @Test func `only a whole line with a text counts`() {
        var waiting = CaptureErrors()
        for line in ["waiting", "waiting:", "waiting: ", " waiting: x", "[mjpeg] waiting: x", "Waiting: x"] {
            feed(&waiting, line + "\n")
            #expect(!waiting.isWaiting && waiting.waitsFor == nil, "\(line)")
        }
        #expect(waiting.last == "Waiting: x", "lines without the mark belong to the log")
        feed(&waiting, "waiting: x\n")
        #expect(waiting.isWaiting && waiting.last == "Waiting: x", "a line with the mark does not")
    }

    @Test func `its text is plain, short, and changes seldom`() {
        var waiting = CaptureErrors(), texts: Set<String> = []
        feed(&waiting, "waiting: \u{1B}[2J\(String(repeating: "x", count: 5000))\n")
        #expect(waiting.isWaiting && waiting.waitsFor?.contains("\u{1B}") == false)
        #expect((100...130).contains(waiting.waitsFor?.count ?? 0))
        for number in 0..<1000 {
            feed(&waiting, "waiting: \(number)\n", now: 200 + Double(number) / 100)
            if let text = waiting.waitsFor { texts.insert(text) }
            if number % 2 == 1 { waiting.endWait() }
        }
        #expect((1...8).contains(texts.count), "\(texts)")
        feed(&waiting, "waiting: still\n", now: 209.999)
        #expect(waiting.isWaiting, "it waits also if its text is not shown")
        #expect(waiting.waitsFor != "still")
        let deadline = waiting.deadline(hasProgram: true) ?? 0
        #expect((209.9...210.1).contains(deadline))
        #expect(waiting.show(now: deadline + 0.001).isEmpty, "its lines are not logged")
        #expect(waiting.waitsFor == "still", "the last text is shown later")
        #expect(waiting.deadline(hasProgram: true) == nil)
    }
}
