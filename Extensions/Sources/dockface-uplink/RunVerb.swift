import ArgumentParser
import DockTypes
import ExtensionKit
import LiveStream
import Uplink

struct RunVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Send until it is stopped (Ctrl-C). The default verb.",
        discussion: """
            It waits for the daemon, its camera and the server, and goes on when they return. Settings are read from \
            uplink.toml in ~/.config/dockface and /etc/dockface, and from variables such as DOCKFACE_UPLINK_SERVER; \
            options take precedence. The secret is never an option: it is in a file that only you may read.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: UplinkChoices

    @Option(
        help: ArgumentHelp(
            "Also write what is seen, and where, to a new MCAP file, for Foxglove and others.", valueName: "file"))
    var mcap: String?

    @Option(
        help: ArgumentHelp(
            "Also publish the pictures with ffmpeg: rtsp://HOST:PORT/NAME or srt://HOST:PORT.", valueName: "address"))
    var stream: String?

    @Option(help: ArgumentHelp("Port of the page /metrics, on this machine only. Default: none.", valueName: "port"))
    var metrics: Int?

    @Flag(help: "Replace the file if it exists.")
    var replace = false

    func validate() throws {
        guard metrics.map((0...65_535).contains) ?? true else { throw ValidationError("the port is 0 to 65535") }
        guard mcap != nil || !replace else { throw ValidationError("--replace goes with --mcap") }
    }

    func run() async throws {
        typealias Work = (outputs: UplinkOutputs, metrics: ServedMetrics?)
        let work = try await UplinkPlace.reporting { () async throws(DockError) -> Work in
            var settings = try choices.settings()
            settings.stream = stream ?? settings.stream
            let address = settings.stream.isEmpty ? nil : try StreamAddress(settings.stream)
            for complaint in address.map({ StreamCare.complaints($0, isOption: stream != nil) }) ?? [] {
                UplinkPlace.log.warning(complaint)
            }
            settings.metricsPort = metrics ?? settings.metricsPort
            // A port that is taken is known before a file is replaced.
            let port = settings.metricsPort, metrics = port == 0 ? nil : try await ServedMetrics(port: port)
            let words = OutputWords(mcap: mcap, replace: replace)
            return (try UplinkOutputs(settings, words, log: UplinkPlace.log), metrics)
        }
        let ending = await ExtensionHost(DockfaceUplink.identity, options).run { session in
            try await UplinkRun(session, work.outputs, work.metrics).run()
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }
}

/// The options that take precedence over the settings.
struct UplinkChoices: ParsableArguments {
    @Option(help: ArgumentHelp("Address of the server: wss://HOST:PORT or ws://HOST:PORT.", valueName: "address"))
    var server: String?

    @Option(help: ArgumentHelp("File with the secret. Default: ~/.config/dockface/room.secret.", valueName: "path"))
    var secretFile: String?

    @Option(
        help: ArgumentHelp(
            "SHA-256 of the server's certificate. No other certificate is accepted.", valueName: "digits"))
    var fingerprint: String?

    @Option(help: ArgumentHelp("What is sent: pictures, or only skeletons. Default: pictures.", valueName: "what"))
    var send: String?

    @Option(
        help: ArgumentHelp(
            "Whether the head turns toward people whom only other robots see: on, off.", valueName: "word"))
    var follow: String?

    func validate() throws {
        guard follow.map({ ["on", "off"].contains($0) }) ?? true else { throw ValidationError("follow is on or off") }
        guard send.map({ ["pictures", "skeletons"].contains($0) }) ?? true else {
            throw ValidationError("what is sent is one of: pictures, skeletons")
        }
    }

    func settings() throws(DockError) -> UplinkSettings {
        var settings = try UplinkPlace.settings()
        settings.server = server ?? settings.server
        settings.link.secretFile = secretFile ?? settings.link.secretFile
        if let fingerprint { (settings.link.fingerprint, settings.link.tls) = (fingerprint, "pinned") }
        settings.sendsPictures = send.map { $0 == "pictures" } ?? settings.sendsPictures
        settings.follows = follow.map { $0 == "on" } ?? settings.follows
        return settings
    }
}
