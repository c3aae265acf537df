import ArgumentParser
import DepthStream
import DockTypes
import ExtensionKit
import Files

/// The options of every verb that receives. They take precedence over the settings.
struct DepthOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where to listen. Default: 127.0.0.1:5000, only this machine.", valueName: "address:port"))
    var listen: String?

    @Option(help: ArgumentHelp("Port, at the address of the settings. Not together with --listen.", valueName: "port"))
    var port: Int?

    @Option(
        help: ArgumentHelp("Numeric address that may send; can be repeated. Default: all.", valueName: "address"))
    var allow: [String] = []

    @Option(
        help: ArgumentHelp(
            "Unit of the depth: auto, mm, 5m, or metres per count. Default: auto, by the pictures.", valueName: "unit"))
    var unit: String?

    @Option(
        help: ArgumentHelp(
            "Which byte of a sample is first: auto, big, little. Default: auto, by the pictures.", valueName: "order"))
    var order: String?

    func validate() throws {
        guard listen == nil || port == nil else { throw ValidationError("--listen names a port already; omit --port") }
        guard port.map((1...65_535).contains) ?? true else { throw ValidationError("a port is 1 to 65535") }
        guard order.map(DepthSettings.orders.contains) ?? true else {
            throw ValidationError("the order is one of: \(DepthSettings.orders.joined(separator: ", "))")
        }
    }

    /// Whether a person has said where to listen.
    var namesPlace: Bool { listen != nil || port != nil }

    /// The settings of files and variables, and then these options.
    func settings() throws(DockError) -> DepthSettings {
        var settings = DepthSettings()
        do throws(FileError) {
            try ExtensionSettings("depth").read(DepthSettings.rows, into: &settings)
        } catch {
            throw DockError(error)
        }
        settings.listen = listen ?? settings.listen
        if let port { settings.listen = ListenPlace.text(settings.listen, port: port) }
        if !allow.isEmpty { settings.allow = allow }
        settings.unit = unit ?? settings.unit
        settings.order = order ?? settings.order
        return settings
    }

    /// Reads everything that receiving needs. An error is written to standard error, and becomes the exit status of its
    /// kind.
    func receiver() throws -> (place: ListenPlace, choice: DepthJudge.Choice) {
        try Self.reporting { () throws(DockError) in
            let settings = try settings()
            return (try ListenPlace(settings), try settings.choice())
        }
    }

    /// Runs a part of a verb. An error is written to standard error, and becomes the exit status of its kind.
    static func reporting<Result>(_ body: () throws(DockError) -> Result) throws -> Result {
        do throws(DockError) {
            return try body()
        } catch {
            throw ExitCode(ExtensionLog(DockfaceDepth.identity.name).failure(error))
        }
    }
}
