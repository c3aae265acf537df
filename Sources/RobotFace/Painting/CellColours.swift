/// Converts the light of a face to a terminal's colours.
struct CellColours {
    /// The coverage from which on a pixel without colours is lit.
    static let lit: Float = 0.45

    private let depth: ColourDepth
    private let palette: FacePalette
    private let table = LinearColour.encoded
    private let covers = BlockFit.Cover.all

    init(_ expression: Expression, _ depth: ColourDepth) {
        self.depth = depth
        palette = FacePalette(expression, depth: depth)
    }

    /// Returns the colour of light, in the channels of `ColourDepth.ink`.
    @inline(__always)
    func pixel(_ light: SIMD3<Float>) -> UInt32 {
        switch depth {
        case .trueColour: table.packed(light)
        case .palette256, .palette16: palette.index(eye: light.x, accent: light.y)
        case .mono: light.x >= Self.lit ? 1 : 0
        }
    }

    /// Returns the same for eight points.
    @inline(__always)
    func pixels(_ light: FaceLight) -> SIMD8<UInt32> {
        if depth == .trueColour { return table.packed(light) }
        var result = SIMD8<UInt32>.zero
        for lane in 0..<8 { result[lane] = pixel(light[lane]) }
        return result
    }

    /// Returns a cell of one colour.
    @inline(__always)
    func whole(_ colour: UInt32) -> Cell {
        depth == .mono
            ? Cell(glyph: colour == 0 ? 0x20 : 0x2588, foreground: Cell.standard, background: Cell.standard)
            : Cell(glyph: 0x20, foreground: colour, background: colour)
    }

    /// Returns a cell of two pixels, one above the other. The glyph is at the bottom of the cell, because some fonts
    /// leave a gap above a glyph at the top. Two indistinguishable pixels become a cell without a glyph, which has no
    /// gap at all.
    @inline(__always)
    func halves(_ above: UInt32, _ below: UInt32) -> Cell {
        switch depth {
        case .trueColour:
            if isSame(above, below) { return Cell(glyph: 0x20, foreground: below, background: below) }
            return Cell(glyph: 0x2584, foreground: below, background: above)
        case .palette256, .palette16:
            return above == below
                ? Cell(glyph: 0x20, foreground: above, background: above)
                : Cell(glyph: 0x2584, foreground: below, background: above)
        case .mono:
            let glyph: UInt32 = above == 0 ? (below == 0 ? 0x20 : 0x2584) : below == 0 ? 0x2580 : 0x2588
            return Cell(glyph: glyph, foreground: Cell.standard, background: Cell.standard)
        }
    }

    /// Returns a cell of 4 x 8 samples: four times two rows, from top to bottom.
    @inline(__always)
    func fitted(_ first: FaceLight, _ second: FaceLight, _ third: FaceLight, _ fourth: FaceLight) -> Cell {
        switch depth {
        case .mono:
            let glyph = BlockFit(first.red, second.red, third.red, fourth.red).mono()
            return Cell(glyph: glyph, foreground: Cell.standard, background: Cell.standard)
        case .palette256, .palette16:
            let glyph = BlockFit(first.sum, second.sum, third.sum, fourth.sum).best()
            return twoColours(glyph, first, second, third, fourth, isRoot: false)
        case .trueColour:
            // Square roots of light are close to how steps are perceived by eyes and encoded in sRGB.
            let (first, second, third, fourth) = (first.roots, second.roots, third.roots, fourth.roots)
            let glyph = BlockFit(first.luminance, second.luminance, third.luminance, fourth.luminance).best()
            return twoColours(glyph, first, second, third, fourth, isRoot: true)
        }
    }

    /// Returns the mean colours of the area that a glyph covers, and of the rest.
    @inline(__always)
    private func twoColours(
        _ glyph: UInt32, _ a: FaceLight, _ b: FaceLight, _ c: FaceLight, _ d: FaceLight, isRoot: Bool
    ) -> Cell {
        @inline(__always)
        func total(_ channel: Lanes) -> Float { (channel.lowHalf + channel.highHalf).sum() }
        let all = SIMD3(
            total(a.red + b.red + c.red + d.red), total(a.green + b.green + c.green + d.green),
            total(a.blue + b.blue + c.blue + d.blue))
        guard glyph != 0x20 else {
            let mean = all / 32, colour = pixel(isRoot ? mean * mean : mean)
            return Cell(glyph: 0x20, foreground: colour, background: colour)
        }
        let cover = covers[Int(glyph - 0x2581)]
        let sum = SIMD3(
            cover.sum(a.red, b.red, c.red, d.red), cover.sum(a.green, b.green, c.green, d.green),
            cover.sum(a.blue, b.blue, c.blue, d.blue))
        let inside = sum / cover.count, outside = (all - sum) / (32 - cover.count)
        return cell(
            glyph, pixel(isRoot ? inside * inside : inside), pixel(isRoot ? outside * outside : outside))
    }

    @inline(__always)
    private func cell(_ glyph: UInt32, _ foreground: UInt32, _ background: UInt32) -> Cell {
        glyph == 0x20 || foreground == background
            ? Cell(glyph: 0x20, foreground: background, background: background)
            : Cell(glyph: glyph, foreground: foreground, background: background)
    }

    @inline(__always)
    private func isSame(_ a: UInt32, _ b: UInt32) -> Bool {
        @inline(__always)
        func isNear(_ shift: UInt32) -> Bool { abs(Int32((a >> shift) & 255) - Int32((b >> shift) & 255)) <= 1 }
        return isNear(0) && isNear(8) && isNear(16)
    }
}

extension ColourDepth {
    /// The quantity that must be measured for it.
    var ink: FaceInk.Kind {
        switch self {
        case .trueColour: .light
        case .palette256, .palette16: .levels
        case .mono: .coverage
        }
    }
}
