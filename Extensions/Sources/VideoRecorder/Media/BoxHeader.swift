/// The header of a box of an MP4 file (ISO/IEC 14496-12).
struct BoxHeader: Equatable {
    /// Four letters, as a number.
    var kind: UInt32
    /// The size of the whole box, in bytes.
    var size: Int
    /// The size of this header, in bytes: 8, or 16 for a box with a size of 64 bits.
    var head: Int

    /// The headers of all boxes fit into this number of bytes.
    static let longest = 16

    /// What the first bytes of a box are.
    enum Reading: Equatable {
        /// A header.
        case header(BoxHeader)
        /// More bytes are needed.
        case tooShort
        /// No box can begin like this.
        case invalid
    }

    /// Reads the header at a place.
    static func read(_ bytes: UnsafeRawBufferPointer, at place: Int = 0) -> Reading {
        guard place >= 0, let short = bytes.number32(place), let kind = bytes.number32(place + 4) else {
            return .tooShort
        }
        // A box has a type of four printable letters. Size 0 (up to the end of the file) is of no use in a stream.
        guard isPrintable(kind) else { return .invalid }
        if short >= 8 { return .header(BoxHeader(kind: kind, size: Int(short), head: 8)) }
        guard short == 1 else { return .invalid }
        guard let size = bytes.number64(place + 8) else { return .tooShort }
        guard size >= 16, size <= UInt64(Int.max / 4) else { return .invalid }
        return .header(BoxHeader(kind: kind, size: Int(size), head: 16))
    }

    private static func isPrintable(_ kind: UInt32) -> Bool {
        (0..<4).allSatisfy { place in
            let byte = UInt8(truncatingIfNeeded: kind >> UInt32(8 * place))
            return (0x20..<0x7F).contains(byte) || byte == 0xA9
        }
    }
}

/// The kinds of boxes that matter here.
enum BoxKind {
    static let fileType = kind("ftyp"), movie = kind("moov"), fragment = kind("moof"), data = kind("mdat")
    static let track = kind("trak"), trackHeader = kind("tkhd"), media = kind("mdia"), mediaHeader = kind("mdhd")
    static let handler = kind("hdlr"), information = kind("minf"), table = kind("stbl"), sizes = kind("stsz")
    static let descriptions = kind("stsd"), parameters = kind("avcC")
    static let trackFragment = kind("traf"), fragmentHeader = kind("tfhd"), decodeTime = kind("tfdt")
    static let run = kind("trun"), video = kind("vide"), sound = kind("soun")
    static let extends = kind("mvex"), defaults = kind("trex")

    private static func kind(_ letters: StaticString) -> UInt32 {
        letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns a big-endian number of 32 bits, or nil if it is not within the bytes.
    func number32(_ place: Int) -> UInt32? {
        guard place >= 0, count >= 4, place <= count - 4 else { return nil }
        return UInt32(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }

    /// Returns a big-endian number of 64 bits, or nil if it is not within the bytes.
    func number64(_ place: Int) -> UInt64? {
        guard place >= 0, count >= 8, place <= count - 8 else { return nil }
        return UInt64(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    /// Returns the boxes within these bytes, one after another; at most 1,000. It ends at the first that is not whole.
    func boxes(_ body: (UInt32, UnsafeRawBufferPointer) -> Void) {
        var place = 0
        for _ in 0..<1000 {
            guard case .header(let box) = BoxHeader.read(self, at: place), box.size <= count - place else { return }
            body(box.kind, UnsafeRawBufferPointer(rebasing: self[(place + box.head)..<(place + box.size)]))
            place += box.size
        }
    }
}
