/// Where the daemon's socket is looked for: the order of docs/CONTROL-API.md.
enum ClientSocketPath {
    /// The path for a user with that environment; an empty variable counts as none.
    static func find(environment: [String: String], uid: UInt32) -> String {
        func named(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let path = named("DOCKFACE_SOCKET") { return path }
        if let folder = named("XDG_RUNTIME_DIR"), folder.hasPrefix("/") { return folder + "/dockface/dockface.sock" }
        return uid == 0 ? "/run/dockface/dockface.sock" : "/tmp/dockface-\(uid)/dockface.sock"
    }
}
