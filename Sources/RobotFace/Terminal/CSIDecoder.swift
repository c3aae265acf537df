/// Decodes the control sequences of keys, mouse and answers.
enum CSIDecoder {
    /// Decodes ESC O and a letter: keys in application mode.
    static func single(_ byte: UInt8) -> InputEvent? {
        guard let key = letterKeys[byte] else { return nil }
        return .key(key, modifiers: [], phase: .press)
    }

    /// Decodes ESC [ body final.
    static func event(_ body: [UInt8], final: UInt8) -> InputEvent? {
        let prefix = body.first ?? 0
        if prefix == 0x3F || prefix == 0x3E || body.contains(0x24) { return reply(body, final: final) }
        if prefix == 0x3C { return mouse(Numbers(body.dropFirst()), final: final) }
        let numbers = Numbers(body[...])
        switch final {
        case 0x49: return body.isEmpty ? .focusGained : nil
        case 0x4F: return body.isEmpty ? .focusLost : nil
        case 0x5A: return .key(.tab, modifiers: .shift, phase: .press)
        case 0x75: return keyboard(numbers)
        case 0x7E:
            if numbers[0] == 200 { return .paste }
            guard let key = numberedKeys[numbers[0]] else { return nil }
            return .key(key, modifiers: numbers.modifiers, phase: numbers.phase)
        case 0x74:
            return numbers[0] == 6
                ? .reply(.cellSize(width: numbers[2], height: numbers[1])) : .reply(.other)
        case 0x52, 0x6E:
            // This is a cursor report, or F3 with modifiers. Here, a cursor report never has row 1 followed by a
            // modifier.
            guard final == 0x52, numbers[0] == 1, numbers.count == 2 else { return .reply(.other) }
            return .key(.function(3), modifiers: numbers.modifiers, phase: numbers.phase)
        default:
            guard let key = letterKeys[final] else { return nil }
            return .key(key, modifiers: numbers.modifiers, phase: numbers.phase)
        }
    }

    /// Decodes the kitty keyboard protocol: CSI code : shifted ; modifiers : phase u.
    private static func keyboard(_ numbers: Numbers) -> InputEvent? {
        let key: Key
        switch numbers[0] {
        case 13, 57414: key = .enter
        case 9: key = .tab
        case 27: key = .escape
        case 32: key = .space
        case 127: key = .backspace
        case 33..<127, 161..<57344:
            guard let scalar = Unicode.Scalar(UInt32(numbers[0])) else { return nil }
            key = .character(scalar)
        default: return nil
        }
        return .key(key, modifiers: numbers.modifiers, phase: numbers.phase)
    }

    private static func mouse(_ numbers: Numbers, final: UInt8) -> InputEvent? {
        guard numbers.count >= 3, final == 0x4D || final == 0x6D else { return nil }
        let code = numbers[0], column = max(numbers[1] - 1, 0), row = max(numbers[2] - 1, 0)
        let modifiers = KeyModifiers(rawValue: UInt8((code >> 2) & 7))
        let action: MouseAction
        if code & 64 != 0 {
            guard code & 3 < 2 else { return nil }
            action = .wheel(code & 3 == 0 ? 1 : -1)
        } else if code & 32 != 0 {
            action = .motion
        } else {
            guard code & 3 < 3 else { return nil }
            action = final == 0x4D ? .press(button: code & 3) : .release(button: code & 3)
        }
        return .mouse(action, column: column, row: row, modifiers: modifiers)
    }

    private static func reply(_ body: [UInt8], final: UInt8) -> InputEvent? {
        let numbers = Numbers(body.dropFirst())
        switch (body.first, final) {
        case (0x3F, 0x63):
            // The first number is the class of the terminal.
            return .reply(.deviceAttributes(sixel: (0..<numbers.count).contains { $0 > 0 && numbers[$0] == 4 }))
        case (0x3F, 0x75): return .reply(.keyboard(flags: numbers[0]))
        case (0x3F, 0x79): return .reply(.mode(numbers[0], state: numbers[1]))
        default: return .reply(.other)
        }
    }

    private static let letterKeys: [UInt8: Key] = [
        0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x48: .home, 0x46: .end, 0x4D: .enter, 0x50: .function(1),
        0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
    ]
    private static let numberedKeys: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end, 11: .function(1),
        12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6), 18: .function(7),
        19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12),
    ]
}

/// Up to sixteen numbers between semicolons, and the number after a colon of the second one.
private struct Numbers {
    private var values = SIMD16<Int32>.zero
    private(set) var count = 0
    private var detail: Int32 = 1

    init(_ bytes: ArraySlice<UInt8>) {
        var part = 0, subpart = 0
        var value: Int32 = 0
        if !bytes.isEmpty { count = 1 }
        func keep(_ numbers: inout Numbers) {
            guard part < 16 else { return }
            if subpart == 0 { numbers.values[part] = value } else if part == 1, subpart == 1 { numbers.detail = value }
        }
        for byte in bytes {
            switch byte {
            case 0x30..<0x3A: value = min(value * 10 + Int32(byte - 0x30), 1_000_000)
            case 0x3B:
                keep(&self)
                (value, subpart) = (0, 0)
                part += 1
                count = min(part + 1, 16)
            case 0x3A:
                keep(&self)
                value = 0
                subpart += 1
            default: break
            }
        }
        keep(&self)
    }

    subscript(index: Int) -> Int { index < 16 ? Int(values[index]) : 0 }

    /// The modifiers. Terminals send their bits plus one as the second number.
    var modifiers: KeyModifiers {
        KeyModifiers(rawValue: UInt8(truncatingIfNeeded: max(self[1] - 1, 0)) & 0x0F)
    }

    var phase: KeyPhase {
        switch detail {
        case 2: .repeat
        case 3: .release
        default: .press
        }
    }
}
