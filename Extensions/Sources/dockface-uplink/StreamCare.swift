import Files
import Glibc
import LiveStream

/// Where other users of this machine can read the secret of a stream's address.
enum StreamCare {
    /// Returns what to say about it, for people.
    /// - Parameter isOption: whether the address was given as an option.
    static func complaints(_ address: StreamAddress, isOption: Bool) -> [String] {
        guard address.hasSecret else { return [] }
        var complaints: [String] = []
        if isOption {
            complaints.append(
                "other users can see the secret of --stream in the process list; write `stream` into uplink.toml")
        }
        for file in [UserFolder.configuration + "/uplink.toml", "/etc/dockface/uplink.toml"] where !isOption {
            guard isOpen(file), let text = try? StoredFile.read(file), text.contains("stream") else { continue }
            complaints.append("other users can read the secret of the stream in \(file); chmod 600 \(file)")
        }
        return complaints
    }

    /// Whether all users may read a file.
    private static func isOpen(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o004 != 0
    }
}
