internal import ControlProtocol

/// A message to the server, as one JSON object. The binary message after `upload` is the file itself.
public enum ClientMessage: Sendable, Equatable {
    /// Who is connected. No answer follows.
    case clientInfo(name: String)
    /// A chunk was recorded. One answer follows. A server may request each chunk that it hears of.
    case chunkSaved(ChunkReference)
    /// A file follows as one binary message, and then one answer.
    case upload(name: String, bytes: Int, mediaType: String)
    /// A test. One answer follows.
    case test

    /// The text of the message, UTF-8.
    public var bytes: [UInt8] { JSONValue.object(members).bytes }

    private var members: [String: JSONValue] {
        switch self {
        case .clientInfo(let name): ["type": .string("clientInfo"), "clientName": .string(name)]
        case .chunkSaved(let chunk): Self.members(of: chunk)
        case .upload(let name, let bytes, let mediaType):
            // An older server knows the same members without `type`.
            [
                "type": .string("upload"), "filename": .string(name), "filesize": .number(bytes),
                "mimetype": .string(mediaType),
            ]
        case .test: ["type": .string("test")]
        }
    }

    private static func members(of chunk: ChunkReference) -> [String: JSONValue] {
        [
            "type": .string("chunkSaved"), "startTime": .number(orNull: chunk.start),
            "endTime": .number(orNull: chunk.end), "camera": .string(chunk.camera), "size": .number(chunk.bytes),
            "format": .string(chunk.format.rawValue), "fps": .number(orNull: chunk.rate),
            "dimensions": .object(["width": .number(chunk.width), "height": .number(chunk.height)]),
        ]
    }
}
