internal import Foundation

/// The numbers of a run's subjects as UUIDs, and back.
///
/// A subject's UUID has the run in its first groups and the number in its last, in decimal digits, so that a person can
/// read it aloud: subject 12 is `5f3a9c02-17e4-86b0-8000-000000000012`. A number that does not fit there, because the
/// app chose it, is written in hexadecimal after a 9.
struct SubjectNumbers: Sendable {
    /// The first 64 bits of the run's UUIDs: 48 random bits, the version 8 in four bits, eight random bits, and four bits
    /// for the number.
    private let runBits: UInt64

    /// Creates the numbers of a run. `run`: 56 bits that differ from run to run.
    init(run: UInt64 = .random(in: 0...UInt64.max)) {
        runBits = (run >> 8) << 16 | 0x8000 | (run & 0xFF) << 4
    }

    /// The four bits before the last 60: whether these are decimal digits or bits.
    private static let decimal: UInt64 = 0x8, other: UInt64 = 0x9
    private static let last60: UInt64 = 0x0FFF_FFFF_FFFF_FFFF
    /// The first number that has more than twelve digits.
    private static let capacity = 1_000_000_000_000

    /// Returns the UUID of a subject.
    func uuid(of number: Int) -> UUID {
        guard (0..<Self.capacity).contains(number) else {
            let bits = UInt64(bitPattern: Int64(number))
            return UUID(high: runBits | bits >> 60, low: Self.other << 60 | bits & Self.last60)
        }
        var digits: UInt64 = 0, rest = UInt64(number), place: UInt64 = 0
        while rest > 0 {
            digits |= (rest % 10) << place
            rest /= 10
            place += 4
        }
        return UUID(high: runBits, low: Self.decimal << 60 | digits)
    }

    /// Returns the number of a subject, or nil if the UUID is not one of this run.
    func number(of uuid: UUID) -> Int? {
        let (high, low) = uuid.halves
        guard high & ~0xF == runBits else { return nil }
        let digits = low & Self.last60
        switch low >> 60 {
        case Self.other: return Int(truncatingIfNeeded: (high & 0xF) << 60 | digits)
        case Self.decimal where high & 0xF == 0 && digits >> 48 == 0:
            var number = 0
            for place in stride(from: 44, through: 0, by: -4) {
                let digit = Int(digits >> UInt64(place) & 0xF)
                guard digit < 10 else { return nil }
                number = number * 10 + digit
            }
            return number
        default: return nil
        }
    }
}

extension UUID {
    /// Creates a UUID from its first and its last 64 bits.
    init(high: UInt64, low: UInt64) {
        func byte(_ half: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: half >> (56 - 8 * index)) }
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }

    /// The first and the last 64 bits.
    var halves: (high: UInt64, low: UInt64) {
        withUnsafeBytes(of: uuid) { bytes in
            func half(_ part: Slice<UnsafeRawBufferPointer>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
            return (half(bytes[..<8]), half(bytes[8...]))
        }
    }

    /// Creates the UUID that always belongs to a name, such as the id that a dock reports.
    init(named name: String) {
        // FNV-1a, with two starting values.
        func hash(_ start: UInt64) -> UInt64 {
            name.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        let high = hash(0xCBF2_9CE4_8422_2325), low = hash(0x8422_2325_CBF2_9CE4)
        // Version 8 and the usual variant.
        self.init(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}
