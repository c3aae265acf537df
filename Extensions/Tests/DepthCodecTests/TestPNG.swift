import Codecs
import DockTestKit

/// PNG files as another writer would make them, with its own checksums, and without compression.
enum TestPNG {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A file with these rows. `filter`: the filter of each row.
    static func file(_ picture: DepthPicture, filter: (Int) -> UInt8 = { _ in 0 }) -> [UInt8] {
        file(header(picture.width, picture.height), zlib(rows(picture, filter: filter)))
    }

    /// A file of a header and packed rows, with other parts in between.
    static func file(
        _ header: [UInt8], _ data: [UInt8]..., before: [[UInt8]] = [], after: [[UInt8]] = []
    ) -> [UInt8] {
        let parts = [chunk("IHDR", header)] + before + data.map { chunk("IDAT", $0) } + after + [chunk("IEND", [])]
        return signature + parts.flatMap { $0 }
    }

    static func header(
        _ width: Int, _ height: Int, bits: UInt8 = 16, kind: UInt8 = 0, compression: UInt8 = 0, filter: UInt8 = 0,
        interlace: UInt8 = 0
    ) -> [UInt8] { word(width) + word(height) + [bits, kind, compression, filter, interlace] }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return word(content.count) + body + word(Int(checksum(body)))
    }

    static func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// CRC-32 as the PNG specification defines it, bit by bit.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        }
    }

    /// A zlib stream of stored blocks.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01], rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535), size = block.count
            rest = rest.dropFirst(size)
            stream += [
                rest.isEmpty ? 1 : 0, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8 & 255),
            ]
            stream += block
        } while !rest.isEmpty
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + word(b << 16 | a)
    }

    /// The rows with their filters in front, written from the definitions of the specification.
    static func rows(_ picture: DepthPicture, filter: (Int) -> UInt8) -> [UInt8] {
        var rows: [UInt8] = []
        func byte(_ at: Int, _ y: Int) -> Int {
            guard at >= 0, y >= 0, let sample = picture[at / 2, y] else { return 0 }
            return at.isMultiple(of: 2) ? Int(sample >> 8) : Int(sample & 255)
        }
        for y in 0..<picture.height {
            let kind = filter(y)
            rows.append(kind)
            for at in 0..<2 * picture.width {
                let (left, up, corner) = (byte(at - 2, y), byte(at, y - 1), byte(at - 2, y - 1))
                let guess =
                    switch kind {
                    case 1: left
                    case 2: up
                    case 3: (left + up) / 2
                    case 4: paeth(left, up, corner)
                    default: 0
                    }
                rows.append(UInt8(truncatingIfNeeded: byte(at, y) - guess))
            }
        }
        return rows
    }

    private static func paeth(_ a: Int, _ b: Int, _ c: Int) -> Int {
        let p = a + b - c
        let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    }

    /// A picture of random samples; every other one is smooth with holes.
    static func picture(_ dice: inout Dice, most: Int = 40) -> DepthPicture? {
        let width = Int.random(in: 1...most, using: &dice), height = Int.random(in: 1...most, using: &dice)
        let isSmooth = dice.once(in: 2)
        let samples = (0..<width * height).map { at -> UInt16 in
            if isSmooth { return dice.once(in: 9) ? 0 : UInt16(1000 + at % width * 3 + at / width) }
            return dice.once(in: 9) ? 65_535 : UInt16.random(in: 0...65_535, using: &dice)
        }
        return DepthPicture(width: width, height: height, samples: samples)
    }
}
