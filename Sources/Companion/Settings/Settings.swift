internal import Camera
internal import FaceTracker
public import Files
internal import Glibc

/// The effective settings and their origins. The command line takes precedence, then the environment, the user's file
/// and the system's file.
///
/// Two pairs of values are not mixed:
/// - A profile belongs to the port from the same place, so that a rig never receives another rig's protocol by mistake.
/// - A detector with its own frames excludes a camera from another place.
public struct Settings: Sendable, Equatable {
    /// One value that is set.
    public struct Entry: Sendable, Equatable {
        /// The key.
        public var key: String
        /// The value in the syntax of a file.
        public var text: String
        /// Where it is set.
        public var origin: SettingOrigin
    }

    /// The files that were read, in order of precedence.
    public let files: [String]
    private let layers: [SettingsLayer]

    init(layers: [SettingsLayer], files: [String] = []) {
        self.layers = layers
        self.files = files
    }

    /// The default files, in order of precedence, whether they exist or not.
    public static var usualFiles: [String] {
        let user = UserFolder.configuration + "/dockface.toml", system = "/etc/dockface/dockface.toml"
        return user == system ? [system] : [user, system]
    }

    /// Reads the environment and files. `file`: only this file is read; "none" means no file. If nil, it is the file in
    /// `DOCKFACE_CONFIG`, otherwise the default files.
    /// - Throws: `FileError` with all mistakes, including when a named file does not exist.
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

    /// Returns a variable of this process, or nil if not set.
    public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Returns the effective values of the environment and the files, by key. `typed`: the values of the command line,
    /// by option.
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

    /// Returns the effective text of a key without command-line options, or nil if it is not set.
    public func text(of key: String) -> String? { value(of: key).map(\.text) }

    /// Returns the effective value of a key without command-line options, or nil if it is not set.
    func value(of key: String) -> FileValue? { holding(typed: [:])[key]?.value }

    /// The effective settings without command-line options, in the order of the file.
    public var entries: [Entry] {
        let found = holding(typed: [:])
        return Setting.all.compactMap { setting in
            found[setting.key].map { (entry) -> Entry in
                let text = FileText.words(entry.value, setting.kind)
                // The camera's password must not be shown.
                let shown = setting.key == "camera" ? CameraSource.withoutSecrets(text) : text
                return Entry(key: setting.key, text: shown, origin: entry.origin)
            }
        }
    }

    /// Returns the options to place before the typed ones, so that all settings take effect. `only`: only these keys.
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

    /// Returns the values that the settings add to the typed words, by key, as texts for comparison.
    public func values(beside typed: [String]) -> [String: String] {
        holding(typed: Self.named(in: typed)).reduce(into: [:]) { values, pair in
            values[pair.key] = Setting.named(pair.key).map { FileText.words(pair.value.value, $0.kind) }
        }
    }

    /// Returns the keys whose values differ.
    public static func changed(_ before: [String: String], _ after: [String: String]) -> Set<String> {
        Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    }

    /// Returns whether a reload changes a key while the dock runs.
    public static func isLive(_ key: String) -> Bool { Setting.named(key)?.isLive ?? false }

    /// Returns the typed options with their values.
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
