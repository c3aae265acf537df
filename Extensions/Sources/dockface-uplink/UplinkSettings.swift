import Aerie
import DockTypes
import Files
import Networking
import SpatialModel
import Uplink

/// What a person can set: in `uplink.toml`, in `DOCKFACE_UPLINK_*`, and on the command line.
struct UplinkSettings: Sendable, Equatable {
    /// The server's address; empty for none.
    var server = ""
    /// The address of a stream; empty for none.
    var stream = ""
    /// The robot's name for people; empty for the name of the machine.
    var name = ""
    /// Whether pictures are sent, or only the skeletons of a detector.
    var sendsPictures = true
    /// Whether the head turns toward people whom only others see.
    var follows = false
    /// Whether the robot needs a screen that shows that it sends.
    var needsScreen = true
    /// The greatest number of pictures a second, their greatest width, and their best quality.
    var rate = 30.0, width = 640.0, quality = 60.0
    /// Whether the server gets pictures without the distortion of the lens.
    var undistorts = false
    /// Whether a server that accepts H.264 gets it. It takes more of the processor than JPEG, and less of the network.
    var allowsVideo = true
    /// The port of the page with figures, on this machine only; 0 for none.
    var metricsPort = 0
    /// How the server is trusted.
    var link = LinkSettings()
    /// Where the robot stands, and its head.
    var stand = StandSettings()

    /// How the server is trusted, and what it expects.
    struct LinkSettings: Sendable, Equatable {
        /// Which certificate is accepted: "system", "pinned", "off"; empty for the one that fits the address.
        var tls = ""
        /// The fingerprint of the certificate, for "pinned".
        var fingerprint = ""
        /// The file with the secret; empty for the usual one.
        var secretFile = ""
        var trust = UplinkTerms.Trust.proof
        var token = UplinkTerms.Token.nonce
        var convention = PoseConvention()
    }

    /// Where the robot stands, in metres and degrees.
    struct StandSettings: Sendable, Equatable {
        var x = 0.0, y = 0.0, z = 0.0, heading = 0.0
        var axisUp = 0.0, axisAhead = 0.0
        var lensRight = 0.0, lensUp = 0.0, lensAhead = 0.0

        var model: HeadModel {
            var head = HeadModel()
            (head.stand, head.heading) = (HeadModel.Place(x, y, z), heading * .pi / 180)
            (head.axis, head.lens) = ((axisUp, axisAhead), (lensRight, lensUp, lensAhead))
            return head
        }
    }

    /// The keys of `uplink.toml`.
    static let rows: [FileRow<UplinkSettings>] = [
        FileRow("server", .text, get: { $0.server.isEmpty ? nil : .text($0.server) }) { $0.server = $1.text },
        FileRow("stream", .text, get: { $0.stream.isEmpty ? nil : .text($0.stream) }) { $0.stream = $1.text },
        FileRow("name", .text, get: { $0.name.isEmpty ? nil : .text($0.name) }) { $0.name = $1.text },
        FileRow("send", .oneOf(["pictures", "skeletons"]), get: { .text($0.sendsPictures ? "pictures" : "skeletons") })
        {
            $0.sendsPictures = $1.text == "pictures"
        },
        FileRow("sign", .oneOf(["screen", "none"]), get: { .text($0.needsScreen ? "screen" : "none") }) {
            $0.needsScreen = $1.text != "none"
        },
        FileRow("follow", .oneOf(["on", "off"]), get: { .text($0.follows ? "on" : "off") }) {
            $0.follows = $1.text == "on"
        },
        FileRow("rate", .number(1...60), get: { .number($0.rate) }) { $0.rate = $1.number },
        FileRow("width", .whole(64...1920), get: { .number($0.width) }) { $0.width = $1.number },
        FileRow("quality", .whole(10...95), get: { .number($0.quality) }) { $0.quality = $1.number },
        FileRow("codec", .oneOf(["auto", "jpeg"]), get: { .text($0.allowsVideo ? "auto" : "jpeg") }) {
            $0.allowsVideo = $1.text == "auto"
        },
        FileRow("undistort", .flag, get: { .flag($0.undistorts) }) { $0.undistorts = $1.flag },
        FileRow("metrics", .whole(0...65_535), get: { .number(Double($0.metricsPort)) }) {
            $0.metricsPort = Int($1.number)
        },
        FileRow("tls", .oneOf(["system", "pinned", "off"]), get: { $0.link.tls.isEmpty ? nil : .text($0.link.tls) }) {
            $0.link.tls = $1.text
        },
        FileRow("fingerprint", .text, get: { $0.link.fingerprint.isEmpty ? nil : .text($0.link.fingerprint) }) {
            $0.link.fingerprint = $1.text
        },
        FileRow("secret_file", .text, get: { $0.link.secretFile.isEmpty ? nil : .text($0.link.secretFile) }) {
            $0.link.secretFile = $1.text
        },
        FileRow(
            "trust", .oneOf(UplinkTerms.Trust.allCases.map(\.rawValue)), get: { .text($0.link.trust.rawValue) }
        ) { $0.link.trust = UplinkTerms.Trust(rawValue: $1.text) ?? .proof },
        FileRow(
            "token", .oneOf(UplinkTerms.Token.allCases.map(\.rawValue)), get: { .text($0.link.token.rawValue) }
        ) { $0.link.token = UplinkTerms.Token(rawValue: $1.text) ?? .nonce },
        FileRow(
            "matrix", .oneOf(PoseConvention.Order.allCases.map(\.rawValue)),
            get: { .text($0.link.convention.order.rawValue) }
        ) { $0.link.convention.order = PoseConvention.Order(rawValue: $1.text) ?? .columns },
        FileRow(
            "camera", .oneOf(PoseConvention.Camera.allCases.map(\.rawValue)),
            get: { .text($0.link.convention.camera.rawValue) }
        ) { $0.link.convention.camera = PoseConvention.Camera(rawValue: $1.text) ?? .arkit },
        length("stand.x", \.x), length("stand.y", \.y), length("stand.z", \.z),
        FileRow("stand.heading", .number(-360...360), get: { .number($0.stand.heading) }) {
            $0.stand.heading = $1.number
        },
        length("axis.up", \.axisUp), length("axis.ahead", \.axisAhead), length("lens.right", \.lensRight),
        length("lens.up", \.lensUp), length("lens.ahead", \.lensAhead),
    ]

    private static func length(
        _ name: String, _ path: any WritableKeyPath<StandSettings, Double> & Sendable
    ) -> FileRow<UplinkSettings> {
        FileRow(name, .number(-1000...1000), get: { .number($0.stand[keyPath: path]) }) {
            $0.stand[keyPath: path] = $1.number
        }
    }

    /// The best shape of a picture.
    var shape: FrameShape { FrameShape(width: Int(width), quality: Int(quality), rate: rate) }

    /// What the conversation may do.
    var terms: UplinkTerms {
        var terms = UplinkTerms(server: server)
        (terms.trust, terms.token, terms.shape) = (link.trust, link.token, shape)
        terms.sendsVideo = allowsVideo && sendsPictures
        return terms
    }
}
