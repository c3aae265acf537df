/// What was seen of a connection until it was usable, or failed.
struct HandshakeTrace: Sendable, Equatable {
    /// The first bytes of the server, at most `most`.
    var firstBytes: [UInt8] = []
    /// Whether TLS is ready.
    var isSecured = false
    /// The certificate that the server has shown.
    var certificate: ServerCertificate?
    /// Whether it was rejected, and whether because it is for another name.
    var isRejected = false, isWrongName = false
    /// The status of the first HTTP answer.
    var status: Int?
    /// Whether the time was over.
    var isTimedOut = false
    /// Whether the first HTTP answer asks for TLS.
    var asksForTLS = false

    /// How many bytes show which protocol a server speaks.
    static let most = 5

    /// Whether the server's first bytes are a record of TLS: a kind of 20 to 23, and version 3.
    var speaksTLS: Bool { firstBytes.count >= 2 && (20...23).contains(firstBytes[0]) && firstBytes[1] == 3 }
}
