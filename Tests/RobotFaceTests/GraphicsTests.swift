import Foundation
import Testing

@testable import RobotFace

/// Decodes the part of the sixel format that the painter uses, independently of the encoder.
private struct SixelScreen {
    let width: Int, height: Int
    private(set) var pixels: [UInt8]
    private(set) var isWhole = true
    private var colours: [Int: (Int, Int, Int)] = [:]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        pixels = [UInt8](repeating: 7, count: width * height * 3)
    }

    mutating func feed(_ bytes: [UInt8], cell: (width: Int, height: Int)) {
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        while let start = rest.range(of: "\u{1b}P"), let end = rest.range(of: "\u{1b}\\") {
            let place = rest[..<start.lowerBound].split(separator: "\u{1b}").last?.dropFirst().dropLast() ?? "1;1"
            let numbers = place.split(separator: ";").compactMap { Int($0) }
            let body = rest[start.upperBound..<end.lowerBound]
            draw(
                body.drop { $0 != "q" }.dropFirst(), left: (numbers[1] - 1) * cell.width,
                top: (numbers[0] - 1) * cell.height)
            rest = rest[end.upperBound...]
        }
    }

    private mutating func draw(_ body: Substring, left: Int, top: Int) {
        var rest = Array(body.utf8)[...]
        func number() -> Int {
            var value = 0
            while let digit = rest.first, (0x30..<0x3A).contains(digit) {
                value = value * 10 + Int(digit) - 0x30
                rest.removeFirst()
            }
            return value
        }
        var x = left, y = top, register = 0, count = 1
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22: while let next = rest.first, next == 0x3B || (0x30..<0x3A).contains(next) { rest.removeFirst() }
            case 0x23:
                register = number()
                var values: [Int] = []
                while rest.first == 0x3B {
                    rest.removeFirst()
                    values.append(number())
                }
                if values.count == 4 { colours[register] = (values[1], values[2], values[3]) }
            case 0x21: count = number()
            case 0x24: x = left
            case 0x2D: (x, y) = (left, y + 6)
            case 0x3F...0x7E:
                for _ in 0..<count {
                    for row in 0..<6 where (byte - 0x3F) >> UInt8(row) & 1 == 1 { put(x, y + row, register) }
                    x += 1
                }
                count = 1
            default: isWhole = false
            }
        }
    }

    private mutating func put(_ x: Int, _ y: Int, _ register: Int) {
        guard (0..<width).contains(x), (0..<height).contains(y), let colour = colours[register] else {
            isWhole = false
            return
        }
        for (channel, value) in [colour.0, colour.1, colour.2].enumerated() {
            pixels[(y * width + x) * 3 + channel] = UInt8((value * 255 + 50) / 100)
        }
    }
}

@Suite struct GraphicsTests {
    private func error(_ a: [UInt8], _ b: [UInt8]) -> Double {
        let sum = zip(a, b).reduce(0.0) { $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1)) }
        return 10 * log10(255 * 255 * Double(a.count) / max(sum, 1))
    }

    @Test func `sixel shows the face, within the steps of its registers`() {
        let cell = (width: 8, height: 16)
        for expression in RobotFace.Expression.all where expression.index % 3 == 0 || expression.mark == .heart {
            var painter = SixelPainter(columns: 30, rows: 10, cellWidth: cell.width, cellHeight: cell.height)
            var raster = FaceRaster(width: painter.width, height: painter.height)
            var screen = SixelScreen(width: painter.width, height: painter.height)
            var bytes: [UInt8] = []
            painter.encode(FaceState(expression), isSynchronized: true, into: &bytes)
            screen.feed(bytes, cell: cell)
            #expect(screen.isWhole)
            let quality = error(screen.pixels, raster.draw(FaceState(expression)))
            #expect(quality > 33, "\(expression.name) \(quality) dB")
        }
    }

    @Test func `only changes are sent, and the picture stays right`() {
        let cell = (width: 8, height: 16)
        var painter = SixelPainter(columns: 30, rows: 10, cellWidth: cell.width, cellHeight: cell.height)
        var screen = SixelScreen(width: painter.width, height: painter.height)
        var animator = FaceAnimator(seed: 4, style: .block, expression: .normal, now: 0)
        var whole = 0, parts: [Int] = []
        for frame in 0..<60 {
            let face = animator.face(at: Double(frame) / 30)
            if frame == 30 { animator.show(RobotFace.Expression.all[11], now: 1) }
            var bytes: [UInt8] = []
            painter.encode(face, isSynchronized: false, into: &bytes)
            if frame == 0 { whole = bytes.count } else { parts.append(bytes.count) }
            screen.feed(bytes, cell: cell)
            var repainter = SixelPainter(columns: 30, rows: 10, cellWidth: cell.width, cellHeight: cell.height)
            var fresh = SixelScreen(width: painter.width, height: painter.height)
            bytes.removeAll()
            repainter.encode(face, isSynchronized: false, into: &bytes)
            fresh.feed(bytes, cell: cell)
            #expect(screen.pixels == fresh.pixels, "frame \(frame)")
        }
        #expect(screen.isWhole)
        #expect(parts.contains { $0 < whole })
        var bytes: [UInt8] = []
        var last = FaceState(RobotFace.Expression.all[9])
        painter.encode(last, isSynchronized: true, into: &bytes)
        last.face[.markScale] *= 0.9
        bytes.removeAll()
        painter.encode(last, isSynchronized: true, into: &bytes)
        #expect(bytes.count < whole / 3, "a heart that beats")
        bytes.removeAll()
        painter.encode(last, isSynchronized: true, into: &bytes)
        bytes.removeAll()
        painter.encode(last, isSynchronized: true, into: &bytes)
        #expect(bytes.isEmpty)
        painter.invalidate()
        painter.encode(last, isSynchronized: true, into: &bytes)
        #expect(!bytes.isEmpty)
    }

    @Test func `the kitty protocol carries the face, in pieces that are small enough`() throws {
        var painter = KittyPainter(columns: 20, rows: 9, cellWidth: 10, cellHeight: 20)
        var raster = FaceRaster(width: 100, height: 80)
        let face = FaceState(RobotFace.Expression.all[18])
        var bytes: [UInt8] = []
        painter.encode(face, isSynchronized: false, into: &bytes)
        let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1b}_G").dropFirst()
        var data = Data()
        for (index, part) in parts.enumerated() {
            let pieces = part.replacingOccurrences(of: "\u{1b}\\", with: "").components(separatedBy: ";")
            #expect(pieces[1].utf8.count <= 4096)
            #expect(pieces[0].hasSuffix(index + 1 == parts.count ? "m=0" : "m=1"))
            data += try #require(Data(base64Encoded: pieces[1]))
        }
        #expect(parts.first?.contains("s=100,v=80,c=20,r=8") == true)
        #expect(Array(data) == raster.draw(face))
        bytes.removeAll()
        painter.encode(face, isSynchronized: false, into: &bytes)
        #expect(bytes.isEmpty)
    }
}

@Suite(.serialized) struct GraphicsScreenTests {
    private func terminal(_ variables: [String: String] = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]) throws
        -> (TestTerminal, FaceScreen)
    {
        let terminal = TestTerminal()
        let screen = try terminal.screen {
            $0.depth = nil
            $0.guess = TerminalGuess { variables[$0] }
        }
        screen.start()
        return (terminal, screen)
    }

    private let sixel = "\u{1b}P0;1q", kitty = "\u{1b}_Ga=T"

    @Test func `a terminal with sixel gets sixel, and text gets cells`() throws {
        let (terminal, screen) = try terminal()
        #expect(terminal.wait { terminal.output.contains("\u{1b}[c") })
        terminal.type("\u{1b}[6;16;8t\u{1b}[?62;4;22c")
        #expect(terminal.wait { terminal.output.contains(sixel) })
        terminal.forget()
        screen.update(FaceChange(page: ["help"]))
        #expect(terminal.wait { terminal.output.contains("help") })
        #expect(!terminal.output.contains(sixel))
        terminal.forget()
        screen.update(FaceChange(page: []))
        #expect(terminal.wait { terminal.output.contains(sixel) })
        screen.stop()
        close(terminal.far)
    }

    @Test func `a terminal with both gets the kitty protocol, and its picture is removed at the end`() throws {
        let (terminal, screen) = try terminal()
        #expect(terminal.wait { terminal.output.contains("a=q") })
        terminal.type("\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[6;16;8t\u{1b}[?62;4;22c")
        #expect(terminal.wait { terminal.output.contains(kitty) })
        #expect(!terminal.output.contains(sixel))
        screen.update(FaceChange(page: ["help"]))
        #expect(terminal.wait { terminal.output.contains("a=d,d=I") })
        screen.stop()
        close(terminal.far)
    }

    @Test(arguments: [
        ["TERM": "xterm-256color", "COLORTERM": "truecolor", "SSH_CONNECTION": "1 2 3 4"],
        ["TERM": "tmux-256color", "TMUX": "/tmp/x"], ["TERM": "xterm", "NO_COLOR": "1"],
    ])
    func `over a remote connection, behind tmux or without colours cells are used`(variables: [String: String]) throws {
        let (terminal, screen) = try terminal(variables)
        #expect(terminal.wait { terminal.output.contains("\u{1b}[c") })
        terminal.type("\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[6;16;8t\u{1b}[?62;4;22c")
        #expect(terminal.wait { terminal.output.contains("\u{1b}[?2026l") })
        #expect(!terminal.output.contains(sixel) && !terminal.output.contains(kitty))
        screen.stop()
        close(terminal.far)
    }
}
