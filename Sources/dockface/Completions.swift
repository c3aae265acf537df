import ArgumentParser
import Companion
import DockControl
import Glibc
import PlainText
import RobotFace

/// What a shell offers behind Tab (`dockface --generate-completion-script bash|zsh|fish`): asked when Tab is pressed, so that it is
/// what is there now.
enum Completions {
    /// Adopted rigs, ports, and the simulated one.
    static let rigs = CompletionKind.custom { _, _, _ in
        let rigs = (try? RigBook().all()) ?? [], ports = (try? SerialPort.list()) ?? []
        return rigs.map(\.name) + ports.filter { $0.identity != nil }.map(\.path) + ["sim"]
    }

    /// Ports without the rigs on them.
    static let ports = CompletionKind.custom { _, _, _ in
        ((try? SerialPort.list()) ?? []).filter { $0.identity != nil }.map { "\(AdoptedRig.name(for: $0))" }
    }

    /// Profiles by name; where a path is begun, files.
    static let profiles = CompletionKind.custom { _, _, begun in
        begun.contains("/") ? paths(begun, ending: ".toml") : ProfileLibrary().all().map(\.name)
    }

    /// Expressions by name, also those that people have written; where a path is begun, files.
    static let faces = CompletionKind.custom { _, _, begun in
        begun.contains("/") ? paths(begun, ending: ".toml") : ExpressionLibrary().book().book.all.map(\.name)
    }

    /// Detectors of ours, and how others are named.
    static let detectors = CompletionKind.custom { _, _, _ in
        DetectorPlaces.all.map(\.name) + ["stdin", "none", "exec:", "unix:", "file:", "scene:"]
    }

    /// Cameras that are there, and how others are named.
    static let cameras = CompletionKind.custom { _, _, _ in
        ((try? names(in: "/dev")) ?? []).filter { $0.hasPrefix("video") }.map { "/dev/\($0)" }.sorted()
            + ["file:", "rtsp://", "test"]
    }

    /// What may follow a command word, as its table says: "save|go|delete NAME" offers save, go and delete.
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
