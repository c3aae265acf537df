internal import ControlProtocol
internal import PlainText

/// One request of a line: its call, or the reason why it cannot be executed.
struct ControlRequest: Sendable, Equatable {
    /// The bytes of its ID, which are returned unchanged (control and bidirectional characters escaped), or nil for a
    /// notification, which is not answered.
    var id: [UInt8]?
    /// The call, or the reason for a refusal.
    var call: Result<ControlCall, ControlError>
    /// Whether it has a method, even if the rest is wrong. If so, its sender is alive.
    var isCall = true

    /// Creates a refusal of something that is not a request.
    init(refused error: ControlError, id: [UInt8]? = nil) {
        self.id = id ?? Self.null
        call = .failure(error)
        isCall = false
    }

    init(id: [UInt8]?, _ call: Result<ControlCall, ControlError>) {
        self.id = id
        self.call = call
    }

    /// The id of an answer whose request has no known id.
    static let null = Array("null".utf8)
    /// The maximum length of an ID, in bytes.
    static let longestID = 1024
}

/// The content of a line: one request, or a batch.
struct ControlLine: Sendable, Equatable {
    var requests: [ControlRequest]
    /// Whether the answers form an array.
    var isBatch = false

    /// The maximum size of a batch. A larger one is refused as a whole.
    static let longestBatch = 32

    /// The stops in the line.
    var stops: [ControlCall] { requests.compactMap { try? $0.call.get() }.filter(\.isStop) }

    /// Refuses the requests that match.
    mutating func refuse(_ error: ControlError, _ isSo: (ControlCall) -> Bool) {
        for index in requests.indices {
            guard case .success(let call) = requests[index].call, isSo(call) else { continue }
            requests[index].call = .failure(error)
        }
    }

    /// Creates a line that gets a single error as its answer.
    init(refused error: ControlError) { requests = [ControlRequest(refused: error)] }

    /// Reads a line. Any input becomes at least one request.
    init(_ line: [UInt8]) {
        var reader = JSONReader(line)
        do throws(JSONProblem) {
            isBatch = reader.peek() == UInt8(ascii: "[")
            requests = try isBatch ? Self.batch(&reader, of: line) : [Self.request(&reader, of: line, depth: 0)]
            try reader.finish()
        } catch {
            requests = [ControlRequest(refused: .parse(error.message))]
            isBatch = false
            return
        }
        guard requests.isEmpty || requests.count > Self.longestBatch else { return }
        let problem = "a batch has 1 to \(Self.longestBatch) requests"
        requests = [ControlRequest(refused: .invalidRequest(problem))]
        isBatch = false
    }

    private static func batch(
        _ reader: inout JSONReader, of line: [UInt8]
    ) throws(JSONProblem) -> [ControlRequest] {
        var requests: [ControlRequest] = []
        try reader.array(depth: 0) { reader throws(JSONProblem) in
            // One request over the limit is enough to detect this.
            guard requests.count <= longestBatch else { return _ = try reader.value(depth: 1) }
            requests.append(try request(&reader, of: line, depth: 1))
        }
        return requests
    }

    private static func request(
        _ reader: inout JSONReader, of line: [UInt8], depth: Int
    ) throws(JSONProblem) -> ControlRequest {
        guard reader.peek() == UInt8(ascii: "{") else {
            _ = try reader.value(depth: depth)
            return ControlRequest(refused: .invalidRequest("a request is an object"))
        }
        let (members, idRange) = try reader.object(depth: depth)
        var id: [UInt8]?
        switch members["id"] {
        case nil: break
        case .string, .number, .null:
            id = idRange.map { Array(line[$0]) }
            guard let bytes = id, bytes.count <= ControlRequest.longestID else {
                return ControlRequest(refused: .invalidRequest("\"id\" is longer than 1024 bytes"))
            }
            // The same id, but with characters escaped that a terminal would interpret.
            if bytes.contains(where: ForeignText.mayCommand) { id = members["id"]?.bytes }
        default:
            return ControlRequest(refused: .invalidRequest("\"id\" must be a string, a number or null"))
        }
        if let version = members["jsonrpc"], version != .string("2.0") {
            return ControlRequest(refused: .invalidRequest("\"jsonrpc\" must be \"2.0\""), id: id)
        }
        guard let method = members["method"]?.string else {
            return ControlRequest(refused: .invalidRequest("\"method\" must be a string"), id: id)
        }
        do throws(ControlError) {
            return ControlRequest(id: id, .success(try ControlMethods.call(method, members["params"])))
        } catch {
            return ControlRequest(id: id, .failure(error))
        }
    }
}
