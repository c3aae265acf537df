import Files

/// What a person can set: in `room.toml`, in `DOCKFACE_ROOM_*`, and on the command line.
struct RoomSettings: Sendable, Equatable {
    /// The address to listen on.
    var host = "0.0.0.0"
    /// The port to listen on.
    var port = 8000
    /// The file with the secret; empty for the usual one.
    var secretFile = ""
    /// The files with the certificate and its key; empty for a certificate of the server's own.
    var certificate = "", key = ""
    /// Whether nothing is encrypted.
    var isPlain = false
    /// Whether clients that cannot be verified are accepted.
    var isLenient = false
    /// Origins of web pages that may connect.
    var origins: [String] = []

    /// The keys of `room.toml`.
    static let rows: [FileRow<RoomSettings>] = [
        FileRow("host", .text, get: { .text($0.host) }) { $0.host = $1.text },
        FileRow("port", .whole(0...65_535), get: { .number(Double($0.port)) }) { $0.port = Int($1.number) },
        FileRow("secret_file", .text, get: { $0.secretFile.isEmpty ? nil : .text($0.secretFile) }) {
            $0.secretFile = $1.text
        },
        FileRow("certificate", .text, get: { $0.certificate.isEmpty ? nil : .text($0.certificate) }) {
            $0.certificate = $1.text
        },
        FileRow("key", .text, get: { $0.key.isEmpty ? nil : .text($0.key) }) { $0.key = $1.text },
        FileRow("plain", .flag, get: { .flag($0.isPlain) }) { $0.isPlain = $1.flag },
        FileRow("lenient", .flag, get: { .flag($0.isLenient) }) { $0.isLenient = $1.flag },
        FileRow("origins", .texts(most: 16), get: { $0.origins.isEmpty ? nil : .texts($0.origins) }) {
            $0.origins = $1.texts
        },
    ]
}
