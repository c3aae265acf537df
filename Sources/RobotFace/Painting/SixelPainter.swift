internal import Glibc

/// Draws a face as sixel graphics: smooth curves on terminals that support them (DA1 contains 4).
///
/// The light of the eyes, including the halo, has a ramp of registers, and the marks a shorter one. A register is a
/// colour of this face. Only the changed rows and columns of an image are sent.
package struct SixelPainter: Sendable {
    private static let eyeSteps = 100, accentSteps = 12

    /// The size in pixels.
    package let width: Int, height: Int
    private let cellWidth: Int, cellHeight: Int
    private let frame: CellFrame
    private var shader = FaceShader()
    /// The registers of the new image, and those of the one that the terminal shows.
    private var drawn: [UInt8], shown: [UInt8]
    private var shownColours: (colour: UInt32, accent: UInt32)?
    /// The bits of a band of six rows for each register, and where it occurs.
    private var bits: [UInt8], first: [Int32], last: [Int32]

    /// Creates a painter for a panel of cells of a size in pixels. The last row of cells remains free, because an image
    /// in it would scroll.
    package init(columns: Int, rows: Int, cellWidth: Int, cellHeight: Int) {
        width = max(columns, 1) * cellWidth
        height = max(rows - 1, 1) * cellHeight
        (self.cellWidth, self.cellHeight) = (cellWidth, cellHeight)
        frame = CellFrame(columns: width, rows: height, aspect: 1)
        drawn = [UInt8](repeating: 0, count: width * height)
        shown = drawn
        let registers = Self.eyeSteps + Self.accentSteps
        bits = [UInt8](repeating: 0, count: registers * width)
        first = [Int32](repeating: .max, count: registers)
        last = [Int32](repeating: -1, count: registers)
    }

    /// Forgets what the terminal shows, so that the next image is sent completely.
    package mutating func invalidate() { shownColours = nil }

    /// Appends the bytes that show the face, or none if it is already shown.
    package mutating func encode(_ face: FaceState, isSynchronized: Bool, into bytes: inout [UInt8]) {
        draw(face)
        let colours = (LinearColour.encoded.packed(face.colour.light), LinearColour.encoded.packed(face.accent.light))
        let isWhole = shownColours.map { $0 != colours } ?? true
        guard let box = isWhole ? (0, 0, width, height) : changed() else { return }
        shownColours = colours
        if isSynchronized { bytes.append(sequence: "\u{1b}[?2026h") }
        bytes.append(contentsOf: "\u{1b}[\(box.1 / cellHeight + 1);\(box.0 / cellWidth + 1)H".utf8)
        // With this parameter, pixels without a bit keep their colour. There are none here.
        bytes.append(contentsOf: "\u{1b}P0;1q\"1;1;\(box.2 - box.0);\(box.3 - box.1)".utf8)
        putRegisters(face, &bytes)
        for top in stride(from: box.1, to: box.3, by: 6) { putBand(top, box, &bytes) }
        bytes.append(sequence: "\u{1b}\\")
        if isSynchronized { bytes.append(sequence: "\u{1b}[?2026l") }
        swap(&drawn, &shown)
    }

    // MARK: drawing

    private mutating func draw(_ face: FaceState) {
        shader.set(face, .ramps)
        let shader = shader, frame = frame, width = width
        drawn.withUnsafeMutableBufferPointer { pixels in
            for top in stride(from: 0, to: frame.rows, by: Self.strip) {
                let rows = min(Self.strip, frame.rows - top)
                for start in stride(from: 0, to: width, by: 8) {
                    let count = min(8, width - start)
                    var patch = frame.patch(row: top, column: start, down: Float(rows) / 2)
                    let radius = patch.radius + Float(rows) * frame.width
                    var registers = SIMD8<UInt32>.zero
                    let isLit = shader.isLit(patch.middle, radius: radius)
                    // Far from every edge, the light is the same in all rows of a strip, to one step of the ramp.
                    var isCalm = !isLit || shader.isCalm(patch.middle, radius: radius)
                    if isLit {
                        let light = shader.light(patch, pixel: frame.width)
                        registers = Self.registers(light)
                        // This also applies inside an eye: no edge is as near as the strip is high.
                        isCalm = isCalm || light.edge.least > Float(rows) * frame.width
                    }
                    for row in top..<top + rows {
                        if !isCalm {
                            patch = frame.patch(row: row, column: start, down: 0.5)
                            registers = Self.registers(shader.light(patch, pixel: frame.width))
                        }
                        let line = row * width + start
                        for column in 0..<count { pixels[line + column] = UInt8(truncatingIfNeeded: registers[column]) }
                    }
                }
            }
        }
    }

    /// The number of rows that are drawn together.
    private static let strip = 3

    /// Returns the square roots of light, for perceptually even steps.
    @inline(__always)
    private static func registers(_ light: FaceLight) -> SIMD8<UInt32> {
        let eye =
            unsafeBitCast(
                share(light.red).squareRoot() * Float(eyeSteps - 1) + 8_388_608, to: SIMD8<UInt32>.self) & 127
        let accent = unsafeBitCast(share(light.green) * Float(accentSteps) + 8_388_608, to: SIMD8<UInt32>.self) & 63
        let mark = accent &+ UInt32(eyeSteps - 1)
        return eye.replacing(with: mark, where: accent .> 0)
    }

    /// Returns the changed area, rounded to whole cells, or nil if there is none.
    private func changed() -> (Int, Int, Int, Int)? {
        var top = -1, bottom = 0, left = width, right = 0
        drawn.withUnsafeBufferPointer { new in
            shown.withUnsafeBufferPointer { old in
                guard let a = new.baseAddress, let b = old.baseAddress else { return }
                for row in 0..<height {
                    let start = row * width
                    // Most rows are unchanged.
                    guard memcmp(a + start, b + start, width) != 0 else { continue }
                    var from = 0, to = width
                    while new[start + from] == old[start + from] { from += 1 }
                    while new[start + to - 1] == old[start + to - 1] { to -= 1 }
                    if top < 0 { top = row }
                    (bottom, left, right) = (row + 1, min(left, from), max(right, to))
                }
            }
        }
        guard top >= 0 else { return nil }
        func up(_ value: Int, _ step: Int, _ end: Int) -> Int { min((value + step - 1) / step * step, end) }
        return (
            left / cellWidth * cellWidth, top / cellHeight * cellHeight, up(right, cellWidth, width),
            up(bottom, cellHeight, height)
        )
    }

    // MARK: encoding

    /// Writes the colours in percent, as the format requires.
    private func putRegisters(_ face: FaceState, _ bytes: inout [UInt8]) {
        func put(_ register: Int, _ light: SIMD3<Float>) {
            let colour = LinearColour.encoded.packed(light)
            func percent(_ shift: UInt32) -> Int { (Int(colour >> shift & 255) * 100 + 127) / 255 }
            bytes.append(contentsOf: "#\(register);2;\(percent(16));\(percent(8));\(percent(0))".utf8)
        }
        for step in 0..<Self.eyeSteps {
            let root = Float(step) / Float(Self.eyeSteps - 1), core = max(root * root - 0.74, 0) / 0.26
            put(step, face.colour.light * (root * root) + (SIMD3(repeating: 1) - face.colour.light) * (0.03 * core))
        }
        for step in 1...Self.accentSteps {
            put(Self.eyeSteps - 1 + step, face.accent.light * (Float(step) / Float(Self.accentSteps)))
        }
    }

    /// Writes six rows: for each register, one line of characters whose bits are its pixels.
    private mutating func putBand(_ top: Int, _ box: (Int, Int, Int, Int), _ bytes: inout [UInt8]) {
        let rows = min(6, box.3 - top)
        for row in 0..<rows { gather(row: top + row, bit: UInt8(1) << UInt8(row), box.0, box.2) }
        for register in first.indices where last[register] >= 0 {
            let start = Int(first[register]), end = Int(last[register])
            bytes.append(0x23)
            Self.putNumber(register, &bytes)
            Self.putRun(0x3F, start - box.0, &bytes)
            let line = register * width
            bits.withUnsafeMutableBufferPointer { bits in
                var column = start
                while column <= end {
                    let value = bits[line + column]
                    var next = column
                    while next <= end, bits[line + next] == value {
                        bits[line + next] = 0
                        next += 1
                    }
                    Self.putRun(value + 0x3F, next - column, &bytes)
                    column = next
                }
            }
            first[register] = .max
            last[register] = -1
            bytes.append(0x24)
        }
        bytes.append(0x2D)
    }

    /// Sets the bit of one row for the register of each of its pixels, run by run.
    private mutating func gather(row: Int, bit: UInt8, _ left: Int, _ right: Int) {
        let line = row * width, width = width
        drawn.withUnsafeBufferPointer { drawn in
            bits.withUnsafeMutableBufferPointer { bits in
                var column = left
                while column < right {
                    let register = drawn[line + column], target = Int(register) * width
                    let start = column
                    while column < right, drawn[line + column] == register {
                        bits[target + column] |= bit
                        column += 1
                    }
                    first[Int(register)] = min(first[Int(register)], Int32(start))
                    last[Int(register)] = max(last[Int(register)], Int32(column - 1))
                }
            }
        }
    }

    private static func putNumber(_ number: Int, _ bytes: inout [UInt8]) {
        if number >= 10 { putNumber(number / 10, &bytes) }
        bytes.append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }

    private static func putRun(_ character: UInt8, _ count: Int, _ bytes: inout [UInt8]) {
        if count > 3 {
            bytes.append(0x21)
            putNumber(count, &bytes)
            bytes.append(character)
        } else {
            for _ in 0..<count { bytes.append(character) }
        }
    }
}
