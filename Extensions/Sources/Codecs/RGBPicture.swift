/// A picture with three bytes for each pixel: red, green, blue. There are no gaps between rows.
public struct RGBPicture: Sendable, Equatable {
    /// The size in pixels, each 1 to `PlanarPicture.largest`.
    public let width: Int, height: Int
    /// The bytes, row by row.
    public let bytes: [UInt8]

    /// Takes the bytes of a picture; nil if a side is outside 1 to `PlanarPicture.largest`, or the number of bytes is
    /// wrong.
    public init?(width: Int, height: Int, bytes: [UInt8]) {
        let sides = 1...PlanarPicture.largest
        guard sides.contains(width), sides.contains(height), bytes.count == 3 * width * height else { return nil }
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// Copies the bytes of a picture.
    public init?(width: Int, height: Int, copying bytes: UnsafeRawBufferPointer) {
        self.init(width: width, height: height, bytes: Array(bytes))
    }

    /// Returns the picture with at most this width, at least 1, with the same proportions: each pixel is the mean of the
    /// area that it covers.
    public func scaled(toWidth limit: Int) -> RGBPicture {
        let limit = max(1, limit)
        guard limit < width else { return self }
        let columns = Span.spans(width, limit)
        let rows = Span.spans(height, max(1, (height * limit + width / 2) / width))
        var line = [UInt32](repeating: 0, count: 3 * columns.count)
        let scaled = [UInt8](unsafeUninitializedCapacity: 3 * columns.count * rows.count) { room, count in
            bytes.withUnsafeBufferPointer { source in
                for row in rows {
                    for place in line.indices { line[place] = 0 }
                    for y in row.first...row.last {
                        let weight = row.weight(of: y), start = 3 * width * y
                        for (index, column) in columns.enumerated() {
                            var sums: (UInt32, UInt32, UInt32) = (0, 0, 0)
                            for x in column.first...column.last {
                                let share = column.weight(of: x), at = start + 3 * x
                                sums.0 += share * UInt32(source[at])
                                sums.1 += share * UInt32(source[at + 1])
                                sums.2 += share * UInt32(source[at + 2])
                            }
                            line[3 * index] += weight * (sums.0 >> 12)
                            line[3 * index + 1] += weight * (sums.1 >> 12)
                            line[3 * index + 2] += weight * (sums.2 >> 12)
                        }
                    }
                    for sum in line {
                        room[count] = UInt8(truncatingIfNeeded: min(255, (sum + (1 << 19)) >> 20))
                        count += 1
                    }
                }
            }
        }
        return RGBPicture(width: columns.count, height: rows.count, bytes: scaled) ?? self
    }

    /// The mean difference of brightness from another picture of the same size, in grey levels 0...255, over one pixel in
    /// a number of them; nil if the sizes differ.
    public func difference(from other: RGBPicture, oneIn step: Int = 61) -> Double? {
        guard width == other.width, height == other.height, step > 0 else { return nil }
        var sum = 0, count = 0
        for pixel in stride(from: 0, to: width * height, by: step) {
            let at = 3 * pixel
            let mine = Int(bytes[at]) + 2 * Int(bytes[at + 1]) + Int(bytes[at + 2])
            let its = Int(other.bytes[at]) + 2 * Int(other.bytes[at + 1]) + Int(other.bytes[at + 2])
            sum += abs(mine - its)
            count += 1
        }
        return Double(sum) / Double(4 * count)
    }
}

/// The samples of a line that become one sample, with their weights in 65,536ths, which add up to 65,536.
private struct Span {
    private static let whole = 65_536.0

    let first: Int, last: Int
    private let firstWeight: UInt32, innerWeight: UInt32, lastWeight: UInt32

    func weight(of place: Int) -> UInt32 {
        place == first ? firstWeight : place == last ? lastWeight : innerWeight
    }

    private init(from: Double, to: Double, most: Int) {
        first = min(Int(from), most)
        last = min(max(first, Int(to.rounded(.up)) - 1), most)
        let unit = Self.whole / (to - from)
        let head = first == last ? Self.whole : (Double(first + 1) - from) * unit
        firstWeight = UInt32(head.rounded())
        innerWeight = UInt32(unit.rounded())
        // What is left, so that an even surface keeps its brightness.
        let inner = max(0, last - first - 1) * Int(innerWeight)
        lastWeight = first == last ? 0 : UInt32(max(0, Int(Self.whole) - Int(firstWeight) - inner))
    }

    /// The spans of a line that gets shorter.
    static func spans(_ count: Int, _ result: Int) -> [Span] {
        let step = Double(count) / Double(result)
        return (0..<result).map {
            Span(from: Double($0) * step, to: min(Double($0 + 1) * step, Double(count)), most: count - 1)
        }
    }
}
