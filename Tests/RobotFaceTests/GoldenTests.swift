import Foundation
import Testing

@testable import RobotFace

/// Every face as each painter draws it at 40x12, stored as readable files: the glyphs, and their foreground and
/// background colours as one hexadecimal digit each for red, green and blue.
///
/// After an intended change: `DOCKFACE_RECORD=1 swift test --filter GoldenTests`, then review the changes in git.
@Suite struct GoldenTests {
    private static let columns = 40, rows = 12

    @Test(arguments: FaceGlyphs.allCases)
    func `every face is drawn as in its reviewed file`(glyphs: FaceGlyphs) throws {
        let drawn = RobotFace.Expression.all.map { ($0.name, Self.page($0, glyphs)) }
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Fixtures/\(glyphs.rawValue)-40x12.txt")
        if ProcessInfo.processInfo.environment["DOCKFACE_RECORD"] != nil {
            let text = drawn.map { "== \($0.0)\n" + $0.1.joined(separator: "\n") + "\n" }.joined()
            try text.write(to: path, atomically: true, encoding: .utf8)
        }
        let file = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "== ").dropFirst()
        #expect(file.count == drawn.count)
        for (kept, (name, page)) in zip(file, drawn) {
            let lines = kept.components(separatedBy: "\n").dropLast()
            #expect(lines.first == name)
            #expect(lines.count == page.count + 1)
            for (was, now) in zip(lines.dropFirst(), page) {
                #expect(Self.agree(was, now), "\(name): \(was) is now \(now)")
            }
        }
    }

    /// Glyphs, then the colours, row by row.
    private static func page(_ expression: RobotFace.Expression, _ glyphs: FaceGlyphs) -> [String] {
        var painter = FacePainter(glyphs, columns: columns, rows: rows)
        var grid = CellGrid(columns: columns, rows: rows)
        painter.paint(FaceState(expression), depth: .trueColour, into: &grid)
        func line(_ row: Int, _ text: (Cell) -> String) -> String {
            (0..<columns).map { text(grid[row, $0]) }.joined()
        }
        func digits(_ colour: UInt32) -> String {
            [20, 12, 4].map { String(colour >> $0 & 15, radix: 16) }.joined()
        }
        let pictures = (0..<rows).map { row in
            "|" + line(row) { String(UnicodeScalar($0.glyph).map(Character.init) ?? "?") } + "|"
        }
        let inks = (0..<rows).map { row in line(row) { digits($0.glyph == 0x20 ? $0.background : $0.foreground) } }
        let grounds = (0..<rows).map { row in line(row) { digits($0.background) } }
        return pictures + inks + grounds
    }

    /// Another processor rounds a little differently: one step of a colour is ignored, and so is one glyph per row on
    /// the border between two.
    private static func agree(_ a: String, _ b: String) -> Bool {
        guard a.count == b.count else { return false }
        guard !a.hasPrefix("|") else { return zip(a, b).count { $0 != $1 } <= 1 }
        return zip(a, b).allSatisfy { p, q in abs((p.hexDigitValue ?? 99) - (q.hexDigitValue ?? 0)) <= 1 }
    }
}
