/// The name and the version of an extension, as in its manifest.
public struct ExtensionIdentity: Sendable, Equatable {
    /// The name: "log" for the program `dockface-log`.
    public let name: String
    /// The version: "0.2.0".
    public let version: String

    /// Creates an identity.
    public init(name: String, version: String) { (self.name, self.version) = (name, version) }

    /// The name of the program.
    public var program: String { "dockface-" + name }
}
