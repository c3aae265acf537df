@testable import RobotFace

/// The part of a terminal that the encoder relies on, implemented independently: bytes in, cells out.
struct ScreenEmulator {
    private(set) var grid: CellGrid
    /// Bytes that this terminal does not know; a correct encoder leaves it empty.
    private(set) var unknown: [String] = []
    private(set) var isSynchronized = false
    /// How often a synchronized update was closed.
    private(set) var updates = 0
    private var row = 0, column = 0
    private var foreground = Cell.standard, background = Cell.standard
    private var text: [UInt8] = []
    private var sequence: [UInt8] = []
    private var missing = 0

    init(columns: Int, rows: Int) { grid = CellGrid(columns: columns, rows: rows) }

    mutating func feed(_ bytes: [UInt8]) { for byte in bytes { feed(byte) } }

    private mutating func feed(_ byte: UInt8) {
        if !sequence.isEmpty {
            sequence.append(byte)
            if byte >= 0x40, sequence.count > 2 || byte != 0x5B {
                run(String(decoding: sequence, as: UTF8.self))
                sequence.removeAll(keepingCapacity: true)
            }
        } else if byte == 0x1B {
            sequence.append(byte)
        } else if missing > 0 {
            text.append(byte)
            missing -= 1
            if missing == 0 { put() }
        } else {
            text.removeAll(keepingCapacity: true)
            text.append(byte)
            missing = byte < 0x80 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
            if missing == 0 { put() }
        }
    }

    private mutating func put() {
        guard let scalar = String(decoding: text, as: UTF8.self).unicodeScalars.first,
            column < grid.columns
        else {
            unknown.append("text beyond the edge")
            return
        }
        grid[row, column] = Cell(glyph: scalar.value, foreground: foreground, background: background)
        column += 1
    }

    private mutating func run(_ sequence: String) {
        let body = sequence.dropFirst(2).dropLast()
        let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch sequence.last {
        case "H":
            row = min(max((numbers.first ?? 1) - 1, 0), grid.rows - 1)
            column = numbers.count > 1 ? min(max(numbers[1] - 1, 0), grid.columns - 1) : 0
        case "C": column += max(numbers.first ?? 1, 1)
        case "m": colours(numbers)
        case "h" where body == "?2026": isSynchronized = true
        case "l" where body == "?2026":
            isSynchronized = false
            updates += 1
        default: unknown.append(sequence)
        }
    }

    private mutating func colours(_ numbers: [Int]) {
        var index = 0
        while index < numbers.count {
            let code = numbers[index]
            switch code {
            case 38, 48:
                let isWide = index + 4 < numbers.count && numbers[index + 1] == 2
                let colour =
                    isWide
                    ? UInt32(numbers[index + 2] << 16 | numbers[index + 3] << 8 | numbers[index + 4])
                    : UInt32(numbers[index + 2])
                if code == 38 { foreground = colour } else { background = colour }
                index += isWide ? 4 : 2
            case 30...37: foreground = UInt32(code - 30)
            case 90...97: foreground = UInt32(code - 82)
            case 40...47: background = UInt32(code - 40)
            case 100...107: background = UInt32(code - 92)
            case 39: foreground = Cell.standard
            case 49: background = Cell.standard
            case 0: (foreground, background) = (Cell.standard, Cell.standard)
            default: unknown.append("SGR \(code)")
            }
            index += 1
        }
    }
}
