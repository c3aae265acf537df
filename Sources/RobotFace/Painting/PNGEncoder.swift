/// Writes an image as a PNG file.
///
/// A face consists mostly of runs of equal pixels and slow gradients, so the differences between neighbours are nearly
/// all zeros and ones.
public enum PNGEncoder {
    /// Returns the bytes of the file. They are empty unless `pixels` are rows of red, green, blue (sRGB) with `width *
    /// height * 3` bytes.
    public static func encode(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
        guard width > 0, height > 0, pixels.count == width * height * 3 else { return [] }
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // 8 bits per channel, RGB, no interlacing.
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

    /// Subtracts from each row the row above or the left neighbour, whichever gives more zeros.
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

    /// Wraps data in the zlib format.
    private static func compressed(_ data: [UInt8]) -> [UInt8] {
        [0x78, 0x01] + RunDeflate.compress(data) + bigEndian(Int(adler(data)))
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
