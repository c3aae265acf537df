import ArgumentParser
import Companion
import DockControl
import Glibc
import PlainText
import RobotFace

/// Completions for Tab (`dockface --generate-completion-script bash|zsh|fish`). They are computed when Tab is pressed,
/// so they show the current state.
enum Completions {
    /// Adopted rigs, ports, and the simulated rig.
    static let rigs = CompletionKind.custom { _, _, _ in
        let rigs = (try? RigRegistry().all()) ?? [], ports = (try? SerialPort.list()) ?? []
        return rigs.map(\.name) + ports.filter { $0.identity != nil }.map(\.path) + ["sim", "none"]
    }

    /// Ports, without the names of the rigs on them.
    static let ports = CompletionKind.custom { _, _, _ in
        ((try? SerialPort.list()) ?? []).filter { $0.identity != nil }.map { "\(AdoptedRig.name(for: $0))" }
    }

    /// Profiles by name; files if the word contains a slash.
    static let profiles = CompletionKind.custom { _, _, begun in
        begun.contains("/") ? paths(begun, ending: ".toml") : ProfileLibrary().all().map(\.name)
    }

    /// Expressions by name, including user-defined ones; files if the word contains a slash.
    static let faces = CompletionKind.custom { _, _, begun in
        begun.contains("/") ? paths(begun, ending: ".toml") : ExpressionLibrary().book().book.all.map(\.name)
    }

    /// Extensions that are installed.
    static let extensions = CompletionKind.custom { _, _, _ in ExtensionLibrary().all().found.map(\.name) }

    /// Our detectors, and the prefixes of other sources.
    static let detectors = CompletionKind.custom { _, _, _ in
        DetectorPlaces.all.map(\.name) + ["stdin", "none", "exec:", "unix:", "file:", "scene:"]
            + RoomLibrary().names.map { "room:" + $0 }
    }

    /// Cameras that are present, and the prefixes of other sources.
    static let cameras = CompletionKind.custom { _, _, _ in
        ((try? names(in: "/dev")) ?? []).filter { $0.hasPrefix("video") }.map { "/dev/\($0)" }.sorted()
            + ["file:", "rtsp://", "phone:", "exec:", "test"]
    }

    /// Returns the words that may follow a command word, from its usage: "save|go|delete NAME" offers save, go and
    /// delete.
    static func words(_ usages: [String]) -> CompletionKind {
        let offers = usages.flatMap { usage -> [String] in
            let first = usage.split(separator: " ").first.map(String.init) ?? ""
            let bare = first.hasPrefix("[") && first.hasSuffix("]") ? String(first.dropFirst().dropLast()) : first
            return bare.split(separator: "|").map(String.init).filter { word in
                word.allSatisfy { $0.isLowercase && $0.isASCII }
            }
        }
        return .custom { _, _, _ in offers }
    }

    private static func paths(_ begun: String, ending: String) -> [String] {
        let folder = begun[...(begun.lastIndex(of: "/") ?? begun.startIndex)]
        return ((try? names(in: String(folder))) ?? []).filter { $0.hasSuffix(ending) && ForeignText.isPlain($0) }.map {
            folder + $0
        }.sorted()
    }

    private struct Unreadable: Error {}

    private static func names(in folder: String) throws -> [String] {
        guard let handle = opendir(folder) else { throw Unreadable() }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }
}
