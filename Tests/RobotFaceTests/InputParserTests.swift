import Testing

@testable import RobotFace

@Suite struct InputParserTests {
    private func events(_ text: String) -> [InputEvent] {
        var parser = InputParser()
        var found = text.utf8.compactMap { parser.feed($0, now: 0) }
        if let last = parser.flush(now: 1) { found.append(last) }
        return found
    }

    private func press(_ key: Key, _ modifiers: KeyModifiers = [], _ phase: KeyPhase = .press) -> InputEvent {
        .key(key, modifiers: modifiers, phase: phase)
    }

    private static let keys: [(String, Key, KeyModifiers)] = [
        ("a", Key.character("a"), KeyModifiers()), ("?", .character("?"), []), ("C", .character("C"), []),
        ("é", .character("é"), []), ("\u{1b}[A", .up, []), ("\u{1b}[B", .down, []), ("\u{1b}OC", .right, []),
        ("\u{1b}[D", .left, []), ("\u{1b}[1;2C", .right, .shift), ("\u{1b}[1;6D", .left, [.shift, .control]),
        ("\r", .enter, []), ("\t", .tab, []), ("\u{1b}[Z", .tab, .shift), (" ", .space, []),
        ("\u{3}", .character("c"), .control), ("\u{1b}x", .character("x"), .alt), ("\u{1b}", .escape, []),
        ("\u{1b}[3~", .delete, []), ("\u{1b}[5;3~", .pageUp, .alt), ("\u{1b}[15~", .function(5), []),
        ("\u{1b}[H", .home, []), ("\u{1b}OP", .function(1), []), ("\u{7f}", .backspace, []),
        ("\u{1b}[97;5u", .character("a"), .control), ("\u{1b}[13u", .enter, []),
    ]

    @Test func `keys are read with their modifiers`() {
        for (text, key, modifiers) in Self.keys { #expect(events(text) == [press(key, modifiers)]) }
    }

    @Test func `the kitty protocol reports press, repeat and release`() {
        #expect(
            events("\u{1b}[1;1:1A\u{1b}[1;1:2A\u{1b}[1;1:3A\u{1b}[120;1:3u") == [
                press(.up), press(.up, [], .repeat), press(.up, [], .release), press(.character("x"), [], .release),
            ])
    }

    @Test func `a sequence may be split anywhere`() {
        var parser = InputParser()
        var found: [InputEvent] = []
        for (index, byte) in "\u{1b}[1;2A".utf8.enumerated() {
            let now = Double(index) * 0.04
            if let event = parser.flush(now: now) { found.append(event) }
            if let event = parser.feed(byte, now: now) { found.append(event) }
        }
        #expect(found == [press(.up, .shift)])
    }

    @Test func `a lone escape is a key after 50 ms, not before`() {
        var parser = InputParser()
        #expect(parser.feed(0x1B, now: 5) == nil)
        #expect(parser.isWaiting)
        #expect(parser.flush(now: 5.04) == nil)
        #expect(parser.flush(now: 5.051) == press(.escape))
        #expect(parser.flush(now: 6) == nil)
    }

    private static let replies: [(String, TerminalReply)] = [
        ("\u{1b}[?62;22c", TerminalReply.deviceAttributes(sixel: false)),
        ("\u{1b}[?4;6c", .deviceAttributes(sixel: false)), ("\u{1b}[?c", .deviceAttributes(sixel: false)),
        ("\u{1b}[?63;1;2;4;22c", .deviceAttributes(sixel: true)),
        ("\u{1b}_Gi=31;OK\u{1b}\\", .kittyGraphics), ("\u{1b}_Gi=31;ENOTSUP:no\u{1b}\\", .other),
        ("\u{1b}P1+r524742=382F382F38\u{1b}\\", .directColour(true)), ("\u{1b}P0+r\u{1b}\\", .directColour(false)),
        ("\u{1b}P0+r524742\u{1b}\\", .directColour(false)), ("\u{1b}P1$r0;48:2::1:2:3m\u{1b}\\", .directColour(true)),
        ("\u{1b}P1$r0;48;2;1;2;3m\u{1b}\\", .directColour(true)), ("\u{1b}P1$r0;48:5:16m\u{1b}\\", .other),
        ("\u{1b}P0$r\u{1b}\\", .other), ("\u{1b}P\u{1b}\\", .other), ("\u{1b}[?0u", .keyboard(flags: 0)),
        ("\u{1b}[?2026;2$y", .mode(2026, state: 2)), ("\u{1b}[6;20;10t", .cellSize(width: 10, height: 20)),
        ("\u{1b}]11;rgb:0000/0000/0000\u{7}", .other), ("\u{1b}P>|xterm(379)\u{1b}\\", .other),
        ("\u{1b}[>41;379;0c", .other), ("\u{1b}_Gi=1;OK\u{1b}\\", .other), ("\u{1b}[24;80R", .other),
    ]

    @Test func `answers of the terminal are answers and never keys`() {
        for (text, reply) in Self.replies {
            #expect(events(text) == [.reply(reply)])
            // Between typed keys as well.
            #expect(events("a" + text + "b") == [press(.character("a")), .reply(reply), press(.character("b"))])
        }
    }

    @Test func `the mouse is read in cells from 0`() {
        #expect(
            events("\u{1b}[<0;5;3M\u{1b}[<0;5;3m\u{1b}[<65;1;1M\u{1b}[<20;2;2M") == [
                .mouse(.press(button: 0), column: 4, row: 2, modifiers: []),
                .mouse(.release(button: 0), column: 4, row: 2, modifiers: []),
                .mouse(.wheel(-1), column: 0, row: 0, modifiers: []),
                .mouse(.press(button: 0), column: 1, row: 1, modifiers: [.shift, .control]),
            ])
    }

    @Test func `focus is reported, and pasted text is swallowed`() {
        #expect(events("\u{1b}[I\u{1b}[O") == [.focusGained, .focusLost])
        #expect(
            events("\u{1b}[200~stop\nmode \u{1b}[A x\u{1b}[201~y") == [.paste, press(.character("y"))])
    }

    /// Bytes at their times, and the events of a loop that reads every 50 ms.
    private func film(_ pieces: [(Double, String)], until end: Double) -> [InputEvent] {
        var parser = InputParser(), events: [InputEvent] = [], pieces = pieces[...]
        for step in 0...Int(end / 0.05) {
            let now = Double(step) * 0.05
            while let piece = pieces.first, piece.0 <= now {
                events += piece.1.utf8.compactMap { parser.feed($0, now: now) }
                pieces.removeFirst()
            }
            if let event = parser.flush(now: now) { events.append(event) }
        }
        return events
    }

    @Test func `a paste whose end is lost ends after a second, so that no key is lost`() {
        #expect(
            film([(0, "\u{1b}[200~abc"), (0.9, "def"), (2, "x")], until: 3) == [.paste, press(.character("x"))])
    }

    @Test func `keys pressed one after another are read, whatever was split before`() {
        let hammer = (0..<40).map { (0.2 + Double($0) * 0.2, "x") }
        for torn in ["\u{1b}[200~abc", "\u{1b}P1$r0;48"] {
            let events = film([(0, torn)] + hammer, until: 9)
            #expect(events.filter { $0 == press(.character("x")) }.count > 10, "\(torn.dropFirst())")
        }
    }

    @Test(arguments: [
        ("\u{1b}P1$r0;48:2::1:2:", "3mq\u{1b}\\"), ("\u{1b}_Gi=31;EINVAL:re", "quest\u{1b}\\"),
        ("\u{1b}[?62;", "4;22c"),
    ])
    func `the late rest of an answer is no key, and keys typed afterwards are`(
        first: String, rest: String
    ) {
        let events = film([(0, first), (1.8, rest), (5, "q")], until: 6)
        #expect(events.filter { if case .key = $0 { true } else { false } }.last == press(.character("q")))
        let early = film([(0, first), (1.8, rest)], until: 4)
        let typed = early.filter { if case .key = $0 { true } else { false } }
        #expect(typed.isEmpty, "\(typed)")
        #expect(film([(0, first), (1.8, "\u{3}")], until: 4).last == press(.character("c"), .control))
    }

    @Test func `garbage never traps and never sticks`() {
        var random = RandomSource(seed: 99)
        let favourites: [UInt8] = [0x1B, 0x5B, 0x4F, 0x50, 0x3B, 0x3A, 0x3C, 0x3F, 0x24, 0x75, 0x7E, 0x4D, 0x30, 0x39]
        var parser = InputParser()
        for index in 0..<200_000 {
            let isFavourite = random.unit() < 0.7
            let byte =
                isFavourite
                ? favourites[Int(random.unit() * Double(favourites.count))] : UInt8(truncatingIfNeeded: random.next())
            let now = Double(index) * 0.001
            _ = parser.feed(byte, now: now)
            if index % 50 == 0 { _ = parser.flush(now: now) }
        }
        _ = parser.flush(now: 1000)
        // Whatever state the garbage left: the end of a paste and of a string, then a key.
        for byte in "\u{1b}[201~\u{1b}\\".utf8 { _ = parser.feed(byte, now: 1001) }
        #expect(parser.feed(0x71, now: 1002) == press(.character("q")))
    }
}
