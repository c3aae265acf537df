import ArgumentParser
import Codecs
import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import LiveStream
import Uplink

struct DoctorVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check everything that the uplink needs. No pictures leave.",
        discussion: """
            It connects to the server if one is chosen, encodes a picture, asks the daemon for its camera and its lens, \
            and shows LIVE on its screen for a moment. The exit status is 1 if nothing can be sent.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: UplinkChoices

    @Flag(help: "Print JSON Lines.")
    var json = false

    func run() async throws {
        let findings = try await UplinkPlace.reporting { () async throws(DockError) in
            let settings = try choices.settings()
            return await Self.server(settings) + (await Self.encoder(settings)) + Self.stream(settings)
                + (await RobotCheck(settings).findings(options.control))
        }
        for finding in findings { TextOutput.put((json ? finding.json : finding.text) + "\n") }
        if findings.contains(where: { $0.level == .fault }) { throw ExitCode(1) }
    }

    private static func server(_ settings: UplinkSettings) async -> [Finding] {
        guard !settings.server.isEmpty else {
            let hint = "set `server` in uplink.toml, or use --mcap or --stream"
            return [Finding(.note, "server", "none is chosen; nothing is sent to a room", hint)]
        }
        do throws(DockError) {
            let route = try ServerRoute(settings), time = try await ServerProbe.roundTrip(settings, route)
            let words = "\(route.url) knows this robot; round trip \(Int((time * 1000).rounded())) ms"
            guard !route.isEncrypted else { return [Finding(.ok, "server", words)] }
            let hint = "give the server a certificate (docs/ROOM.md)"
            return [Finding(.warning, "server", words + "; not encrypted: everyone in the network can see it", hint)]
        } catch {
            return [Finding(.fault, "server", error.message, error.hint)]
        }
    }

    private static func encoder(_ settings: UplinkSettings) async -> [Finding] {
        let wantsVideo = settings.terms.sendsVideo && !settings.server.isEmpty, needsVideo = !settings.stream.isEmpty
        guard wantsVideo || needsVideo else { return [] }
        let picture = RGBPicture(width: 64, height: 48, bytes: [UInt8](repeating: 128, count: 3 * 64 * 48))
        guard let picture, let encoder = try? VideoEncoder() else { return [] }
        defer { encoder.stop() }
        let video = await encoder.encode(picture, as: VideoShape(width: 64, bits: 100_000, rate: 30))
        return [
            Finding(
                "encoder", video == nil ? encoder.problem ?? "it was ended" : nil, "install it: apt-get install ffmpeg",
                fine: "ffmpeg encodes H.264", level: needsVideo ? .fault : .note)
        ]
    }

    private static func stream(_ settings: UplinkSettings) -> [Finding] {
        guard !settings.stream.isEmpty else { return [] }
        do throws(DockError) {
            let address = try StreamAddress(settings.stream)
            guard settings.sendsPictures else {
                let hint = "leave `stream` out, or set `send` to \"pictures\""
                return [Finding(.fault, "stream", "only skeletons are to be sent", hint)]
            }
            let careless = StreamCare.complaints(address, isOption: false).map { Finding(.warning, "stream", $0) }
            return careless + [Finding(.ok, "stream", "to \(address.shown)")]
        } catch {
            return [Finding(.fault, "stream", error.message, error.hint)]
        }
    }
}

/// Asks the daemon for what the uplink needs of the robot.
struct RobotCheck: Sendable {
    private let settings: UplinkSettings

    init(_ settings: UplinkSettings) { self.settings = settings }

    /// `control`: the daemon's socket, or nil for the usual one.
    func findings(_ control: String?) async -> [Finding] {
        do throws(DockError) {
            let dock = try await Dock.connect(path: control, reconnects: false)
            defer { dock.close() }
            let status = try await dock.status()
            let camera = Finding.camera(status.json["detector"]?["camera"], waiter: "the uplink")
            return [Finding(.ok, "daemon", "version \(status.version)"), camera, lens(status), stand(status)]
                + [try await screen(dock)]
        } catch {
            return [Finding(.note, "daemon", "\(error.message); the uplink waits for it", error.hint)]
        }
    }

    private func lens(_ status: StatusReading) -> Finding {
        guard let camera = status.rig?.cameras.first else {
            return Finding(.warning, "lens", "the daemon does not report its lens", "update it, or run a detector")
        }
        guard camera.lens == nil else { return Finding(.ok, "lens", "it was calibrated") }
        let hint = "measure it: dockface calibrate --camera"
        if settings.undistorts {
            return Finding(.warning, "lens", "it was not calibrated, so pictures keep its distortion", hint)
        }
        return Finding(.note, "lens", "only its field of view is known, so people at the edge are off", hint)
    }

    private func stand(_ status: StatusReading) -> Finding {
        let isKnown = settings.stand != .init() || status.rig?.stand != nil
        guard !isKnown else { return Finding(.ok, "stand", "the place of the robot is known") }
        let hint = "measure it with `dockface calibrate --board`, or write [stand] into the profile"
        return Finding(.note, "stand", "unknown; the robot's lens counts as the origin of the room", hint)
    }

    /// Shows the sign for a moment, as the uplink does as long as it may send.
    private func screen(_ dock: Dock) async throws(DockError) -> Finding {
        let isShown = try await dock.setIndicator("live", .trying, text: "doctor")
        _ = try await dock.setIndicator("live", .off, text: "")
        if isShown { return Finding(.ok, "screen", "it can show that pictures are sent") }
        guard settings.needsScreen else {
            return Finding(.note, "screen", "there is none, and `sign = \"none\"` still sends")
        }
        let hint = "run the daemon in a terminal, or set `sign = \"none\"` in uplink.toml and tell the people there"
        return Finding(.fault, "screen", "there is none, so nothing is sent", hint)
    }
}
