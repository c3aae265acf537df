internal import Glibc

/// Palette colours for an expression without hand-chosen ones.
extension FaceRamp {
    /// Finds the palette colours nearest to a colour and an accent, sRGB 0xRRGGBB, and to darker ones of the same hue.
    init(near colour: UInt32, accent: UInt32) {
        let steps: [Float] = [0.35, 0.6, 0.8, 1, 1]
        let small = Self.small(colour)
        self.init(
            steps.map { Self.large(colour, $0) }, accent: (Self.large(accent, 0.6), Self.large(accent, 1)),
            small: [small, small + 8], Self.small(accent) + 8)
    }

    /// Returns the nearest of the 6 x 6 x 6 cube and the greys. Hue counts more than lightness, so that a ramp keeps
    /// its hue.
    private static func large(_ rgb: UInt32, _ share: Float) -> UInt8 {
        let wanted = Lab(channels(rgb) * share)
        var best: (index: UInt8, distance: Float) = (16, .infinity)
        for index in UInt8(16)...255 {
            let distance = wanted.distance(Lab(channels(of: index)))
            if distance < best.distance { best = (index, distance) }
        }
        return best.index
    }

    /// Returns the dark version of the nearest of the eight hues among the 16 colours. The index of the bright version
    /// is 8 higher.
    private static func small(_ rgb: UInt32) -> UInt8 {
        let colour = channels(rgb), brightest = colour.max()
        guard brightest > 0, colour.min() / brightest < 0.72 else { return 7 }
        // A channel is on if it is more than about half of the brightest.
        var index: UInt8 = 0
        for channel in 0..<3 where colour[channel] > 0.55 * brightest { index |= 1 << channel }
        return index
    }

    private static func channels(_ rgb: UInt32) -> SIMD3<Float> {
        SIMD3(Float(rgb >> 16 & 255), Float(rgb >> 8 & 255), Float(rgb & 255)) / 255
    }

    /// Returns the sRGB values of one of the 256 colours from 16 on, which are the same in all terminals.
    private static func channels(of index: UInt8) -> SIMD3<Float> {
        if index >= 232 { return SIMD3(repeating: Float(8 + 10 * Int(index - 232)) / 255) }
        func level(_ step: UInt8) -> Float { step == 0 ? 0 : Float(55 + 40 * Int(step)) / 255 }
        let cube = index - 16
        return SIMD3(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
    }

    /// A colour in Oklab (Ottosson, 2020): lightness and two colour axes, with perceptually uniform distances.
    private struct Lab {
        let lightness: Float, a: Float, b: Float

        init(_ encoded: SIMD3<Float>) {
            func linear(_ value: Float) -> Float {
                value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
            }
            let red = linear(encoded.x), green = linear(encoded.y), blue = linear(encoded.z)
            let l = cbrtf(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
            let m = cbrtf(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
            let s = cbrtf(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
            lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
            a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
            b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
        }

        func distance(_ other: Lab) -> Float {
            let light = lightness - other.lightness, x = a - other.a, y = b - other.b
            return light * light + 4 * (x * x + y * y)
        }
    }
}
