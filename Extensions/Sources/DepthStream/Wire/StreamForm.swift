/// How a sender writes its pictures. No form has a name or a version in it, so the first bytes decide.
public enum StreamForm: String, Sendable, CaseIterable {
    /// Two sizes, then a JPEG and a depth PNG.
    case pair
    /// A size and a JPEG, then a size and a depth PNG.
    case interleaved
    /// Two sizes, then the JPEGs of two cameras; there is no depth.
    case cameras

    /// The form in words for people.
    public var words: String {
        switch self {
        case .pair: "RGB and depth"
        case .interleaved: "RGB and depth, interleaved"
        case .cameras: "two cameras, no depth"
        }
    }
}

/// Why a connection is ended: what arrived, and what to do about it.
public struct StreamRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// What arrived, as a clause.
    public let message: String
    /// What to do, as an imperative.
    public let hint: String

    init(_ message: String, hint: String) { (self.message, self.hint) = (message, hint) }

    /// Both in one line.
    public var description: String { "\(message); \(hint)" }
}

/// What the first bytes of a connection show.
enum FirstBytes: Sendable, Equatable {
    /// More are needed.
    case undecided
    /// Two sizes, then two pictures; or a size in front of each.
    case pictures(isInterleaved: Bool)
    /// No form that is accepted.
    case refused(StreamRefusal)

    /// What a JPEG and a PNG begin with.
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF], png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    /// How many bytes decide at most.
    static let most = 12

    /// Judges the first bytes, of which at most `most` count.
    init(_ bytes: [UInt8]) {
        guard let first = bytes.first else {
            self = .undecided
            return
        }
        if let refusal = Self.otherProtocol(bytes, first) {
            self = .refused(refusal)
        } else if bytes.count < 4 {
            self = .undecided
        } else {
            self = Self.sizes(bytes)
        }
    }

    /// Recognises what is certainly no size of at most 8 MiB.
    private static func otherProtocol(_ bytes: [UInt8], _ first: UInt8) -> StreamRefusal? {
        let isLetter = (0x41...0x5A).contains(first & 0xDF)
        let isText = bytes.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }
        if first == UInt8(ascii: "<") || isLetter, isText {
            guard bytes.count >= 4 else { return nil }
            for word in ["GET ", "POST", "HEAD", "PUT "] where bytes.starts(with: Array(word.utf8)) {
                return StreamRefusal(
                    "this is a web browser or another HTTP client, and no sender of pictures",
                    hint: "connect the app, or a program of docs/DEPTH.md")
            }
            return StreamRefusal(
                "these are text commands of hand gestures, and no pictures",
                hint: "use a version of the app that sends RGB and depth; commands do not move the head here")
        }
        if bytes.starts(with: [0, 0, 0, 1]) {
            let name = bytes.dropFirst(4).starts(with: [0x40, 1]) ? "H.265 video" : "H.264 or H.265 video"
            return StreamRefusal(
                "this is \(name), whose depth has only 8 bits", hint: "use a version of the app that sends JPEG and PNG"
            )
        }
        for (mark, name) in [(jpeg, "JPEG"), (png, "PNG")] where bytes.starts(with: mark) {
            return StreamRefusal(
                "a \(name) arrives without the two sizes in front of it",
                hint: "send the sizes of both pictures first, 4 bytes each, the highest first")
        }
        if bytes.starts(with: [0x16, 3]) {
            return StreamRefusal(
                "this connection is encrypted, but the stream has no encryption", hint: "connect without TLS")
        }
        return nil
    }

    /// Reads the first size, and what is behind it.
    private static func sizes(_ bytes: [UInt8]) -> FirstBytes {
        let size = PacketSizes.size(bytes[0..<4])
        guard PacketSizes.range.contains(size) else {
            // The bytes of the size may be in the other order, which the second picture of sizes shows.
            let other = PacketSizes.size(bytes[0..<4].reversed()[...])
            guard PacketSizes.range.contains(other), size > 0 else { return .refused(.wrongSize(size)) }
            guard bytes.count >= 11 else { return .undecided }
            guard bytes[8...].starts(with: jpeg) else { return .refused(.wrongSize(size)) }
            return .refused(
                StreamRefusal(
                    "the sizes have their lowest byte first", hint: "write them with the highest byte first (\">II\")"))
        }
        guard bytes.count >= 7 else { return .undecided }
        if bytes[4...].starts(with: jpeg) { return .pictures(isInterleaved: true) }
        guard bytes.count >= 8 else { return .undecided }
        let second = PacketSizes.size(bytes[4..<8])
        guard PacketSizes.range.contains(second) else { return .refused(.wrongSize(second)) }
        guard bytes.count >= 11 else { return .undecided }
        guard bytes[8...].starts(with: jpeg) else { return .refused(.noJPEG) }
        return .pictures(isInterleaved: false)
    }
}

/// The sizes in front of pictures.
enum PacketSizes {
    /// The sizes that are accepted, in bytes.
    static let range = 1...(8 << 20)

    /// The number in four bytes, the highest first.
    static func size(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

extension StreamRefusal {
    static func wrongSize(_ size: Int) -> StreamRefusal {
        StreamRefusal(
            "a picture of \(size) bytes is announced, and 1 byte to 8 MiB are accepted",
            hint: "begin each packet with the sizes of both pictures, 4 bytes each, the highest first")
    }

    static let noJPEG = StreamRefusal(
        "no JPEG is behind the two sizes", hint: "send the JPEG first, then the depth PNG")
    static let noSecond = StreamRefusal(
        "the picture behind the JPEG is neither a PNG nor a JPEG", hint: "send the depth as a 16-bit grey PNG")
    static let noRoom = StreamRefusal(
        "the unfinished packets of all senders do not fit into \(ByteBudget.most >> 20) MiB",
        hint: "send smaller pictures, or end other senders")
    static let tooSlow = StreamRefusal(
        "a packet was not complete after \(Int(PacketReader.patience)) s",
        hint: "check the network, or send smaller pictures")
}
