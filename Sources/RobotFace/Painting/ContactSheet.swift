/// All faces on one page, each with its number and name.
public enum ContactSheet {
    /// Returns the page as text: tiles of `columns` x `rows` cells (the name takes one more row), with as many side by
    /// side as fit into `width` cells.
    public static func text(
        _ expressions: [Expression], columns: Int, rows: Int, width: Int, style: EyeStyle, glyphs: FaceGlyphs,
        depth: ColourDepth
    ) -> CellGrid {
        let across = max(min(width / max(columns, 1), expressions.count), 1)
        let down = (expressions.count + across - 1) / across
        var sheet = CellGrid(columns: across * columns, rows: down * (rows + 1))
        var tile = CellGrid(columns: columns, rows: rows)
        var painter = FacePainter(glyphs, columns: columns, rows: rows)
        var labels: [(row: Int, column: Int, text: String)] = []
        let ground = TextOverlay.blank(depth)
        for index in sheet.cells.indices { sheet.cells[index] = ground }
        for (index, expression) in expressions.enumerated() {
            painter.paint(FaceState(expression, style: style), depth: depth, into: &tile)
            let top = index / across * (rows + 1), left = index % across * columns
            for row in 0..<rows {
                for column in 0..<columns { sheet[top + row, left + column] = tile[row, column] }
            }
            let name = "\(expression.index) \(expression.name)"
            labels.append((top + rows, left + max((columns - name.count) / 2, 0), name))
        }
        for label in labels {
            TextOverlay.write(label.text, row: label.row, column: label.column, depth: depth, &sheet)
        }
        return sheet
    }

    /// Returns the page as an image of `across` tiles side by side, each `width` x `height` pixels plus a line for the
    /// name. It consists of rows of red, green, blue.
    public static func picture(
        _ expressions: [Expression], width: Int, height: Int, across: Int, style: EyeStyle
    ) -> (pixels: [UInt8], width: Int, height: Int) {
        let scale = max(height / 110, 1), line = SmallFont.height * scale + 4 * scale
        let across = max(min(across, expressions.count), 1)
        let down = (expressions.count + across - 1) / across
        let sheetWidth = across * width, sheetHeight = down * (height + line)
        var sheet = [UInt8](repeating: 0, count: sheetWidth * sheetHeight * 3)
        var raster = FaceRaster(width: width, height: height)
        for (index, expression) in expressions.enumerated() {
            let tile = raster.draw(FaceState(expression, style: style))
            let left = index % across * width, top = index / across * (height + line)
            for row in 0..<height {
                let target = ((top + row) * sheetWidth + left) * 3
                sheet.replaceSubrange(
                    target..<target + width * 3, with: tile[row * width * 3..<(row + 1) * width * 3])
            }
            let name = "\(expression.index) \(expression.name)"
            let start = left + (width - name.count * (SmallFont.width + 1) * scale) / 2
            write(name, left: max(start, left), top: top + height + scale, scale: scale, &sheet, sheetWidth)
        }
        return (sheet, sheetWidth, sheetHeight)
    }

    private static func write(
        _ text: String, left: Int, top: Int, scale: Int, _ sheet: inout [UInt8], _ stride: Int
    ) {
        for (place, character) in text.enumerated() {
            for (row, bits) in SmallFont.rows(of: character).enumerated() {
                for column in 0..<SmallFont.width where bits >> (SmallFont.width - 1 - column) & 1 == 1 {
                    for y in 0..<scale {
                        for x in 0..<scale {
                            let across = left + (place * (SmallFont.width + 1) + column) * scale + x
                            let index = ((top + row * scale + y) * stride + across) * 3
                            guard across < stride, index + 2 < sheet.count else { continue }
                            for channel in 0..<3 { sheet[index + channel] = 0xAA }
                        }
                    }
                }
            }
        }
    }
}
