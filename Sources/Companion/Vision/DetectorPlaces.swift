internal import DockControl
internal import Glibc

/// The detectors that come with dockface (folder `detectors`), where `scripts/setup --camera` has installed them.
public enum DetectorPlaces {
    /// A detector of ours: its name on the command line, its module, and what it is told.
    struct Row: Sendable {
        let name: String, module: String, arguments: [String], does: String
    }

    static let rows = [
        Row(name: "blazeface", module: "blazeface", arguments: [], does: "faces across a room (default)"),
        Row(
            name: "blazeface-short", module: "blazeface", arguments: ["--model", "short"],
            does: "one person close by, for a small computer"),
        Row(name: "yunet", module: "yunet", arguments: [], does: "another network, which costs more"),
    ]

    /// Names of the detectors, with what they are for.
    public static var all: [(name: String, does: String)] { rows.map { ($0.name, $0.does) } }

    /// The command that starts a detector of ours.
    /// - Throws: `notSupported` where it is not installed, with what installs it; `invalidParameter` if there is none of that name.
    public static func words(of name: String) throws(DockError) -> [String] {
        guard let row = rows.first(where: { $0.name == name }) else {
            throw DockError(
                .invalidParameter, "there is no detector \"\(name)\"",
                hint: "one of \(rows.map(\.name).joined(separator: ", ")), or exec:COMMAND")
        }
        for folder in folders {
            let python = folder + "/bin/python3"
            if access(python, X_OK) == 0 { return [python, "-m", "dockface_detectors.\(row.module)"] + row.arguments }
        }
        throw DockError(
            .notSupported, "the detectors are not installed (looked in \(folders.joined(separator: ", ")))",
            hint: "install them with one command: scripts/setup --camera, or of the package dockface-install-detectors")
    }

    /// Where they may be: the first that is there counts.
    static var folders: [String] {
        if let named = ProcessEnvironment.value("DOCKFACE_DETECTORS") { return [named] }
        return (UserFolder.data.map { [$0 + "/detectors"] } ?? []) + ["/usr/lib/dockface/detectors"]
    }
}
