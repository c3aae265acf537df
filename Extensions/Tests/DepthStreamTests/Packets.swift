@testable import DepthStream

/// Bytes as senders write them. The pictures are only their beginnings: nothing here decodes them.
enum Packets {
    static func jpeg(_ number: Int, size: Int = 40) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: max(0, size - 4))
    }

    static func png(_ number: Int, size: Int = 30) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: max(0, size - 4))
    }

    static func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// A packet of a form.
    static func packet(_ form: StreamForm, _ jpeg: [UInt8], _ second: [UInt8]) -> [UInt8] {
        form == .interleaved
            ? word(jpeg.count) + jpeg + word(second.count) + second
            : word(jpeg.count) + word(second.count) + jpeg + second
    }

    /// A packet with a number.
    static func packet(_ form: StreamForm, _ number: Int) -> [UInt8] {
        packet(form, jpeg(number, size: 30 + number % 50), form == .cameras ? jpeg(number) : png(number))
    }
}
