internal import PictureShare

/// Magnifies a picture: its middle is cut out and scaled to the size of the whole, with bilinear interpolation.
///
/// It keeps tables for one size and one factor, so one value serves one stream of pictures.
struct PictureCrop {
    private var columns = CropTable(), rows = CropTable()
    /// Two source rows, scaled horizontally. The numbers say which rows they are, or -1.
    private var lines: ([UInt8], [UInt8]) = ([], [])
    private var lineNumbers = (-1, -1)

    /// Magnifies the pixels of `source` by `factor` >= 1 into `target`. Both have the size of a whole picture.
    mutating func magnify(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, format: PictureFormat,
        width: Int, height: Int, by factor: Double
    ) {
        for plane in format.planes(width: width, height: height) {
            guard plane.place + plane.byteCount <= min(source.count, target.count) else { return }
            magnify(
                UnsafeRawBufferPointer(rebasing: source[plane.place..<(plane.place + plane.byteCount)]),
                into: UnsafeMutableRawBufferPointer(rebasing: target[plane.place..<(plane.place + plane.byteCount)]),
                plane, by: factor)
        }
    }

    private mutating func magnify(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, _ plane: PicturePlane,
        by factor: Double
    ) {
        columns.fit(plane.width, by: factor)
        rows.fit(plane.height, by: factor)
        if lines.0.count != plane.rowBytes {
            lines = ([UInt8](repeating: 0, count: plane.rowBytes), [UInt8](repeating: 0, count: plane.rowBytes))
        }
        lineNumbers = (-1, -1)
        for row in 0..<plane.height {
            let entry = rows[row]
            prepare(entry.index, source, plane)
            let line = UnsafeMutableRawBufferPointer(
                rebasing: target[(row * plane.rowBytes)..<((row + 1) * plane.rowBytes)])
            lines.0.withUnsafeBytes { above in
                lines.1.withUnsafeBytes { below in Self.mix(above, below, share: entry.share, into: line) }
            }
        }
    }

    /// Provides the source rows `index` and the one below it, scaled horizontally. Rows come from top to bottom, so the
    /// lower one is usually the next upper one.
    private mutating func prepare(_ index: Int, _ source: UnsafeRawBufferPointer, _ plane: PicturePlane) {
        guard lineNumbers.0 != index else { return }
        let below = min(index + 1, plane.height - 1)
        if lineNumbers.1 == index {
            swap(&lines.0, &lines.1)
        } else {
            columns.scale(source, row: index, plane, into: &lines.0)
        }
        columns.scale(source, row: below, plane, into: &lines.1)
        lineNumbers = (index, below)
    }

    /// Writes the mixture of two rows. `share`: that of the lower one, 0...256.
    private static func mix(
        _ above: UnsafeRawBufferPointer, _ below: UnsafeRawBufferPointer, share: Int,
        into line: UnsafeMutableRawBufferPointer
    ) {
        typealias Lanes = SIMD16<UInt16>
        let count = line.count, whole = count - count % 16
        let lower = Lanes(repeating: UInt16(share)), upper = Lanes(repeating: UInt16(256 - share))
        let half = Lanes(repeating: 128)
        var place = 0
        while place < whole {
            let a = above.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
            let b = below.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
            // At most 255 * 256 + 128, which fits.
            let sum = Lanes(truncatingIfNeeded: a) &* upper &+ Lanes(truncatingIfNeeded: b) &* lower &+ half
            line.storeBytes(
                of: SIMD16<UInt8>(truncatingIfNeeded: sum &>> 8), toByteOffset: place, as: SIMD16<UInt8>.self)
            place += 16
        }
        while place < count {
            line[place] = UInt8((Int(above[place]) * (256 - share) + Int(below[place]) * share + 128) >> 8)
            place += 1
        }
    }
}

/// For each place in the magnified picture: the place in the source, and the share of the next one.
struct CropTable {
    struct Entry {
        let index: Int
        /// The share of the place after `index`, 0...256.
        let share: Int
    }

    private var entries: [Entry] = []
    private var factor = 0.0

    subscript(place: Int) -> Entry { entries[place] }

    /// Prepares for `count` places and a factor >= 1.
    mutating func fit(_ count: Int, by factor: Double) {
        guard entries.count != count || self.factor != factor else { return }
        self.factor = factor
        let middle = Double(count) / 2
        entries = (0..<count).map { place in
            let exact = (Double(place) + 0.5 - middle) / factor + middle - 0.5
            let safe = min(max(exact, 0), Double(count - 1)), index = Int(safe)
            return Entry(index: index, share: Int(((safe - Double(index)) * 256).rounded()))
        }
    }

    /// Scales one row of a plane horizontally.
    func scale(_ source: UnsafeRawBufferPointer, row: Int, _ plane: PicturePlane, into line: inout [UInt8]) {
        let start = row * plane.rowBytes, channels = plane.channels, last = plane.width - 1
        entries.withUnsafeBufferPointer { entries in
            line.withUnsafeMutableBytes { line in
                for x in 0..<plane.width {
                    let entry = entries[x], left = start + entry.index * channels
                    let right = start + min(entry.index + 1, last) * channels
                    for channel in 0..<channels {
                        let a = Int(source[left + channel]), b = Int(source[right + channel])
                        line[x * channels + channel] = UInt8((a * (256 - entry.share) + b * entry.share + 128) >> 8)
                    }
                }
            }
        }
    }
}

/// One plane of a picture: interleaved channels of one byte each, rows without gaps.
struct PicturePlane {
    /// Where it begins in the picture, in bytes.
    let place: Int
    /// Its size, in places for each channel.
    let width: Int, height: Int
    let channels: Int

    var rowBytes: Int { width * channels }
    var byteCount: Int { rowBytes * height }
}

extension PictureFormat {
    /// The planes of a picture of this size in pixels.
    func planes(width: Int, height: Int) -> [PicturePlane] {
        switch self {
        case .rgb24: return [PicturePlane(place: 0, width: width, height: height, channels: 3)]
        case .yuv420p:
            let brightness = PicturePlane(place: 0, width: width, height: height, channels: 1)
            let across = (width + 1) / 2, down = (height + 1) / 2, size = across * down
            return [brightness]
                + [0, 1].map {
                    PicturePlane(
                        place: brightness.byteCount + $0 * size, width: across, height: down, channels: 1)
                }
        }
    }
}
