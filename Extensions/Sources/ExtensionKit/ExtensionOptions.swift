public import ArgumentParser

/// The options of every extension.
public struct ExtensionOptions: ParsableArguments, Sendable {
    /// The path of the daemon's socket, or nil for the usual one.
    @Option(
        // The verbs of `dockface` call it --socket.
        name: [.long, .customLong("socket")],
        help: ArgumentHelp(
            "Path of the daemon's socket. Default: DOCKFACE_SOCKET, else the usual path.", valueName: "path"))
    public var control: String?

    /// Creates options that were not given.
    public init() {}
}
