internal import Camera
internal import FaceTracker
internal import Glibc

/// What holds, and where it comes from: command line before environment before the user's file before the system's.
///
/// Two things go together and are not mixed: a profile goes with the port that it was named with (another protocol must not be
/// spoken to another rig by mistake), and a detector that brings its own pictures goes without a camera of another place.
public struct Settings: Sendable, Equatable {
    /// One value that somebody has set.
    public struct Entry: Sendable, Equatable {
        /// The key.
        public var key: String
        /// The value as it stands in a file.
        public var text: String
        /// Who set it.
        public var origin: SettingOrigin
    }

    /// The files that were read, the stronger first.
    public let files: [String]
    private let layers: [SettingsLayer]

    init(layers: [SettingsLayer], files: [String] = []) {
        self.layers = layers
        self.files = files
    }

    /// The files of this system, the stronger first, whether they are there or not.
    public static var usualFiles: [String] {
        let user = UserFolder.configuration + "/dockface.toml", system = "/etc/dockface/dockface.toml"
        return user == system ? [system] : [user, system]
    }

    /// Reads environment and files. `file`: only this one, "none" for no file; nil: what `DOCKFACE_CONFIG` names, else the
    /// usual ones.
    /// - Throws: `FileError` with all that is wrong; a file that was named and is not there is an error, too.
    public static func read(
        file: String? = nil, environment: (String) -> String? = variable
    ) throws(FileError) -> Settings {
        let named = file ?? environment("DOCKFACE_CONFIG").flatMap { $0.isEmpty ? nil : $0 }
        var layers = [try SettingsLayer(environment: environment)], found: [String] = []
        for path in named.map({ $0 == "none" ? [] : [$0] }) ?? usualFiles {
            guard let layer = try SettingsLayer(file: path) else {
                guard path == named else { continue }
                throw FileError(problems: [FileProblem(file: path, text: "there is no such file")])
            }
            layers.append(layer)
            found.append(path)
        }
        return Settings(layers: layers, files: found)
    }

    /// A variable of this process; nil: it is not set.
    public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// What holds of the environment and the files, by key; what the command line says is in `typed`, by option.
    private func holding(typed: [String: [String]]) -> [String: SettingsLayer.Entry] {
        var found: [String: SettingsLayer.Entry] = [:], depths: [String: Int] = [:]
        for setting in Setting.all {
            if typed[setting.option] != nil {
                depths[setting.key] = -1
            } else if let depth = layers.firstIndex(where: { $0.entries[setting.key] != nil }) {
                depths[setting.key] = depth
                found[setting.key] = layers[depth].entries[setting.key]
            }
        }
        if let port = depths["port"], let profile = depths["profile"], port < profile { found["profile"] = nil }
        if let camera = depths["camera"], let detector = depths["detector"], camera != detector {
            let names = found["detector"]?.value.texts ?? typed["detector"] ?? []
            if names.contains(where: { (try? DetectionSource($0))?.bringsPictures ?? false }) {
                found[camera > detector ? "camera" : "detector"] = nil
            }
        }
        return found
    }

    /// What holds where nothing is typed, in the order of the file.
    public var entries: [Entry] {
        let found = holding(typed: [:])
        return Setting.all.compactMap { setting in
            found[setting.key].map { (entry) -> Entry in
                let text = FileText.words(entry.value, setting.kind)
                // Whoever sees what holds need not see the camera's password.
                let shown = setting.key == "camera" ? CameraSource.withoutSecrets(text) : text
                return Entry(key: setting.key, text: shown, origin: entry.origin)
            }
        }
    }

    /// The options to stand before those that were typed, so that all of it holds. `only`: no others than these keys.
    public func options(before typed: [String], only: Set<String>? = nil) -> [String] {
        let found = holding(typed: Self.named(in: typed))
        return Setting.all.flatMap { setting -> [String] in
            guard only?.contains(setting.key) ?? true, let value = found[setting.key]?.value else { return [] }
            switch value {
            case .flag(let on): return [on ? "--\(setting.option)" : "--no-\(setting.option)"]
            case .text(let text): return ["--\(setting.option)=\(text)"]
            case .texts(let texts): return texts.map { "--\(setting.option)=\($0)" }
            case .number(let number): return ["--\(setting.option)=\(FileText.words(number))"]
            case .curve: return []
            }
        }
    }

    /// What settings add to the typed words, by key, as texts: to be compared.
    public func values(beside typed: [String]) -> [String: String] {
        holding(typed: Self.named(in: typed)).reduce(into: [:]) { values, pair in
            values[pair.key] = Setting.named(pair.key).map { FileText.words(pair.value.value, $0.kind) }
        }
    }

    /// The keys whose values differ.
    public static func changed(_ before: [String: String], _ after: [String: String]) -> Set<String> {
        Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    }

    /// Whether a reload changes a key while the dock goes on.
    public static func isLive(_ key: String) -> Bool { Setting.named(key)?.isLive ?? false }

    /// The options that were typed, with their values.
    private static func named(in words: [String]) -> [String: [String]] {
        var named: [String: [String]] = [:]
        let flags = Set(Setting.all.compactMap { if case .flag = $0.kind { $0.option } else { nil } })
        var rest = words[...]
        while let word = rest.popFirst(), word != "--" {
            guard word.hasPrefix("--") else { continue }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts.first.map(String.init) ?? ""
            if name.hasPrefix("no-"), flags.contains(String(name.dropFirst(3))) {
                named[String(name.dropFirst(3)), default: []].append("false")
            } else if flags.contains(name) {
                named[name, default: []].append("true")
            } else {
                named[name, default: []].append(parts.count > 1 ? String(parts[1]) : rest.first ?? "")
            }
        }
        return named
    }
}
