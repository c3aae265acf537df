/// Writes a picture as a PNG file.
///
/// A face is mostly runs of equal pixels and slow gradients: filtered rows and runs, with the format's fixed codes, make
/// it small without a library.
public enum PNGEncoder {
    /// The bytes of the file; `pixels` are rows of red, green, blue (sRGB), `width * height * 3` bytes, else it is empty.
    public static func encode(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
        guard width > 0, height > 0, pixels.count == width * height * 3 else { return [] }
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // 8 bits a channel, RGB, no interlacing.
        chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0], &bytes)
        chunk("IDAT", compressed(filtered(pixels, width * 3)), &bytes)
        chunk("IEND", [], &bytes)
        return bytes
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func chunk(_ name: StaticString, _ body: [UInt8], _ bytes: inout [UInt8]) {
        bytes += bigEndian(body.count)
        let start = bytes.count
        bytes.append(sequence: name)
        bytes += body
        bytes += bigEndian(Int(crc(bytes[start...])))
    }

    /// Each row less the row above or less its left neighbour, whichever has more zeros.
    private static func filtered(_ pixels: [UInt8], _ stride: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(pixels.count + pixels.count / stride)
        for start in Swift.stride(from: 0, to: pixels.count, by: stride) {
            let up = (0..<stride).map { pixels[start + $0] &- (start > 0 ? pixels[start + $0 - stride] : 0) }
            let left = (0..<stride).map { pixels[start + $0] &- ($0 >= 3 ? pixels[start + $0 - 3] : 0) }
            func zeros(_ row: [UInt8]) -> Int { row.count { $0 == 0 } }
            if zeros(up) >= zeros(left) {
                result.append(2)
                result += up
            } else {
                result.append(1)
                result += left
            }
        }
        return result
    }

    /// zlib around one deflate block with the fixed codes, in which only runs of one byte are shortened.
    private static func compressed(_ data: [UInt8]) -> [UInt8] {
        var bits = BitWriter()
        bits.bytes = [0x78, 0x01]
        bits.put(1, 1)
        bits.put(1, 2)
        var index = 0
        while index < data.count {
            bits.putSymbol(Int(data[index]))
            var run = 1
            while index + run < data.count, run <= 258, data[index + run] == data[index] { run += 1 }
            // The first byte stands for itself; the others repeat it.
            if run - 1 >= 3 {
                bits.putLength(run - 1)
                index += run
            } else {
                index += 1
            }
        }
        bits.putSymbol(256)
        bits.flush()
        return bits.bytes + bigEndian(Int(adler(data)))
    }

    private struct BitWriter {
        var bytes: [UInt8] = []
        private var held: UInt64 = 0, count = 0

        mutating func put(_ value: Int, _ length: Int) {
            held |= UInt64(value) << UInt64(count)
            count += length
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: held))
                held >>= 8
                count -= 8
            }
        }

        /// Codes are sent with their highest bit first.
        private mutating func putCode(_ code: Int, _ length: Int) {
            var turned = 0
            for bit in 0..<length where code >> bit & 1 == 1 { turned |= 1 << (length - 1 - bit) }
            put(turned, length)
        }

        mutating func putSymbol(_ symbol: Int) {
            switch symbol {
            case 0..<144: putCode(0x30 + symbol, 8)
            case 144..<256: putCode(0x190 + symbol - 144, 9)
            case 256..<280: putCode(symbol - 256, 7)
            default: putCode(0xC0 + symbol - 280, 8)
            }
        }

        /// A run of 3...258 bytes like the one before.
        mutating func putLength(_ length: Int) {
            if length == 258 {
                putSymbol(285)
            } else if length < 11 {
                putSymbol(254 + length)
            } else {
                // Groups of four codes share a number of extra bits.
                let extra = Int.bitWidth - 1 - (length - 3).leadingZeroBitCount - 2
                let group = (length - 3) >> extra
                putSymbol(257 + extra * 4 + group)
                put((length - 3) & ((1 << extra) - 1), extra)
            }
            // Distance 1.
            putCode(0, 5)
        }

        mutating func flush() { if count > 0 { put(0, 8 - count) } }
    }

    private static func adler(_ data: [UInt8]) -> UInt32 {
        var a: UInt32 = 1, b: UInt32 = 0
        for byte in data {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return b << 16 | a
    }

    private static func crc(_ data: ArraySlice<UInt8>) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in data {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
