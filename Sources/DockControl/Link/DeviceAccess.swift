internal import Glibc

/// Who may open a device, and what a user without permission can do.
public struct DeviceAccess: Sendable, Equatable {
    /// The device's group: its name, or its number.
    public var group: String
    /// Whether members of the group may read and write.
    public var isForGroup: Bool
    /// Whether the user's account is a member of the group. A session that began earlier does not have the group yet.
    public var isListed: Bool

    /// Creates the description of an access from its values.
    public init(group: String, isForGroup: Bool, isListed: Bool) {
        (self.group, self.isForGroup, self.isListed) = (group, isForGroup, isListed)
    }

    /// Reads the access of this user to a device. The result is nil if there is no device at the path.
    public init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let entry = getgrgid(status.st_gid)?.pointee
        let account = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
        var names: [String] = [], next = entry?.gr_mem
        while let name = next?.pointee {
            names.append(String(cString: name))
            next = next?.advanced(by: 1)
        }
        self.init(
            group: entry.map { String(cString: $0.gr_name) } ?? String(status.st_gid),
            // Group root is not a group for people.
            isForGroup: status.st_mode & 0o060 == 0o060 && status.st_gid != 0,
            isListed: account.map(names.contains) ?? false)
    }

    /// The action that lets this user open the device, as an imperative.
    public var remedy: String {
        guard isForGroup else {
            return "only its owner may open it: a udev rule gives it a group (GROUP=\"dialout\", MODE=\"0660\")"
        }
        return isListed
            ? "your account is in group \(group), and this session began before that: log out and in again"
            : "sudo usermod -aG \(group) $USER, then log out and in again"
    }
}
