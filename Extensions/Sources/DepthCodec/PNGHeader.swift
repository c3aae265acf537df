internal import Codecs

/// The first part of a PNG file: its size, of the one kind that is read and written here.
struct PNGHeader: Sendable, Equatable {
    let width: Int, height: Int

    /// The bytes of a row of samples without its filter.
    var rowBytes: Int { 2 * width }
    /// The bytes of all rows, each with its filter in front.
    var allBytes: Int { (1 + rowBytes) * height }

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Reads the content of the part.
    init(_ content: ArraySlice<UInt8>) throws(PictureProblem) {
        let bytes = Array(content)
        guard bytes.count == 13 else { throw PictureProblem("the header of the PNG has a wrong length") }
        let (width, height) = (Int(bytes.word(at: 0)), Int(bytes.word(at: 4)))
        guard bytes[8] == 16, bytes[9] == 0 else {
            throw PictureProblem("the PNG is not 16-bit grey (bits: \(bytes[8]), kind: \(bytes[9]))")
        }
        guard bytes[10] == 0, bytes[11] == 0 else {
            throw PictureProblem("the PNG has a compression or a filter that does not exist")
        }
        guard bytes[12] == 0 else { throw PictureProblem("the PNG is interlaced, which is not supported") }
        try PictureLimits.check(width: width, height: height)
        self.init(width: width, height: height)
    }

    /// The content of the part.
    var bytes: [UInt8] { UInt32(width).bytes + UInt32(height).bytes + [16, 0, 0, 0, 0] }
}

extension UInt32 {
    /// Its four bytes, the highest first.
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
