import ArgumentParser
import ExtensionKit

/// The extension `record`: it records what the camera sees, with faces covered.
@main
struct DockfaceRecord: AsyncParsableCommand {
    static let identity = ExtensionIdentity(name: "record", version: "0.2.0")

    static let configuration = CommandConfiguration(
        commandName: "dockface record",
        abstract: "Record what the camera sees, with faces covered.",
        discussion: """
            It records only while it runs, and while the robot shows that it does. A picture in which a face may have \
            been missed is covered as a whole. Nothing leaves this machine unless you have chosen a server with \
            `dockface record join`. docs/RECORD.md describes the files. `dockface record run --help` \
            lists the options of a recording.
            """,
        version: identity.version,
        subcommands: [
            RunVerb.self, ListVerb.self, ShowVerb.self, ExportVerb.self, DeleteVerb.self, StatusVerb.self,
            VerifyVerb.self, SheetVerb.self, PlayVerb.self, ServersVerb.self, JoinVerb.self, LeaveVerb.self,
            UploadVerb.self, AuditVerb.self, DoctorVerb.self, MetricsVerb.self,
        ],
        defaultSubcommand: RunVerb.self)
}
