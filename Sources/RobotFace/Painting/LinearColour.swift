internal import Glibc

/// A colour in linear light, the space in which light adds up: red, green, blue, 0...1.
struct LinearColour: Sendable, Equatable {
    var light: SIMD3<Float>

    init(_ light: SIMD3<Float>) { self.light = light }

    /// Converts from sRGB 0xRRGGBB.
    init(rgb: UInt32) {
        light = SIMD3(
            Self.decode(UInt8(truncatingIfNeeded: rgb >> 16)), Self.decode(UInt8(truncatingIfNeeded: rgb >> 8)),
            Self.decode(UInt8(truncatingIfNeeded: rgb)))
    }

    private static func decode(_ value: UInt8) -> Float {
        let encoded = Float(value) / 255
        return encoded <= 0.04045 ? encoded / 12.92 : powf((encoded + 0.055) / 1.055, 2.4)
    }

    /// The sRGB values of 4096 steps of linear light, which are finer than a screen can show, except for the darkest
    /// few. They are never freed.
    static let encoded: ColourTable = {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 4096)
        for step in 0..<4096 {
            let light = Float(step) / 4095
            let encoded = light <= 0.0031308 ? light * 12.92 : 1.055 * powf(light, 1 / 2.4) - 0.055
            table[step] = UInt8(min(max((encoded * 255).rounded(), 0), 255))
        }
        return ColourTable(table)
    }()
}

/// A table that does not change after its creation.
struct ColourTable: @unchecked Sendable {
    private let table: UnsafePointer<UInt8>

    init(_ table: UnsafeMutablePointer<UInt8>) { self.table = UnsafePointer(table) }

    /// Returns the sRGB value 0xRRGGBB of linear light.
    @inline(__always)
    func packed(_ light: SIMD3<Float>) -> UInt32 {
        @inline(__always)
        func channel(_ value: Float) -> UInt32 {
            let step = (min(max(value, 0), 1) * 4095 + Self.wholes).bitPattern & 4095
            return UInt32(table[Int(step)])
        }
        return channel(light.x) << 16 | channel(light.y) << 8 | channel(light.z)
    }

    /// Returns the same for eight points.
    @inline(__always)
    func packed(_ light: FaceLight) -> SIMD8<UInt32> {
        @inline(__always)
        func steps(_ channel: Lanes) -> SIMD8<UInt32> {
            unsafeBitCast(share(channel) * 4095 + Self.wholes, to: SIMD8<UInt32>.self) & 4095
        }
        let red = steps(light.red), green = steps(light.green), blue = steps(light.blue)
        var result = SIMD8<UInt32>.zero
        for lane in 0..<8 {
            result[lane] =
                UInt32(table[Int(red[lane])]) << 16 | UInt32(table[Int(green[lane])]) << 8
                | UInt32(table[Int(blue[lane])])
        }
        return result
    }

    /// A number that, added to a number of 0...4095, leaves the nearest integer in the lowest bits, without the checks
    /// of a conversion.
    private static let wholes: Float = 8_388_608
}
