import Aerie
import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import Files
import Glibc
import Networking
import Room

struct RunVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Serve until it is stopped (Ctrl-C). The default verb.",
        discussion: """
            Settings are read from room.toml in ~/.config/dockface and /etc/dockface, and from variables such as \
            DOCKFACE_ROOM_PORT; options take precedence. Pages: /status and /metrics.
            """)

    @OptionGroup var options: ExtensionOptions

    @Option(help: ArgumentHelp("Address to listen on. Default: 0.0.0.0, all of this machine.", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("Port to listen on. Default: 8000.", valueName: "number"))
    var port: Int?

    @Option(help: ArgumentHelp("File with the secret. Default: ~/.config/dockface/room.secret.", valueName: "path"))
    var secretFile: String?

    @Option(
        help: ArgumentHelp(
            "File with the certificate and its chain, PEM; with --key. Default: one that the first start makes.",
            valueName: "path"))
    var certificate: String?

    @Option(help: ArgumentHelp("File with the key of the certificate, PEM.", valueName: "path"))
    var key: String?

    @Flag(help: "Encrypt nothing (ws://): everyone in the network can see what robots send.")
    var plain = false

    @Flag(help: "Accept clients without encryption or a valid signature, such as those of the source system.")
    var lenient = false

    func validate() throws {
        guard port.map((0...65_535).contains) ?? true else { throw ValidationError("the port is 0 to 65535") }
    }

    func run() async throws {
        let log = ExtensionLog(DockfaceRoom.identity.name)
        let place: RoomPlace
        do throws(DockError) {
            place = try RoomPlace(try chosen(), log)
        } catch {
            throw ExitCode(log.failure(error))
        }
        let ending = await ExtensionHost(DockfaceRoom.identity, options).run { session in
            let desk = RoomDesk(secret: place.secret, isLenient: place.settings.isLenient) { text, isWarning in
                if isWarning { session.log.warning(text) } else { session.log.note(text) }
            }
            let server = try await desk.listen(place.plan)
            for line in place.beginning(port: server.port) { session.log.note(line) }
            if place.settings.isLenient {
                session.log.warning(
                    "lenient: clients are accepted without proof and without encryption; any program in the network can "
                        + "take part")
            }
            session.report(.ready, "port \(server.port)")
            await withTaskGroup { group in
                group.addTask { await desk.run(server) }
                group.addTask {
                    repeat {
                        session.beat()
                        let count = await desk.summary.count
                        let robots = count == 0 ? "no robots" : count == 1 ? "1 robot" : "\(count) robots"
                        let corrections = await desk.corrections.joined(separator: ", ")
                        session.report(
                            .ready, robots + (corrections.isEmpty ? "" : "; degrees of heading added: \(corrections)"))
                    } while (try? await Task.sleep(for: .seconds(2))) != nil
                }
                await group.next()
                group.cancelAll()
            }
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }

    private func chosen() throws(DockError) -> RoomSettings {
        var settings = RoomSettings()
        do throws(FileError) {
            try ExtensionSettings("room").read(RoomSettings.rows, into: &settings)
        } catch {
            throw DockError(error)
        }
        settings.host = host ?? settings.host
        settings.port = port ?? settings.port
        settings.secretFile = secretFile ?? settings.secretFile
        settings.certificate = certificate ?? settings.certificate
        settings.key = key ?? settings.key
        settings.isPlain = settings.isPlain || plain
        settings.isLenient = settings.isLenient || lenient
        return settings
    }
}
