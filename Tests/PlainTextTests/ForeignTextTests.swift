import PlainText
import Testing

@Suite struct ForeignTextTests {
    /// Text from outside, and how it is shown.
    static let rows: [(from: String, shown: String)] = [
        ("", ""), ("dlp-dock 1.2", "dlp-dock 1.2"), ("café, naïve, Ω, 漢字, שלום, नमस्ते", "café, naïve, Ω, 漢字, שלום, नमस्ते"),
        ("smile \u{1F600}, heart \u{2764}\u{FE0F}", "smile \u{1F600}, heart \u{2764}\u{FE0F}"),
        ("\u{1B}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"), ("\u{1B}[2J", "\\u{1b}[2J"),
        ("a\r\nb\tc\0", "a\\u{d}\\u{a}b\\u{9}c\\u{0}"),
        ("\u{9B}2J\u{85}\u{7F}", "\\u{9b}2J\\u{85}\\u{7f}"), ("\u{202E}gpj.exe", "\\u{202e}gpj.exe"),
        ("\u{61C}\u{200E}\u{200F}\u{2066}\u{2069}", "\\u{61c}\\u{200e}\\u{200f}\\u{2066}\\u{2069}"),
        ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
        ("pass\u{200B}word\u{FEFF}\u{AD}\u{2060}", "pass\\u{200b}word\\u{feff}\\u{ad}\\u{2060}"),
        ("\u{3164}\u{115F}\u{E0041}\u{E0100}\u{34F}", "\\u{3164}\\u{115f}\\u{e0041}\\u{e0100}\\u{34f}"),
        ("\u{E000}\u{FFFF}", "\\u{e000}\\u{ffff}"), ("\u{301}e\u{301}", "\\u{301}e\u{301}"),
    ]

    @Test(arguments: rows) func `control and hidden characters are escaped, and letters stay`(
        row: (from: String, shown: String)
    ) {
        #expect(Array(ForeignText.line(row.from).unicodeScalars) == Array(row.shown.unicodeScalars))
        #expect(ForeignText.line(row.shown) == row.shown)
        #expect(ForeignText.isPlain(row.from) == (row.from == row.shown))
    }

    @Test func `no scalar that controls a terminal passes`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), ForeignText.commands(scalar) else { continue }
            #expect(ForeignText.line("a\(scalar)b") == "a\\u{\(String(value, radix: 16))}b")
            if scalar != "\n" { #expect(ForeignText.guarded("a\(scalar)b") == "a\\u{\(String(value, radix: 16))}b") }
            // The fast check of the bytes must find every one.
            #expect(scalar == "\n" || String(scalar).utf8.contains(where: ForeignText.mayCommand))
        }
    }

    @Test func `a letter carries at most four marks, and the rest is escaped`() {
        let heap = "e" + String(repeating: "\u{301}", count: 6) + "x"
        #expect(
            Array(ForeignText.line(heap).unicodeScalars)
                == Array(("e" + String(repeating: "\u{301}", count: 4) + "\\u{301}\\u{301}x").unicodeScalars))
    }

    @Test(arguments: ["a", "\u{1B}", "\u{1F600}", "e\u{301}"], [1, 2, 7, 8, 120])
    func `a line is bounded, ends with an ellipsis, and does not change when it is cut again`(
        unit: String, longest: Int
    ) {
        let line = ForeignText.line(String(repeating: unit, count: 100_000), longest: longest)
        #expect(line.unicodeScalars.count <= longest)
        #expect(line.hasSuffix("\u{2026}"))
        #expect(!line.contains("\\") || line.dropLast().hasSuffix("}"), "an escape was cut: \(line)")
        #expect(ForeignText.line(line, longest: longest) == line)
        #expect(ForeignText.line(bytes: Array(String(repeating: unit, count: 1000).utf8), longest: longest) == line)
    }

    @Test func `a text of exactly that length is not cut`() {
        #expect(ForeignText.line("12345", longest: 5) == "12345")
        #expect(ForeignText.line("1234ä", longest: 5) == "1234ä")
        #expect(ForeignText.line("12345ä", longest: 5) == "1234\u{2026}")
    }

    @Test func `bytes that are not UTF-8 are recognised as invalid`() {
        #expect(ForeignText.line(bytes: [0x61, 0x9B, 0xFF, 0x62]) == "a\u{FFFD}\u{FFFD}b")
    }

    @Test func `wanted line ends stay, and no others`() {
        #expect(ForeignText.lines("one\ntwo\r\nthree\u{2028}four") == "one\ntwo\\u{d}\nthree\\u{2028}four")
        #expect(ForeignText.guarded("one\ntwo\r\n\u{1B}[m") == "one\ntwo\\u{d}\n\\u{1b}[m")
        let flood = ForeignText.lines(String(repeating: "\n", count: 100_000))
        #expect(flood.utf8.count { $0 == 0x0A } == ForeignText.mostLines)
    }
}
