internal import Glibc

/// The environment variables of this process.
public enum ProcessEnvironment {
    /// Returns the value of a variable, or nil if not set or empty.
    public static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the given variables that are set.
    public static func values(_ names: String...) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.compactMap { name in value(name).map { (name, $0) } })
    }
}
