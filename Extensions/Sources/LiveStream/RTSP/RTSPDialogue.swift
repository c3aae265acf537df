/// What passes between ffmpeg and a server of RTSP, as a pure value: it puts the server's address, the user and the
/// password into ffmpeg's requests, so that ffmpeg does not have to know them.
struct RTSPDialogue: Sendable {
    /// Why it cannot go on.
    enum Flaw: Error, Sendable, Equatable {
        /// Another program than our ffmpeg has connected.
        case stranger
        /// A message is too long, or is none.
        case message
    }

    /// The longest head and the longest body of a message, in bytes.
    static let longestHead = 16 << 10, longestBody = 64 << 10

    /// The address as ffmpeg has it, and as the server has it.
    private let local: String, remote: String
    private var access: RTSPAccess
    private var client = RTSPReader(), server = RTSPReader()
    /// The request that was not answered yet, and whether it was repeated.
    private var open: (request: RTSPMessage, isRepeated: Bool)?

    init(local: String, remote: String, access: RTSPAccess) {
        (self.local, self.remote, self.access) = (local, remote, access)
    }

    /// Takes bytes of ffmpeg. Returns those for the server.
    mutating func fromClient(_ bytes: [UInt8]) throws(Flaw) -> [UInt8] {
        var result: [UInt8] = []
        for part in try client.feed(bytes) {
            switch part {
            case .data(let data): result += data
            case .message(var request):
                var words = request.words
                guard words.count == 3, words[1] == local || words[1].hasPrefix(local + "/") else { throw .stranger }
                words[1] = remote + words[1].dropFirst(local.count)
                request.words = words
                open = (request, false)
                result += authorised(request)
            }
        }
        return result
    }

    /// Takes bytes of the server. Returns those for ffmpeg, and those for the server.
    mutating func fromServer(_ bytes: [UInt8]) throws(Flaw) -> (client: [UInt8], server: [UInt8]) {
        var (forClient, forServer): ([UInt8], [UInt8]) = ([], [])
        for part in try server.feed(bytes) {
            switch part {
            case .data(let data): forClient += data
            case .message(let answer):
                let isRefused = answer.words.count > 1 && answer.words[1] == "401"
                // One repetition: the second time with the newer number of the server.
                if isRefused, let (request, isRepeated) = open, !isRepeated,
                    access.receive(answer.values(of: "www-authenticate"))
                {
                    open = (request, true)
                    forServer += authorised(request)
                } else {
                    open = nil
                    forClient += answer.bytes
                }
            }
        }
        return (forClient, forServer)
    }

    private func authorised(_ request: RTSPMessage) -> [UInt8] {
        var request = request
        if let value = access.authorization(method: request.words[0], uri: request.words[1]) {
            request.lines.append("Authorization: \(value)")
        }
        return request.bytes
    }
}

/// A request or an answer.
struct RTSPMessage: Sendable, Equatable {
    /// The parts of the first line.
    var words: [String]
    /// The other lines of the head.
    var lines: [String]
    var body: [UInt8]

    var bytes: [UInt8] {
        let head = ([words.joined(separator: " ")] + lines).joined(separator: "\r\n") + "\r\n\r\n"
        return Array(head.utf8) + body
    }

    /// The values of a header field; its name is in lower case.
    func values(of name: String) -> [String] {
        lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { return nil }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
    }
}

/// Splits a stream of RTSP into messages and interleaved data.
struct RTSPReader: Sendable {
    enum Part: Sendable, Equatable {
        case message(RTSPMessage)
        /// A whole packet with its four bytes before it.
        case data([UInt8])
    }

    private var waiting: [UInt8] = []

    mutating func feed(_ bytes: [UInt8]) throws(RTSPDialogue.Flaw) -> [Part] {
        waiting += bytes
        var parts: [Part] = [], at = 0
        defer { waiting.removeFirst(at) }
        while at < waiting.count, let (part, end) = try next(at) {
            parts.append(part)
            at = end
        }
        return parts
    }

    private func next(_ at: Int) throws(RTSPDialogue.Flaw) -> (Part, Int)? {
        if waiting[at] == UInt8(ascii: "$") {
            guard at + 4 <= waiting.count else { return nil }
            let end = at + 4 + Int(waiting[at + 2]) << 8 + Int(waiting[at + 3])
            return end <= waiting.count ? (.data(Array(waiting[at..<end])), end) : nil
        }
        guard let head = headEnd(at) else {
            guard waiting.count - at <= RTSPDialogue.longestHead else { throw .message }
            return nil
        }
        guard let text = String(validating: waiting[at..<(head - 4)], as: UTF8.self) else { throw .message }
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        let first = lines.removeFirst().split(separator: " ", maxSplits: 2).map(String.init)
        var message = RTSPMessage(words: first, lines: lines, body: [])
        let length = message.values(of: "content-length").first.map { Int($0) ?? -1 } ?? 0
        guard first.count >= 2, (0...RTSPDialogue.longestBody).contains(length) else { throw .message }
        guard head + length <= waiting.count else { return nil }
        message.body = Array(waiting[head..<(head + length)])
        return (.message(message), head + length)
    }

    /// The place behind the empty line that ends a head.
    private func headEnd(_ at: Int) -> Int? {
        guard waiting.count - at >= 4 else { return nil }
        return (at...(waiting.count - 4)).first { waiting[$0] == 13 && waiting[$0..<($0 + 4)] == [13, 10, 13, 10] }.map
        {
            $0 + 4
        }
    }
}
