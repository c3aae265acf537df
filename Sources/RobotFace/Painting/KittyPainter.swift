/// Draws a face with the kitty graphics protocol: one image with a number, which the next one replaces without flicker.
///
/// It is drawn with half the screen's resolution and scaled by the terminal, which smooths it and needs a quarter of
/// the bytes.
package struct KittyPainter: Sendable {
    private static let number = 3611

    private let columns: Int, rows: Int
    private var raster: FaceRaster
    private var pixels: [UInt8] = []
    private var shown: FaceState?

    /// Creates a painter for a panel of cells of a size in pixels. The last row remains free for text.
    package init(columns: Int, rows: Int, cellWidth: Int, cellHeight: Int) {
        self.columns = max(columns, 1)
        self.rows = max(rows - 1, 1)
        raster = FaceRaster(width: self.columns * cellWidth / 2, height: self.rows * cellHeight / 2)
    }

    /// Forgets what the terminal shows, so that the next image is sent.
    package mutating func invalidate() { shown = nil }

    /// Appends the bytes that show the face, or none if it is already shown.
    package mutating func encode(_ face: FaceState, isSynchronized: Bool, into bytes: inout [UInt8]) {
        guard face != shown else { return }
        shown = face
        raster.draw(face, into: &pixels)
        if isSynchronized { bytes.append(sequence: "\u{1b}[?2026h") }
        bytes.append(sequence: "\u{1b}[H")
        // Three bytes become four characters, and a chunk has at most 4096 characters.
        let piece = 3072
        for start in stride(from: 0, to: pixels.count, by: piece) {
            let end = min(start + piece, pixels.count)
            let more = end < pixels.count ? 1 : 0
            if start == 0 {
                bytes.append(
                    contentsOf:
                        "\u{1b}_Ga=T,q=2,f=24,C=1,i=\(Self.number),p=1,s=\(raster.width),v=\(raster.height),c=\(columns),r=\(rows),m=\(more);"
                        .utf8)
            } else {
                bytes.append(contentsOf: "\u{1b}_Gm=\(more);".utf8)
            }
            Self.putBase64(pixels[start..<end], &bytes)
            bytes.append(sequence: "\u{1b}\\")
        }
        if isSynchronized { bytes.append(sequence: "\u{1b}[?2026l") }
    }

    /// Removes the image from the screen.
    package static func clear(_ bytes: inout [UInt8]) {
        bytes.append(contentsOf: "\u{1b}_Ga=d,d=I,q=2,i=\(number)\u{1b}\\".utf8)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func putBase64(_ data: ArraySlice<UInt8>, _ bytes: inout [UInt8]) {
        var index = data.startIndex
        while index < data.endIndex {
            let count = min(3, data.endIndex - index)
            var value = 0
            for offset in 0..<3 { value = value << 8 | (offset < count ? Int(data[index + offset]) : 0) }
            for place in 0..<4 { bytes.append(place <= count ? alphabet[value >> (18 - 6 * place) & 63] : 0x3D) }
            index += 3
        }
    }
}
