/// The samples of one plane in memory. Its user keeps to the plane: nothing is checked here.
struct SampleRows {
    let base: UnsafeMutablePointer<UInt8>
    /// The distance between two rows, in bytes.
    let stride: Int

    /// Replaces the samples of a rectangle, which must not be empty, by their mean.
    func level(_ columns: Range<Int>, _ rows: Range<Int>) {
        var total = 0
        for row in rows {
            let samples = UnsafeBufferPointer(start: base + row * stride + columns.lowerBound, count: columns.count)
            // A row is at most 16,384 samples of 255, so 32 bits are enough, and wide registers hold more of them.
            var sum: UInt32 = 0
            for sample in samples { sum &+= UInt32(sample) }
            total += Int(sum)
        }
        let count = columns.count * rows.count
        let mean = UInt8(truncatingIfNeeded: (total + count / 2) / count)
        for row in rows {
            (base + row * stride + columns.lowerBound).update(repeating: mean, count: columns.count)
        }
    }
}
