internal import DockControl
public import DockTypes
internal import Files
internal import Glibc

/// The detectors that come with dockface (folder `detectors`), in the places where `scripts/setup --camera` or the
/// package installs them.
public enum DetectorPlaces {
    /// A bundled detector: its name on the command line, its Python module, its arguments and a description.
    struct Row: Sendable {
        let name: String, module: String, arguments: [String], does: String
    }

    static let rows = [
        Row(name: "blazeface", module: "blazeface", arguments: [], does: "finds faces across a room (default)"),
        Row(
            name: "blazeface-short", module: "blazeface", arguments: ["--model", "short"],
            does: "finds one person close by; for a small computer"),
        Row(
            name: "blazepose", module: "blazepose", arguments: [],
            does: "faces as blazeface does, and the skeletons of their people"),
        Row(
            name: "hands", module: "hands", arguments: [],
            does: "faces as blazeface does, and hands with their joints"),
        Row(
            name: "things", module: "things", arguments: [],
            does: "names things for dockface find, and finds no faces; its model is downloaded by hand"),
        Row(name: "yunet", module: "yunet", arguments: [], does: "another network, which needs more CPU time"),
    ]

    /// The names of the detectors and their descriptions.
    public static var all: [(name: String, does: String)] { rows.map { ($0.name, $0.does) } }

    /// Returns the command that starts a bundled detector.
    /// - Throws: `notSupported` if it is not installed, with a hint on how to install it; `invalidParameter` for an
    ///   unknown name.
    public static func words(of name: String) throws(DockError) -> [String] {
        guard let row = rows.first(where: { $0.name == name }) else {
            throw DockError(
                .invalidParameter, "there is no detector \"\(name)\"",
                hint: "one of \(rows.map(\.name).joined(separator: ", ")), or exec:COMMAND")
        }
        return try words(module: row.module) + row.arguments
    }

    /// Returns the command that starts a module of the detectors' environment.
    /// - Throws: `notSupported` if the environment is not installed, with a hint on how to install it.
    public static func words(module: String) throws(DockError) -> [String] {
        for folder in folders {
            let python = folder + "/bin/python3"
            if access(python, X_OK) == 0 { return [python, "-m", "dockface_detectors.\(module)"] }
        }
        throw DockError(
            .notSupported, "the detectors are not installed (looked in \(folders.joined(separator: ", ")))",
            hint: "run scripts/setup --camera, or dockface-install-detectors if dockface is installed as a package")
    }

    /// Folders to search. The first that exists is used.
    static var folders: [String] {
        if let named = ProcessEnvironment.value("DOCKFACE_DETECTORS") { return [named] }
        return (UserFolder.data.map { [$0 + "/detectors"] } ?? []) + ["/usr/lib/dockface/detectors"]
    }
}
