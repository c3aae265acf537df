/// Reads numbers and names from a message, never beyond its end.
struct MulticastReader {
    let bytes: [UInt8]
    private(set) var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func byte() -> Int? {
        guard at < bytes.count else { return nil }
        defer { at += 1 }
        return Int(bytes[at])
    }

    /// A number of two bytes.
    mutating func short() -> Int? {
        guard let high = byte(), let low = byte() else { return nil }
        return high << 8 | low
    }

    /// A number of four bytes.
    mutating func long() -> Int? {
        guard let high = short(), let low = short() else { return nil }
        return high << 16 | low
    }

    mutating func skip(to place: Int) -> Bool {
        guard place >= at, place <= bytes.count else { return false }
        at = place
        return true
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, count <= bytes.count - at else { return nil }
        defer { at += count }
        return Array(bytes[at..<at + count])
    }

    /// A name, which may continue at an earlier place. Each continuation must point before all that was read, so it
    /// ends, and a name has at most 255 bytes.
    mutating func name() -> MulticastName? {
        var labels: [[UInt8]] = [], place = at, earliest = at, hasJumped = false
        var length = 1
        while true {
            guard place < bytes.count else { return nil }
            let count = Int(bytes[place])
            switch count {
            case 0:
                if !hasJumped { at = place + 1 }
                return MulticastName(labels: labels)
            case 1...MulticastName.longestLabel:
                length += count + 1
                guard length <= MulticastName.longest, place + 1 + count <= bytes.count else { return nil }
                labels.append(Array(bytes[place + 1..<place + 1 + count]))
                place += 1 + count
            case 0xC0...0xFF:
                guard place + 1 < bytes.count else { return nil }
                let target = (count & 0x3F) << 8 | Int(bytes[place + 1])
                guard target < earliest else { return nil }
                if !hasJumped { at = place + 2 }
                (place, earliest, hasJumped) = (target, target, true)
            default: return nil
            }
        }
    }
}
