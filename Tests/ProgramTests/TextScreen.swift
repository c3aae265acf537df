/// What a person reads on a terminal: the characters of the screen, without colours. Understands the sequences that the
/// face sends.
struct TextScreen {
    private(set) var rows: [[Unicode.Scalar]]
    private var row = 0, column = 0

    /// The screen after these bytes.
    init(_ bytes: [UInt8], columns: Int = 80, rows count: Int = 24) {
        rows = Array(repeating: Array(repeating: " ", count: columns), count: count)
        var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\u{1b}": escape(&scalars)
            case "\r": column = 0
            case "\n": row += 1
            case let other where other.value >= 0x20: put(other)
            default: break
            }
        }
    }

    /// The text of all rows.
    var text: String { rows.map(line).joined(separator: "\n") }

    /// The text of the bottom row.
    var bottom: String { rows.last.map(line) ?? "" }

    private func line(_ row: [Unicode.Scalar]) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: row)
        return String(text)
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if rows.indices.contains(row), rows[row].indices.contains(column) { rows[row][column] = scalar }
        column += 1
    }

    private mutating func escape(_ scalars: inout Substring.UnicodeScalarView) {
        switch scalars.popFirst() {
        case "[":
            var body = ""
            while let scalar = scalars.popFirst() {
                guard ("@"..."~").contains(scalar) else {
                    body.unicodeScalars.append(scalar)
                    continue
                }
                run(scalar, body)
                return
            }
        case "P", "]":
            while let scalar = scalars.popFirst(), scalar != "\\", scalar != "\u{7}" {}
        default: break
        }
    }

    private mutating func run(_ final: Unicode.Scalar, _ body: String) {
        let numbers = body.split(separator: ";").compactMap { Int($0) }
        switch final {
        case "H":
            row = (numbers.first ?? 1) - 1
            column = (numbers.count > 1 ? numbers[1] : 1) - 1
        case "C": column += numbers.first ?? 1
        case "J": for index in rows.indices { rows[index] = rows[index].map { _ in " " } }
        default: break
        }
    }
}
