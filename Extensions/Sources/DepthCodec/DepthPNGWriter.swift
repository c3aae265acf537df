internal import CDeflate
public import Codecs

/// A depth picture that is compressed, and can become files with different notes.
public struct PackedDepth: Sendable, Equatable {
    let header: PNGHeader
    let data: [UInt8]

    /// Returns the file. Readers that do not know the note skip it.
    /// - Parameter note: ASCII text about the samples, at most `DepthPNGReader.longestNote` bytes; a longer one is left
    ///   out.
    public func file(note: [UInt8]? = nil) -> [UInt8] {
        var file = PNGChunks.signature
        file.reserveCapacity(data.count + 128 + (note?.count ?? 0))
        Self.append("IHDR", header.bytes, to: &file)
        if let note, note.count <= DepthPNGReader.longestNote {
            Self.append("tEXt", DepthPNGReader.keyword + [0] + note, to: &file)
        }
        Self.append("IDAT", data, to: &file)
        Self.append("IEND", [], to: &file)
        return file
    }

    private static func append(_ name: String, _ content: [UInt8], to file: inout [UInt8]) {
        file += UInt32(content.count).bytes
        let start = file.count
        file += Array(name.utf8)
        file += content
        file += file.checksum(of: start..<file.count).bytes
    }
}

/// Writes depth pictures as PNG files, quickly: with the filter `up` and the least compression. It belongs to one task
/// at a time.
public final class DepthPNGWriter {
    private let compressor: OpaquePointer
    private var rows: [UInt8] = []

    /// Creates a writer; nil if the library has no memory for one.
    public init?() {
        guard let compressor = libdeflate_alloc_compressor(1) else { return nil }
        self.compressor = compressor
    }

    deinit { libdeflate_free_compressor(compressor) }

    /// Compresses a picture.
    public func pack(_ picture: DepthPicture) -> PackedDepth {
        let header = PNGHeader(width: picture.width, height: picture.height)
        filter(picture, header)
        let most = libdeflate_zlib_compress_bound(compressor, rows.count)
        let data = [UInt8](unsafeUninitializedCapacity: most) { room, count in
            // With this much room it cannot fail.
            count = rows.withUnsafeBytes { source in
                libdeflate_zlib_compress(compressor, source.baseAddress, source.count, room.baseAddress, most)
            }
        }
        return PackedDepth(header: header, data: data)
    }

    private func filter(_ picture: DepthPicture, _ header: PNGHeader) {
        if rows.count != header.allBytes { rows = [UInt8](repeating: 0, count: header.allBytes) }
        let width = header.width
        rows.withUnsafeMutableBufferPointer { rows in
            picture.samples.withUnsafeBufferPointer { samples in
                for y in 0..<header.height {
                    let start = y * (1 + header.rowBytes), first = y * width
                    rows[start] = RowFilter.up.rawValue
                    for x in 0..<width {
                        let sample = samples[first + x], above = y > 0 ? samples[first + x - width] : 0
                        let high = UInt8(truncatingIfNeeded: sample >> 8) &- UInt8(truncatingIfNeeded: above >> 8)
                        rows[start + 1 + 2 * x] = high
                        rows[start + 2 + 2 * x] = UInt8(truncatingIfNeeded: sample) &- UInt8(truncatingIfNeeded: above)
                    }
                }
            }
        }
    }
}
