internal import AllSpark
public import ControlProtocol
public import DockTypes
public import Networking

/// The server to which the owner of a folder sends recordings.
public struct ChosenServer: Sendable, Equatable {
    /// The owner's name for it.
    public var name: String
    /// Where it is.
    public var address: ServerAddress
    /// Which certificate is accepted, or that there is no encryption.
    public var trust: TransportTrust
    /// The name under which it was found on the local network, or nil if the owner typed its address. It is looked for
    /// there again before each connection, because its numeric address may change.
    public var service: String?
    /// The numeric address at which it was found.
    public var numericHost: String?

    /// Describes a server.
    /// - Throws: `configuration` if the address and the trust contradict each other.
    public init(
        name: String, address: ServerAddress, trust: TransportTrust, service: String? = nil, numericHost: String? = nil
    ) throws(DockError) {
        (self.name, self.address, self.trust) = (name, address, trust)
        (self.service, self.numericHost) = (service, numericHost)
        _ = try plan(at: nil)
    }

    /// How to connect: at the place where it was found now, or else where it was before.
    public func plan(at place: ServerPlace?) throws(DockError) -> TransportPlan {
        guard let place else { return try TransportPlan(address, trust: trust, numericHost: numericHost) }
        return try TransportPlan(address.at(port: place.port), trust: trust, numericHost: place.host)
    }

    /// Whether the connection is encrypted.
    public var isEncrypted: Bool { trust != .off }

    /// What the conversation knows of it.
    var facts: AllSparkServer {
        AllSparkServer(name: name, address: address.text, isEncrypted: isEncrypted, pin: pin?.fingerprint)
    }

    /// The certificate that the owner has accepted, or nil.
    public var pin: ServerCertificate? { if case .pinned(let certificate) = trust { certificate } else { nil } }

    /// The address with its scheme.
    public var url: String {
        (isEncrypted ? "wss://" : "ws://") + address.text + (address.path == "/" ? "" : address.path)
    }

    // MARK: the file

    /// The members of the file `server.json`.
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "address": .string(url),
            "tls": .string(pin == nil ? isEncrypted ? "system" : "off" : "pinned"),
        ]
        members["certificate"] = pin.map { .string(Self.digits($0.der)) }
        members["service"] = service.map(JSONValue.string)
        members["numericHost"] = numericHost.map(JSONValue.string)
        return .object(members)
    }

    /// Reads the members of the file.
    /// - Throws: `configuration`, with what is wrong. A server that is not fully known is not connected to.
    public init(json: JSONValue) throws(DockError) {
        guard let name = json["name"]?.string, !name.isEmpty, let text = json["address"]?.string else {
            throw Self.damaged("it has no name or no address")
        }
        let address = try ServerAddress(text, defaultPort: AllSparkServer.usualPort)
        let trust: TransportTrust
        switch json["tls"]?.string {
        case "system": trust = .system
        case "off": trust = .off
        case "pinned":
            guard let der = json["certificate"]?.string.flatMap(Self.bytes) else {
                throw Self.damaged("the certificate cannot be read")
            }
            trust = .pinned(try ServerCertificate(der: der))
        default: throw Self.damaged("\"tls\" is not system, pinned or off")
        }
        try self.init(
            name: name, address: address, trust: trust, service: json["service"]?.string,
            numericHost: json["numericHost"]?.string)
    }

    static func damaged(_ what: String) -> DockError {
        DockError(
            .configuration, "the description of the server is damaged: \(what)",
            hint: "choose the server again with `dockface record join`")
    }

    private static func digits(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count.isMultiple(of: 2), digits.count <= 2 * ServerCertificate.largest else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[place]), let low = value(digits[place + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}

/// Where a server was found on the local network.
public struct ServerPlace: Sendable, Equatable {
    /// The numeric address.
    public var host: String
    /// The port.
    public var port: Int

    /// Creates a place.
    public init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}
