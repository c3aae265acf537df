internal import CDeflate
public import Codecs

/// What a depth file contains.
public struct DepthFile: Sendable, Equatable {
    /// The samples, as they are in the file.
    public let picture: DepthPicture
    /// What the sender says about them: the text with the keyword `dockface`, or nil. It may be anything.
    public let note: [UInt8]?
}

/// Reads PNG files of one kind: 16-bit grey, not interlaced. It belongs to one task at a time.
///
/// The files are from others. All lengths are checked before memory is reserved, and all checksums are compared. What
/// a file says about the meaning of its samples, such as `gAMA`, changes nothing: they are distances and not colours.
public final class DepthPNGReader {
    /// The keyword of the sender's text.
    static let keyword = Array("dockface".utf8)
    /// The longest text that is read, in bytes; a longer one is skipped.
    public static let longestNote = 4096

    private let decompressor: OpaquePointer
    /// The rows with their filters, kept so that a picture of the same size needs no memory.
    private var rows: [UInt8] = []

    /// Creates a reader; nil if the library has no memory for one.
    public init?() {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        self.decompressor = decompressor
    }

    deinit { libdeflate_free_decompressor(decompressor) }

    /// Reads a file.
    /// - Throws: `PictureProblem` if it is of another kind, too large, damaged, too short or too long.
    public func read(_ file: [UInt8]) throws(PictureProblem) -> DepthFile {
        let parts = try Self.parts(of: file)
        try unpack(file, parts)
        try undoFilters(parts.header)
        guard
            let picture = DepthPicture(
                width: parts.header.width, height: parts.header.height, samples: samples(parts.header))
        else { throw PictureProblem("the PNG has a wrong size") }
        return DepthFile(picture: picture, note: parts.note)
    }

    // MARK: the file

    private struct Parts {
        var header: PNGHeader
        var data: [Range<Int>] = []
        var note: [UInt8]?
    }

    private static func parts(of file: [UInt8]) throws(PictureProblem) -> Parts {
        var chunks = try PNGChunks(file)
        let first = try chunks.next()
        guard first.kind == .header else { throw PictureProblem("the PNG does not begin with its header") }
        var parts = Parts(header: try PNGHeader(file[first.content])), isAfterData = false
        while true {
            let chunk = try chunks.next()
            switch chunk.kind {
            case .header: throw PictureProblem("the PNG has two headers")
            case .data:
                guard !isAfterData else { throw PictureProblem("the data of the PNG is in two places") }
                parts.data.append(chunk.content)
                continue
            case .end:
                guard chunk.content.isEmpty, chunks.isAtEnd else {
                    throw PictureProblem("the PNG continues after its end")
                }
                guard !parts.data.isEmpty else { throw PictureProblem("the PNG has no data") }
                return parts
            case .text: parts.note = parts.note ?? note(file[chunk.content])
            case .ancillary: break
            }
            isAfterData = !parts.data.isEmpty
        }
    }

    private static func note(_ content: ArraySlice<UInt8>) -> [UInt8]? {
        guard content.starts(with: keyword + [0]), content.count <= keyword.count + 1 + longestNote else { return nil }
        return Array(content.dropFirst(keyword.count + 1))
    }

    // MARK: the samples

    private func unpack(_ file: [UInt8], _ parts: Parts) throws(PictureProblem) {
        // Usually there is one part, which needs no copy.
        let isOne = parts.data.count == 1
        let packed = isOne ? file : parts.data.flatMap { file[$0] }
        let range = isOne ? parts.data[0] : 0..<packed.count
        if rows.count != parts.header.allBytes { rows = [UInt8](repeating: 0, count: parts.header.allBytes) }
        var read = 0
        let result = packed.withUnsafeBytes { source in
            rows.withUnsafeMutableBytes { room in
                libdeflate_zlib_decompress_ex(
                    decompressor, source.baseAddress.map { $0 + range.lowerBound }, range.count, room.baseAddress,
                    room.count, &read, nil)
            }
        }
        // Without a place for the number of bytes, fewer of them are an error, too.
        switch result {
        case LIBDEFLATE_SUCCESS where read == range.count: break
        case LIBDEFLATE_SUCCESS: throw PictureProblem("the PNG has bytes behind its data")
        case LIBDEFLATE_SHORT_OUTPUT: throw PictureProblem("the PNG has fewer rows than it claims")
        case LIBDEFLATE_INSUFFICIENT_SPACE: throw PictureProblem("the PNG has more rows than it claims")
        default: throw PictureProblem("the data of the PNG is damaged")
        }
    }

    private func undoFilters(_ header: PNGHeader) throws(PictureProblem) {
        let count = header.rowBytes, zeros = [UInt8](repeating: 0, count: count)
        let isKnown = rows.withUnsafeMutableBufferPointer { rows in
            zeros.withUnsafeBufferPointer { zeros in
                guard var row = rows.baseAddress, var above = zeros.baseAddress else { return false }
                for _ in 0..<header.height {
                    guard let filter = RowFilter(rawValue: row[0]) else { return false }
                    row += 1
                    filter.undo(row, above: above, count: count)
                    above = UnsafePointer(row)
                    row += count
                }
                return true
            }
        }
        guard isKnown else { throw PictureProblem("a row of the PNG has a filter that does not exist") }
    }

    private func samples(_ header: PNGHeader) -> [UInt16] {
        [UInt16](unsafeUninitializedCapacity: header.width * header.height) { room, count in
            rows.withUnsafeBufferPointer { rows in
                for y in 0..<header.height {
                    let start = y * (1 + header.rowBytes) + 1, first = y * header.width
                    for x in 0..<header.width {
                        room[first + x] = UInt16(rows[start + 2 * x]) << 8 | UInt16(rows[start + 2 * x + 1])
                    }
                }
            }
            count = header.width * header.height
        }
    }
}
