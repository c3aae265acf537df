/// A picture of a video: an access unit of H.264 with start codes (Annex B).
public struct EncodedPicture: Sendable, Equatable {
    /// Whether it needs no other picture. It then begins with the parameters of the video.
    public var isKey: Bool
    /// The access unit.
    public var bytes: [UInt8]
}

/// Reads the pictures of a video from the container FLV, which says how long each is. So a picture is whole as soon as
/// its last byte is there; in a bare stream, only the next one shows that.
struct FLVReader: Sendable {
    /// Why the bytes are none.
    enum Flaw: String, Error, Sendable {
        case header = "it does not begin as FLV"
        case tooLong = "a picture is too long"
        case picture = "a picture is damaged"
    }

    /// The longest picture, in bytes.
    static let longest = 4 << 20
    private static let head = 13, tagHead = 11, tagTail = 4, startCode: [UInt8] = [0, 0, 0, 1]

    private var waiting: [UInt8] = []
    private var hasHeader = false
    /// The parameters of the video, with start codes.
    private var parameters: [UInt8] = []
    private var lengthBytes = 4

    /// Takes bytes. Returns the pictures that are whole now.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(Flaw) -> [EncodedPicture] {
        waiting.append(contentsOf: bytes)
        var at = 0, pictures: [EncodedPicture] = []
        defer { waiting.removeFirst(at) }
        if !hasHeader {
            guard waiting.count >= Self.head else { return [] }
            guard waiting.starts(with: "FLV".utf8) else { throw .header }
            (hasHeader, at) = (true, Self.head)
        }
        while waiting.count - at >= Self.tagHead {
            let length = number(at + 1, 3)
            guard length <= Self.longest else { throw .tooLong }
            guard waiting.count - at >= Self.tagHead + length + Self.tagTail else { break }
            let content = (at + Self.tagHead)..<(at + Self.tagHead + length)
            // 9 is video.
            if waiting[at] == 9, let picture = try picture(content) { pictures.append(picture) }
            at += Self.tagHead + length + Self.tagTail
        }
        return pictures
    }

    private func number(_ place: Int, _ count: Int) -> Int {
        waiting[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    /// One picture, or nil for the parameters and the end of the video.
    private mutating func picture(_ content: Range<Int>) throws(Flaw) -> EncodedPicture? {
        // The kind of the frame with the codec, the kind of the packet, three bytes of time.
        guard content.count >= 5, waiting[content.lowerBound] & 0x0F == 7 else { throw .picture }
        let isKey = waiting[content.lowerBound] >> 4 == 1, body = (content.lowerBound + 5)..<content.upperBound
        switch waiting[content.lowerBound + 1] {
        case 0:
            try readParameters(body)
            return nil
        case 1: break
        default: return nil
        }
        var bytes = isKey ? parameters : [], at = body.lowerBound
        while at < body.upperBound {
            guard at + lengthBytes <= body.upperBound else { throw .picture }
            let length = number(at, lengthBytes)
            at += lengthBytes
            guard length > 0, at + length <= body.upperBound else { throw .picture }
            bytes += Self.startCode + waiting[at..<(at + length)]
            at += length
        }
        return bytes.isEmpty ? nil : EncodedPicture(isKey: isKey, bytes: bytes)
    }

    /// Reads the record of ISO/IEC 14496-15: five bytes, then the lists of both kinds of parameters.
    private mutating func readParameters(_ body: Range<Int>) throws(Flaw) {
        guard body.count >= 7 else { throw .picture }
        lengthBytes = Int(waiting[body.lowerBound + 4] & 3) + 1
        var at = body.lowerBound + 5, found: [UInt8] = []
        for mask: UInt8 in [0x1F, 0xFF] {
            guard at < body.upperBound else { throw .picture }
            let count = Int(waiting[at] & mask)
            at += 1
            for _ in 0..<count {
                guard at + 2 <= body.upperBound else { throw .picture }
                let length = number(at, 2)
                at += 2
                guard at + length <= body.upperBound else { throw .picture }
                found += Self.startCode + waiting[at..<(at + length)]
                at += length
            }
        }
        parameters = found
    }
}
