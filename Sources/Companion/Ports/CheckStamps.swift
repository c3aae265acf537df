public import DockControl
public import DockTypes
internal import Files
internal import Geometry
internal import Glibc
internal import TOMLKit

/// Records which docks were checked with which profile: `checked.toml` in the user's configuration folder.
///
/// A stamp is valid for one dock (its identity), one profile (its name), and the signs and ranges that were checked (a
/// hash of them). If the signs or ranges change, the dock must be checked again.
public struct CheckStamps: Sendable {
    /// One dock that was checked.
    public struct Stamp: Sendable, Equatable {
        /// The dock's unique identity. A dock without one is named by its model and port: "1-777+2-777@place:...".
        public var dock: String
        /// The name of the profile.
        public var profile: String
        /// The hash of the profile's driver, signs and ranges.
        public var signs: String
        /// The date of the check, as 2026-01-31.
        public var date: String
    }

    /// The file.
    public let path: String

    /// Uses the user's file, `$XDG_CONFIG_HOME/dockface/checked.toml`, or `checked.toml` in another folder.
    public init(folder: String? = nil) { path = (folder ?? UserFolder.configuration) + "/checked.toml" }

    /// Returns all stamps.
    /// - Throws: `configuration` for a file that does not contain stamps; `permission`, `cannotOpen`.
    public func all() throws(DockError) -> [Stamp] {
        guard let text = try StoredFile.read(path) else { return [] }
        guard let table = try? TOMLText.table(text) else {
            throw StoredFile.damaged("\(path) is not valid TOML")
        }
        guard let rows = table["checked"] else { return [] }
        guard let array = rows.array else { throw StoredFile.damaged("\(path): \"checked\" is not a list") }
        var stamps: [Stamp] = []
        for row in array {
            guard let row = row.table, let dock = row["dock"]?.string, let profile = row["profile"]?.string,
                let signs = row["signs"]?.string
            else { throw StoredFile.damaged("\(path): a stamp needs dock, profile and signs") }
            stamps.append(Stamp(dock: dock, profile: profile, signs: signs, date: row["date"]?.string ?? ""))
        }
        return stamps
    }

    /// Returns the identities of the docks at a port that were checked with this profile in its present state. A dock
    /// without a unique identity counts only at the port where it was checked.
    /// - Throws: the errors of `all`.
    public func docks(checkedWith profile: RigProfile, at port: String) throws(DockError) -> Set<String> {
        let signs = Self.signs(of: profile), here = "@" + PortNames(port).best
        return Set(
            try all().filter { $0.profile == profile.name && $0.signs == signs }.compactMap { stamp in
                if stamp.dock.hasSuffix(here) { return String(stamp.dock.dropLast(here.count)) }
                return DockIdentity.isUnique(stamp.dock) ? stamp.dock : nil
            })
    }

    /// Records that a dock at a port was checked with a profile on a date. This replaces an older stamp of the same
    /// dock and profile.
    /// - Throws: the errors of `all`, and errors of the disk.
    public func stamp(dock uid: String, at port: String, profile: RigProfile, date: String) throws(DockError) {
        let dock = DockIdentity.isUnique(uid) ? uid : uid + "@" + PortNames(port).best
        var stamps = try all().filter { $0.dock != dock || $0.profile != profile.name }
        stamps.append(Stamp(dock: dock, profile: profile.name, signs: Self.signs(of: profile), date: date))
        // The limit is far above the number of docks in use. The oldest stamps are dropped.
        try StoredFile.write(Self.text(of: stamps.suffix(Self.capacity)), to: path)
    }

    static let capacity = 256

    private static func text(of stamps: some Collection<Stamp>) -> String {
        var text = "# Docks that passed `dockface check`, each with its profile and a hash of the checked values.\n"
        for stamp in stamps {
            let row = TOMLTable()
            row["dock"] = stamp.dock
            row["profile"] = stamp.profile
            row["signs"] = stamp.signs
            row["date"] = stamp.date
            text += "\n[[checked]]\n" + row.convert(to: .toml) + "\n"
        }
        return text
    }

    /// Returns a hash of the values that a check verifies: driver, signs and ranges.
    static func signs(of profile: RigProfile) -> String {
        var text = profile.driver
        for axis in Axis.allCases {
            let own = profile[axis]
            text += "|\(own.invert)"
            for end in [own.range.lowerBound, own.range.upperBound] { text += "|\((end.inDegrees * 100).rounded())" }
        }
        // This is FNV-1a with 64 bits. It detects a forgotten check, not an attack.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
