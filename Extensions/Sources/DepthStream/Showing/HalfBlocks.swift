public import Codecs

/// Pictures as lines of a terminal: each character shows two pixels, one above the other.
public enum HalfBlocks {
    /// Returns the lines of a picture.
    public static func lines(_ picture: RGBPicture) -> [String] {
        stride(from: 0, to: picture.height, by: 2).map { y in
            var line = "", last: (upper: ArraySlice<UInt8>, lower: ArraySlice<UInt8>) = ([], [])
            for x in 0..<picture.width {
                let upper = pixel(picture, x, y), lower = pixel(picture, x, min(y + 1, picture.height - 1))
                if upper != last.upper || line.isEmpty { line += "\u{1B}[38;2;\(digits(upper))m" }
                if lower != last.lower || last.lower.isEmpty { line += "\u{1B}[48;2;\(digits(lower))m" }
                line += "\u{2580}"
                last = (upper, lower)
            }
            return line + "\u{1B}[0m"
        }
    }

    /// Returns the lines of a picture and of its depth, side by side, at most this many columns and lines in all.
    /// Without depth, the right half says so.
    public static func lines(
        _ picture: RGBPicture, beside depth: DepthMap?, columns: Int, rows: Int
    ) -> [String] {
        // Two halves and a gap.
        let widest = max(1, (columns - 1) / 2), tallest = max(2, 2 * rows)
        let width = max(1, min(widest, picture.width * tallest / max(1, picture.height)))
        let small = picture.scaled(toWidth: width), left = lines(small)
        guard let right = depth.flatMap({ DepthColours.picture($0, width: small.width, height: small.height) }) else {
            return left.enumerated().map { $0.offset == left.count / 2 ? $0.element + " no depth" : $0.element }
        }
        return zip(left, lines(right)).map { $0 + " " + $1 }
    }

    /// Returns the lines of a depth picture, at most this many columns and lines.
    public static func lines(_ depth: DepthMap, columns: Int, rows: Int) -> [String] {
        let (width, height) = (depth.picture.width, depth.picture.height), tallest = max(2, 2 * rows)
        let shown = max(1, min(columns, width, width * tallest / max(1, height)))
        let picture = DepthColours.picture(depth, width: shown, height: max(1, height * shown / max(1, width)))
        return picture.map { lines($0) } ?? []
    }

    private static func pixel(_ picture: RGBPicture, _ x: Int, _ y: Int) -> ArraySlice<UInt8> {
        let at = 3 * (y * picture.width + x)
        return picture.bytes[at..<at + 3]
    }

    private static func digits(_ pixel: ArraySlice<UInt8>) -> String { pixel.map(String.init).joined(separator: ";") }
}
