import ControlProtocol

@testable import AllSpark

/// A server as a value, as strict as a server can be: it notices everything that it would not expect of a client.
struct StoryServer {
    enum Variant { case python, node }

    let variant: Variant
    /// What it holds whole, by name.
    private(set) var stored: [String: Int] = [:]
    /// What it has confirmed.
    private(set) var confirmed: Set<String> = []
    /// What a client did that it must not.
    private(set) var complaints: [String] = []
    /// Chunks that it heard of.
    private(set) var announced = 0
    private var pending: (name: String, bytes: Int)?
    /// What it has stored, and its word has not arrived yet.
    private var unconfirmed: [String] = []
    private var hasName = false

    init(_ variant: Variant) { self.variant = variant }

    var config: String { variant == .python ? pythonConfig : nodeConfig }

    /// A new connection.
    mutating func connected() { (pending, hasName, unconfirmed) = (nil, false, []) }

    /// Its word about the oldest file has arrived.
    mutating func deliverConfirmation() {
        if !unconfirmed.isEmpty { confirmed.insert(unconfirmed.removeFirst()) }
    }

    /// Receives a text. Returns what it answers. `refuses`: its disk is full.
    mutating func receive(text bytes: [UInt8], refuses: Bool) -> [String] {
        let message = JSONValue(json: bytes)
        if pending != nil { complaints.append("a text between metadata and content") }
        switch message?["type"]?.string {
        case "clientInfo":
            hasName = true
            return []
        case "chunkSaved":
            announced += 1
            return [#"{"status":"success","message":"Chunk saved info received"}"#]
        case "upload":
            guard let name = message?["filename"]?.string, let bytes = message?["filesize"]?.integer else {
                return [#"{"status":"error","message":"Invalid upload metadata"}"#]
            }
            if !hasName { complaints.append("a file before the name") }
            if variant == .node, name.hasSuffix(".json") { complaints.append("a companion that Node cannot take") }
            if refuses { return [failure] }
            pending = (name, bytes)
            return []
        default:
            complaints.append("an unknown message")
            return [#"{"status":"error","message":"Unknown message type"}"#]
        }
    }

    /// Receives a whole binary message. Returns what it answers.
    mutating func receive(content bytes: Int) -> [String] {
        guard let pending else { return [#"{"status":"error","message":"Metadata not received yet"}"#] }
        self.pending = nil
        if bytes != pending.bytes { complaints.append("content of \(bytes) bytes instead of \(pending.bytes)") }
        stored[pending.name] = bytes
        unconfirmed.append(pending.name)
        return [success]
    }
}
