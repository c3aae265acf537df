import AllSpark
import ArgumentParser
import DockTypes
import ExtensionKit
import Networking
import VideoUpload

struct JoinVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Choose the server that may fetch recordings.",
        usage: "dockface record join <name|host:port> [--tls <how>] [--fingerprint <digits>] [--yes]",
        discussion: """
            The server is a name that `dockface record servers` shows, or an address. If no authority of this system \
            vouches for its certificate, the fingerprint is shown, and only that certificate is accepted from then on. \
            A running recorder connects within seconds.
            """)

    @OptionGroup var place: RecordPlace

    @Argument(
        help: ArgumentHelp("The server's name on the local network, or its address.", valueName: "name|host:port"))
    var server: String

    @Option(
        help: ArgumentHelp(
            "system, pinned, or off (without encryption). Default: what the server has, after a question.",
            valueName: "how"),
        transform: { word in
            if let tls = TLSWord(rawValue: word) { return tls }
            throw ValidationError("--tls is one of: " + TLSWord.allCases.map(\.rawValue).joined(separator: ", "))
        })
    var tls: TLSWord?

    @Option(help: ArgumentHelp("The SHA-256 fingerprint of the right certificate, with colons.", valueName: "digits"))
    var fingerprint: String?

    @Flag(help: "Do not ask. A certificate that no authority vouches for then needs --fingerprint.")
    var yes = false

    func run() async throws {
        try await RecordPlace.reporting { () async throws(DockError) in
            let folder = try place.made()
            let target = try await JoinTarget(server)
            let trust = try await JoinTrust(target, tls: tls, fingerprint: fingerprint, isAsking: !yes).decide()
            guard let trust else { return RecordPlace.log.note("no server was chosen") }
            let chosen = try ChosenServer(
                name: target.name, address: target.address, trust: trust, service: target.service,
                numericHost: target.numericHost)
            try await JoinTrust.check(chosen)
            try ServerFile(folder).write(chosen)
            let settings = try RecordPlace.settings()
            RecordPlace.log.note("the server is now \(chosen.name) (\(chosen.url)): \(settings.server.words)")
        }
    }
}

/// How a connection is protected, as a word of the command line.
enum TLSWord: String, Sendable, CaseIterable {
    case system, pinned, off
}

struct LeaveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Forget the server. Nothing is uploaded any more.",
        discussion: "A running recorder ends the connection within seconds.")

    @OptionGroup var place: RecordPlace

    func run() async throws {
        try await RecordPlace.reporting { () throws(DockError) in
            let file = ServerFile(folder: try place.path(RecordPlace.settings()))
            // A damaged file is removed, too.
            let name = (try? file.read())?.name
            guard file.version != nil else { return RecordPlace.log.note("no server was chosen") }
            try file.remove()
            RecordPlace.log.note("\(name ?? "the server") was forgotten; nothing is uploaded any more")
        }
    }
}
