public import ControlProtocol
internal import PlainText

/// A client's message that says who it is.
public struct AuthRequest: Sendable, Equatable {
    /// The device's name for itself, which it keeps. The one in the path of the connection counts.
    public var device: String
    /// The signature, base64.
    public var token: String
    /// What kind of device it is, for people.
    public var model: String
    /// The version of its system, for people.
    public var system: String
    /// Whether it has a depth sensor.
    public var hasDepth: Bool
    /// The time that was signed, as text, or nil from a client of the source system.
    public var time: String?
    /// The number that was signed and is used once, or nil from a client of the source system.
    public var nonce: String?
    /// What the client can send beside JPEG: `h264`. The source system does not know it.
    public var accepts: [String] = []

    /// Creates a message.
    public init(
        device: String, token: String, model: String, system: String, hasDepth: Bool = false, time: String? = nil,
        nonce: String? = nil
    ) {
        (self.device, self.token, self.model, self.system) = (device, token, model, system)
        (self.hasDepth, self.time, self.nonce) = (hasDepth, time, nonce)
    }

    /// Reads the members of a message; nil if one is missing.
    public init?(_ members: [String: JSONValue]) {
        guard let device = members["deviceId"]?.string, let token = members["token"]?.string,
            let info = members["deviceInfo"], let model = info["model"]?.string,
            let system = info["osVersion"]?.string, let hasDepth = info["hasLiDAR"]?.bool
        else { return nil }
        self.init(
            device: device, token: token, model: ForeignText.line(model, longest: 80),
            system: ForeignText.line(system, longest: 80), hasDepth: hasDepth, time: members["timestamp"]?.string,
            nonce: members["nonce"]?.string)
        accepts = Self.words(members["accepts"])
    }

    /// Reads a list of formats; what is none is left out.
    static func words(_ value: JSONValue?) -> [String] {
        (value?.array ?? []).prefix(16).compactMap(\.string).filter { $0.utf8.count <= 32 }
    }

    /// The members of the message.
    public var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "deviceId": .string(device), "token": .string(token),
            "deviceInfo": .object([
                "model": .string(model), "osVersion": .string(system), "hasLiDAR": .bool(hasDepth),
            ]),
        ]
        members["timestamp"] = time.map(JSONValue.string)
        members["nonce"] = nonce.map(JSONValue.string)
        if !accepts.isEmpty { members["accepts"] = .array(accepts.map(JSONValue.string)) }
        return members
    }
}

/// The server's answer to that, and to any message that it does not understand.
public struct AuthAnswer: Sendable, Equatable {
    /// Whether the message was accepted.
    public var isSuccess: Bool
    /// The session, after success.
    public var session: String?
    /// What was wrong, as one plain line.
    public var error: String?
    /// The server's proof that it knows the secret, or nil from a server that gives none.
    public var proof: String?
    /// What the server takes beside JPEG: `h264`. A server of the source system names nothing.
    public var accepts: [String] = []

    /// Creates an answer.
    public init(isSuccess: Bool, session: String? = nil, error: String? = nil, proof: String? = nil) {
        (self.isSuccess, self.session, self.error, self.proof) = (isSuccess, session, error, proof)
    }

    /// Reads the members of an answer; nil if it does not say whether it is a success.
    public init?(_ members: [String: JSONValue]) {
        guard let isSuccess = members["success"]?.bool else { return nil }
        self.init(
            isSuccess: isSuccess, session: members["sessionId"]?.string,
            error: members["error"]?.string.map { ForeignText.line($0, longest: 160) },
            proof: members["proof"]?.string)
        accepts = AuthRequest.words(members["accepts"])
    }

    /// The members of the answer. What is nil is left out.
    public var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["success": .bool(isSuccess)]
        members["sessionId"] = session.map(JSONValue.string)
        members["error"] = error.map(JSONValue.string)
        members["proof"] = proof.map(JSONValue.string)
        if !accepts.isEmpty { members["accepts"] = .array(accepts.map(JSONValue.string)) }
        return members
    }
}
