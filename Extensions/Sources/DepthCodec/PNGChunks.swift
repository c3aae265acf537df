internal import CDeflate
internal import Codecs

/// A part of a PNG file.
struct PNGChunk: Sendable, Equatable {
    /// What it contains.
    enum Kind: Sendable, Equatable {
        case header, data, end, text
        /// Another one that may be skipped.
        case ancillary
    }

    let kind: Kind
    /// Where its content is in the file.
    let content: Range<Int>
}

/// Reads the parts of a PNG file in order. Each is checked before it is returned.
struct PNGChunks {
    /// What every PNG file begins with.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The most parts of a file. Writers divide the data into parts of a few kilobytes at least.
    static let most = 8192

    private let file: [UInt8]
    private var position = Self.signature.count
    private var count = 0

    /// Begins to read a file.
    init(_ file: [UInt8]) throws(PictureProblem) {
        try PictureLimits.check(bytes: file.count)
        guard file.starts(with: Self.signature) else { throw PictureProblem("it is not a PNG") }
        self.file = file
    }

    /// Whether all bytes were read.
    var isAtEnd: Bool { position == file.count }

    /// Returns the next part.
    /// - Throws: `PictureProblem` if it is cut off or damaged, or if it is unknown and may not be skipped.
    mutating func next() throws(PictureProblem) -> PNGChunk {
        count += 1
        guard count <= Self.most else { throw PictureProblem("the PNG has more than \(Self.most) parts") }
        guard file.count - position >= 12 else { throw PictureProblem("the PNG ends too early") }
        let length = file.word(at: position)
        guard length <= UInt32(Int32.max), Int(length) <= file.count - position - 12 else {
            throw PictureProblem("the PNG ends too early")
        }
        let name = position + 4..<position + 8, content = name.upperBound..<name.upperBound + Int(length)
        guard file.checksum(of: name.lowerBound..<content.upperBound) == file.word(at: content.upperBound) else {
            throw PictureProblem("a checksum of the PNG is wrong")
        }
        position = content.upperBound + 4
        return PNGChunk(kind: try kind(file[name]), content: content)
    }

    private func kind(_ name: ArraySlice<UInt8>) throws(PictureProblem) -> PNGChunk.Kind {
        switch String(decoding: name, as: UTF8.self) {
        case "IHDR": return .header
        case "IDAT": return .data
        case "IEND": return .end
        case "tEXt": return .text
        default:
            let isWord = name.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
            // A small first letter means that a reader may do without it.
            guard isWord, let first = name.first, first & 0x20 != 0 else {
                let text = isWord ? "the part \"\(String(decoding: name, as: UTF8.self))\"" : "a part without a name"
                throw PictureProblem("the PNG has \(text), which is not known here")
            }
            return .ancillary
        }
    }
}

extension [UInt8] {
    /// The number in four bytes, the highest first. They must be inside.
    func word(at place: Int) -> UInt32 {
        self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The CRC-32 of some bytes.
    func checksum(of range: Range<Int>) -> UInt32 {
        withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress.map { $0 + range.lowerBound }, range.count) }
    }
}
