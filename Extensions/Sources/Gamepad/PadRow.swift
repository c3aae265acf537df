/// A row of SDL's mapping database: a kind of device, and what its numbered buttons, axes and hats mean.
///
/// `030000005e0400008e02000010010000,Some Pad,a:b0,leftx:a0,dpup:h0.1,lefttrigger:+a2,righty:a4~,platform:Linux,`
struct PadRow: Sendable, Equatable {
    enum Place: Sendable, Equatable {
        case button(Int)
        case axis(Int, AxisPart, isInverted: Bool)
        case hat(Int, Int)
    }

    let guid: PadGUID
    private(set) var entries: [(place: Place, target: PadTarget)] = []

    /// The longest line that is read, in bytes.
    static let longest = 4096

    /// Reads a line. The result is nil if it is a comment, a row of another system, or not a row.
    init?(_ line: Substring) {
        guard line.utf8.count <= Self.longest else { return nil }
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count > 2, let guid = PadGUID(fields[0]) else { return nil }
        self.guid = guid
        var isLinux = false
        for field in fields[2...] {
            guard let colon = field.firstIndex(of: ":") else { continue }
            let name = field[..<colon], value = field[field.index(after: colon)...]
            switch name {
            case "platform": isLinux = value.trimmed == "Linux"
            // The row with letters. The other one, with places, is beside it.
            case "hint": if !value.hasPrefix("!") { return nil }
            default:
                guard let target = Self.target(name), let place = Self.place(value.trimmed) else { continue }
                entries.append((place, target))
            }
        }
        guard isLinux, !entries.isEmpty else { return nil }
    }

    static func == (a: PadRow, b: PadRow) -> Bool {
        a.guid == b.guid && a.entries.count == b.entries.count
            && zip(a.entries, b.entries).allSatisfy { $0.place == $1.place && $0.target == $1.target }
    }

    // MARK: reading

    private static let buttons: [Substring: PadButton] = [
        "a": .south, "b": .east, "x": .west, "y": .north, "back": .back, "start": .start, "guide": .guide,
        "leftshoulder": .leftShoulder, "rightshoulder": .rightShoulder, "lefttrigger": .leftTrigger,
        "righttrigger": .rightTrigger, "leftstick": .leftStick, "rightstick": .rightStick, "dpup": .up,
        "dpdown": .down, "dpleft": .left, "dpright": .right,
    ]
    private static let sticks: [Substring: PadAxis] = [
        "leftx": .leftX, "lefty": .leftY, "rightx": .rightX, "righty": .rightY,
    ]

    private static func target(_ name: Substring) -> PadTarget? {
        let (part, rest) = part(name)
        if let stick = sticks[rest] { return .stick(stick, part) }
        return part == .whole ? buttons[rest].map { .button($0) } : nil
    }

    private static func part(_ text: Substring) -> (AxisPart, Substring) {
        switch text.first {
        case "+": (.positive, text.dropFirst())
        case "-": (.negative, text.dropFirst())
        default: (.whole, text)
        }
    }

    private static func place(_ text: Substring) -> Place? {
        let (part, rest) = part(text)
        let isInverted = rest.hasSuffix("~")
        let body = isInverted ? rest.dropLast() : rest
        let number = body.dropFirst()
        switch body.first {
        case "b" where part == .whole && !isInverted:
            return Self.number(number, below: EventCode.keyCount).map { .button($0) }
        case "a": return Self.number(number, below: EventCode.axisCount).map { .axis($0, part, isInverted: isInverted) }
        case "h" where part == .whole && !isInverted:
            let halves = number.split(separator: ".", maxSplits: 1)
            guard halves.count == 2, let hat = Self.number(halves[0], below: 4),
                let mask = Self.number(halves[1], below: 9), [1, 2, 4, 8].contains(mask)
            else { return nil }
            return .hat(hat, mask)
        default: return nil
        }
    }

    private static func number(_ text: Substring, below limit: Int) -> Int? {
        // Int() would also read "+1".
        guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let value = Int(text), value < limit else {
            return nil
        }
        return value
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let head = drop { $0.isWhitespace }
        guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return head[...last]
    }
}
