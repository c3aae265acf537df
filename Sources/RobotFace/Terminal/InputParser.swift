public import Geometry

/// Parses a terminal's input byte by byte: keys, mouse, focus, paste, answers. Any bytes are allowed: invalid sequences
/// are dropped, and an answer of the terminal never becomes a key.
public struct InputParser: Sendable {
    private enum State: Sendable {
        case ground, escape, sequence, single, string, stringEscape, utf8, paste
        /// The rest of an incomplete answer, none of which is a key.
        case drain
    }

    private static let longest = 96
    private var state = State.ground
    private var body: [UInt8] = []
    /// The kind of string: DCS or APC, or another one that was not requested.
    private var kind: UInt8 = 0
    private var stateSince: Seconds = 0
    private var scalar: UInt32 = 0
    private var missing = 0
    private var pasteMatch = 0
    private var pasteSince: Seconds = 0
    private var holdsAlt = false

    /// Creates a parser in its initial state.
    public init() { body.reserveCapacity(Self.longest) }

    /// Parses one byte. Returns the event that it completes, if any.
    public mutating func feed(_ byte: UInt8, now: Seconds) -> InputEvent? {
        defer { if state == .paste { stateSince = now } }
        switch state {
        case .ground: return ground(byte, now)
        case .escape: return escape(byte, now)
        case .sequence: return sequence(byte, now)
        case .single:
            state = .ground
            return CSIDecoder.single(byte)
        case .string:
            if byte == 0x1B {
                state = .stringEscape
            } else if byte == 0x07 || byte == 0x18 || byte == 0x1A {
                return endString(byte == 0x07)
            } else if body.count < Self.longest {
                body.append(byte)
            }
            return nil
        case .stringEscape:
            if byte == 0x5C { return endString(true) }
            state = .escape
            stateSince = now
            return escape(byte, now)
        case .utf8: return utf8(byte, now)
        case .paste: return paste(byte)
        case .drain: return drain(byte, now)
        }
    }

    /// Ends sequences that have waited too long. A lone ESC becomes the escape key after 50 ms, an incomplete sequence
    /// is dropped after 1 s, and a paste whose end was lost ends then. Within two more seconds, the rest of an answer
    /// still does not become a key.
    public mutating func flush(now: Seconds) -> InputEvent? {
        switch state {
        case .escape where now - stateSince >= 0.05:
            state = .ground
            return .key(.escape, modifiers: [], phase: .press)
        case .sequence where now - stateSince >= 0.05 && body.isEmpty:
            // ESC [ was followed by nothing, so a person pressed Alt+[.
            state = .ground
            return .key(.character("["), modifiers: .alt, phase: .press)
        case .string, .stringEscape:
            if now - stateSince >= 1 { (state, stateSince) = (.drain, now) }
            return nil
        case .sequence where body.first.map { (0x3C...0x3F).contains($0) } ?? false:
            // Only answers begin with ? and similar characters.
            if now - stateSince >= 1 { (state, stateSince) = (.drain, now) }
            return nil
        case .sequence, .single, .utf8:
            if now - stateSince >= 1 { state = .ground }
            return nil
        case .paste:
            // The keys of a person who presses one after another because none works must be accepted. A paste has no
            // gaps of that length.
            let quiet: Seconds = now - pasteSince < 3 ? 1 : 0.1
            if now - stateSince >= quiet { (state, pasteMatch) = (.ground, 0) }
            return nil
        case .drain:
            if now - stateSince >= 2 { state = .ground }
            return nil
        default: return nil
        }
    }

    /// Whether `flush` will have something to do.
    public var isWaiting: Bool { state != .ground }

    /// Drops bytes until the string terminator or the sequence's final letter. Ctrl-C and another sequence are still
    /// accepted.
    private mutating func drain(_ byte: UInt8, _ now: Seconds) -> InputEvent? {
        switch byte {
        case 0x1B:
            kind = 0
            body.removeAll(keepingCapacity: true)
            state = .stringEscape
        case 0x07, 0x18, 0x1A: state = .ground
        case 0x03:
            state = .ground
            return ground(byte, now)
        default: break
        }
        return nil
    }

    private mutating func ground(_ byte: UInt8, _ now: Seconds) -> InputEvent? {
        let alt: KeyModifiers = holdsAlt ? .alt : []
        holdsAlt = false
        stateSince = now
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case 0x0D, 0x0A: return .key(.enter, modifiers: alt, phase: .press)
        case 0x09: return .key(.tab, modifiers: alt, phase: .press)
        case 0x08, 0x7F: return .key(.backspace, modifiers: alt, phase: .press)
        case 0x20: return .key(.space, modifiers: alt, phase: .press)
        case 0x00: return .key(.space, modifiers: alt.union(.control), phase: .press)
        case 0x01..<0x1B:
            return .key(.character(Unicode.Scalar(byte + 0x60)), modifiers: alt.union(.control), phase: .press)
        case 0x1C..<0x20:
            return .key(.character(Unicode.Scalar(byte + 0x40)), modifiers: alt.union(.control), phase: .press)
        case 0x21..<0x7F: return .key(.character(Unicode.Scalar(byte)), modifiers: alt, phase: .press)
        case 0xC2..<0xE0: return startUTF8(byte & 0x1F, missing: 1, alt)
        case 0xE0..<0xF0: return startUTF8(byte & 0x0F, missing: 2, alt)
        case 0xF0..<0xF5: return startUTF8(byte & 0x07, missing: 3, alt)
        default: return nil
        }
    }

    private mutating func startUTF8(_ bits: UInt8, missing: Int, _ alt: KeyModifiers) -> InputEvent? {
        state = .utf8
        scalar = UInt32(bits)
        self.missing = missing
        holdsAlt = alt == .alt
        return nil
    }

    private mutating func utf8(_ byte: UInt8, _ now: Seconds) -> InputEvent? {
        guard byte & 0xC0 == 0x80 else {
            state = .ground
            holdsAlt = false
            return ground(byte, now)
        }
        scalar = scalar << 6 | UInt32(byte & 0x3F)
        missing -= 1
        guard missing == 0 else { return nil }
        state = .ground
        let alt: KeyModifiers = holdsAlt ? .alt : []
        holdsAlt = false
        guard scalar >= 0xA0, let character = Unicode.Scalar(scalar) else { return nil }
        return .key(.character(character), modifiers: alt, phase: .press)
    }

    private mutating func escape(_ byte: UInt8, _ now: Seconds) -> InputEvent? {
        stateSince = now
        body.removeAll(keepingCapacity: true)
        switch byte {
        case 0x5B: state = .sequence
        case 0x4F: state = .single
        case 0x50, 0x5D, 0x5F, 0x5E, 0x58:
            state = .string
            kind = byte
        case 0x1B:
            // Of two in a row, the first one was the key.
            return .key(.escape, modifiers: [], phase: .press)
        default:
            state = .ground
            holdsAlt = true
            return ground(byte, now)
        }
        return nil
    }

    private mutating func sequence(_ byte: UInt8, _ now: Seconds) -> InputEvent? {
        switch byte {
        case 0x20..<0x40:
            if body.count < Self.longest { body.append(byte) }
            return nil
        case 0x40..<0x7F:
            state = .ground
            if byte == 0x5B, body.isEmpty {
                // The Linux console's function keys: ESC [ [ A.
                state = .single
                return nil
            }
            guard body.count < Self.longest else { return nil }
            let event = CSIDecoder.event(body, final: byte)
            if event == .paste {
                state = .paste
                (pasteMatch, pasteSince) = (0, now)
            }
            return event
        case 0x1B:
            state = .escape
            stateSince = now
            return nil
        default:
            state = .ground
            return nil
        }
    }

    private mutating func endString(_ isWhole: Bool) -> InputEvent? {
        state = .ground
        guard isWhole else { return nil }
        // APC G ... ; OK: the queried image can be shown.
        if kind == 0x5F, body.starts(with: Self.graphics), body.suffix(3) == Self.allIsWell {
            return .reply(.kittyGraphics)
        }
        guard kind == 0x50 else { return .reply(.other) }
        // DCS 1 + r 524742 ... : the RGB capability is supported.
        if body.starts(with: Self.knownColours) { return .reply(.directColour(true)) }
        if body.starts(with: Self.unknownCapability) { return .reply(.directColour(false)) }
        // DCS 1 $ r ... 48:2 ... m : the 24-bit background that was just set was kept.
        if body.starts(with: Self.setting), holds(Self.background(0x3A)) || holds(Self.background(0x3B)) {
            return .reply(.directColour(true))
        }
        return .reply(.other)
    }

    private static let graphics = Array("Gi=31".utf8), allIsWell = ArraySlice(";OK".utf8)
    private static let knownColours = Array("1+r524742".utf8)
    private static let unknownCapability = Array("0+r".utf8)
    private static let setting = Array("1$r".utf8)
    private static func background(_ separator: UInt8) -> [UInt8] { [0x34, 0x38, separator, 0x32, separator] }

    private func holds(_ part: [UInt8]) -> Bool {
        body.indices.contains { body[$0...].starts(with: part) }
    }

    /// Skips pasted text up to ESC [ 201 ~.
    private mutating func paste(_ byte: UInt8) -> InputEvent? {
        let end: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
        pasteMatch = byte == end[pasteMatch] ? pasteMatch + 1 : byte == 0x1B ? 1 : 0
        if pasteMatch == end.count {
            pasteMatch = 0
            state = .ground
        }
        return nil
    }
}
