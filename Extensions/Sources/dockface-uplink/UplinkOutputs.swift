import DockTypes
import ExtensionKit
import LiveStream
import Uplink

/// The outputs that the owner has chosen, at least one.
struct UplinkOutputs: Sendable {
    let settings: UplinkSettings
    let rig: RigKnowledge
    let all: [any UplinkOutput]

    /// Creates them. A file is made at once, so that a wrong name is an error at the start, and last, so that no other error
    /// leaves an empty one behind.
    /// - Throws: `configuration` if none is chosen, or one is wrong; the errors of the secret and of the file.
    init(_ settings: UplinkSettings, _ words: OutputWords, log: ExtensionLog) throws(DockError) {
        self.settings = settings
        let rig = RigKnowledge(settings), live = LiveSign()
        guard !settings.server.isEmpty || !settings.stream.isEmpty || words.mcap != nil else {
            throw UplinkPlace.nothing
        }
        let server = settings.server.isEmpty ? nil : (try UplinkPlace.identity(settings), try ServerRoute(settings))
        let address = settings.stream.isEmpty ? nil : try StreamAddress(settings.stream)
        let stream = try address.map { address throws(DockError) in
            try StreamOutput(address, settings, live: live, log: log)
        }
        var all: [any UplinkOutput] = []
        var file: FileOutput?
        if let path = words.mcap {
            file = try FileOutput(
                path, replaces: words.replace, settings, robot: UplinkPlace.name(settings), rig: rig, log: log)
        }
        if let (identity, route) = server {
            all.append(
                ServerOutput(settings, identity, route, rig: rig, log: log, live: live) { [file] report, time in
                    file?.receive(report, time: time)
                })
        }
        if let file { all.append(file) }
        if let stream { all.append(stream) }
        self.rig = rig
        self.all = all
    }
}

/// What is written beside, or instead of, what a server gets: only ever by the owner's word of this run.
struct OutputWords: Sendable {
    /// The path of an MCAP file.
    var mcap: String?
    /// Whether a file that exists is replaced.
    var replace = false
}
