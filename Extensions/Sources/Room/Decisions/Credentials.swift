internal import Aerie
internal import Geometry

/// Decides who is accepted: the signature must be right, new, and of this moment.
struct Credentials: Sendable {
    /// How far a client's clock may be off, in seconds.
    static let tolerance = 60.0
    /// The length of a device's name, in bytes.
    static let nameLengths = 1...64

    let secret: SharedSecret
    /// Whether the signatures of the source system are accepted, which cannot be verified.
    let isLenient: Bool
    private var nonces = NonceCache()

    init(_ secret: SharedSecret, isLenient: Bool) { (self.secret, self.isLenient) = (secret, isLenient) }

    /// How a client was accepted.
    enum Verdict: Sendable, Equatable {
        /// It has proved that it knows the secret. `nonce`: the number that it has signed.
        case proved(nonce: String)
        /// It was not verified, because the server is lenient.
        case unverified
        /// It was not accepted, and why.
        case refused(String)
    }

    /// Judges a request of a device that has named itself in the path of its connection.
    mutating func judge(_ request: AuthRequest, device: String, now: RoomMachine.Moment) -> Verdict {
        guard request.device == device else { return .refused("the request is for another device") }
        guard let text = request.time, let nonce = request.nonce else {
            guard isLenient else { return .refused("the signature has no time or no number") }
            return Self.hasForm(request.token) ? .unverified : .refused("Invalid authentication token")
        }
        guard let seconds = Double(text), WireTime(unix: seconds).text == text else {
            return .refused("the time of the signature is wrong")
        }
        let isNonce =
            nonce.utf8.count == 32 && nonce.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard isNonce else { return .refused("the number of the signature is wrong") }
        let expected = secret.token(device: device, time: WireTime(unix: seconds), nonce: nonce)
        // The signature comes first: a client without the secret does not learn about clocks and numbers.
        guard SharedSecret.agree(request.token, expected) else { return .refused("Invalid authentication token") }
        guard abs(now.unix - seconds) <= Self.tolerance else {
            let difference = Int(seconds - now.unix)
            return .refused("the clocks differ by \(difference) s; set the clock of one of the machines")
        }
        guard nonces.use(nonce, now: now.monotonic) else { return .refused("the signature was used before") }
        return .proved(nonce: nonce)
    }

    /// Whether a text has the form of a signature of the source system.
    private static func hasForm(_ token: String) -> Bool {
        (16...256).contains(token.utf8.count) && Base64.decode(Array(token.utf8)) != nil
    }

    /// Whether a text can be a device's name.
    static func isName(_ text: String) -> Bool {
        nameLengths.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
