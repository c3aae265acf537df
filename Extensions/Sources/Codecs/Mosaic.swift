/// Covers parts of a picture with blocks of one colour each.
///
/// The blocks are fixed to the rectangle, not to the picture: if a face moved through fixed blocks, each picture would
/// show other samples of it. A block is one colour in all three planes. Its edges therefore lie between two samples of
/// colour, and a rectangle is extended by a pixel where a sample of colour belongs to pixels on both sides of its edge.
/// The part of a rectangle outside the picture is ignored, but the blocks do not become smaller by that.
public enum Mosaic {
    /// Covers a rectangle with `columns` x `rows` blocks. Fewer are used where a block would be smaller than 4 pixels,
    /// because a single sample of colour would stay as it is; less than 1 counts as 1.
    public static func cover(_ picture: inout PlanarPicture, _ rect: PixelRect, columns: Int, rows: Int) {
        let size = PixelSize(width: picture.width, height: picture.height)
        // In samples of colour, rounded outward. The shift rounds down, also below 0.
        guard !rect.isEmpty,
            let across = BlockEdges(rect.left >> 1, (rect.right + 1) >> 1, within: size.chromaWidth, count: columns),
            let down = BlockEdges(rect.top >> 1, (rect.bottom + 1) >> 1, within: size.chromaHeight, count: rows)
        else { return }
        picture.withPlanes { luma, blue, red in
            for row in 0..<down.count {
                let chromaRows = down.block(row), lumaRows = size.lumaRows(chromaRows)
                for column in 0..<across.count {
                    let chromaColumns = across.block(column)
                    luma.level(size.lumaColumns(chromaColumns), lumaRows)
                    blue.level(chromaColumns, chromaRows)
                    red.level(chromaColumns, chromaRows)
                }
            }
        }
    }

    /// Covers a rectangle with `blocks` x `blocks` blocks.
    public static func cover(_ picture: inout PlanarPicture, _ rect: PixelRect, blocks: Int) {
        cover(&picture, rect, columns: blocks, rows: blocks)
    }

    /// Covers a rectangle with one colour, its mean.
    public static func coverSolid(_ picture: inout PlanarPicture, _ rect: PixelRect) {
        cover(&picture, rect, blocks: 1)
    }

    /// Covers the whole picture with nearly square blocks, `columns` in a row.
    public static func coverWhole(_ picture: inout PlanarPicture, columns: Int = 6) {
        let columns = min(max(columns, 1), picture.width)
        let rows = max(1, (picture.height * columns + picture.width / 2) / picture.width)
        let whole = PixelRect(left: 0, top: 0, right: picture.width, bottom: picture.height)
        cover(&picture, whole, columns: columns, rows: rows)
    }
}

/// The edges of blocks along one side of a rectangle, in samples of colour. No block is empty.
private struct BlockEdges {
    let start: Int, length: Int, count: Int

    /// Divides the part inside a plane of this size. A rectangle that the edge of the plane cuts has `count` blocks in
    /// all, and as many fewer inside. The result is nil if no part is inside.
    init?(_ start: Int, _ end: Int, within size: Int, count: Int) {
        let first = max(0, start), last = min(size, end)
        guard first < last else { return nil }
        (self.start, length) = (first, last - first)
        // At most one block for two samples, so that the product below is small.
        let all = min(max(count, 1), max(1, (end - start) / 2))
        self.count = max(1, all * length / (end - start))
    }

    func block(_ index: Int) -> Range<Int> {
        start + index * length / count..<start + (index + 1) * length / count
    }
}

/// The size of a picture, and which pixels belong to which samples of colour.
private struct PixelSize {
    let width: Int, height: Int

    var chromaWidth: Int { (width + 1) / 2 }
    var chromaHeight: Int { (height + 1) / 2 }

    func lumaColumns(_ chroma: Range<Int>) -> Range<Int> { 2 * chroma.lowerBound..<min(2 * chroma.upperBound, width) }
    func lumaRows(_ chroma: Range<Int>) -> Range<Int> { 2 * chroma.lowerBound..<min(2 * chroma.upperBound, height) }
}
