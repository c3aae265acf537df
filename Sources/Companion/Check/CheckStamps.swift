public import DockControl
internal import Geometry
internal import Glibc
internal import TOMLKit

/// Which docks were checked with which profile: `checked.toml` in the user's configuration folder.
///
/// A stamp holds for one dock (its own number), one profile (its name) and the signs and ranges that were checked (a number
/// made of them): whoever changes those checks again.
public struct CheckStamps: Sendable {
    /// One dock that was checked.
    public struct Stamp: Sendable, Equatable {
        /// The dock's own number; of one that has none what it says it is, and where: "1-777+2-777@place:...".
        public var dock: String
        /// Name of the profile.
        public var profile: String
        /// Made of the signs and ranges of the profile.
        public var signs: String
        /// Day of the check, as 2026-01-31.
        public var date: String
    }

    /// The file.
    public let path: String

    /// The user's file, `$XDG_CONFIG_HOME/dockface/checked.toml`; or that of another folder.
    public init(folder: String? = nil) { path = (folder ?? UserFolder.configuration) + "/checked.toml" }

    /// All stamps.
    /// - Throws: `configuration` for a file that is no stamps; `permission`, `cannotOpen`.
    public func all() throws(DockError) -> [Stamp] {
        guard let text = try StoredFile.read(path) else { return [] }
        guard let table = try? TOMLText.table(text) else {
            throw StoredFile.damaged("\(path) is no TOML")
        }
        guard let rows = table["checked"] else { return [] }
        guard let array = rows.array else { throw StoredFile.damaged("\(path): \"checked\" is no list") }
        var stamps: [Stamp] = []
        for row in array {
            guard let row = row.table, let dock = row["dock"]?.string, let profile = row["profile"]?.string,
                let signs = row["signs"]?.string
            else { throw StoredFile.damaged("\(path): a stamp needs dock, profile and signs") }
            stamps.append(Stamp(dock: dock, profile: profile, signs: signs, date: row["date"]?.string ?? ""))
        }
        return stamps
    }

    /// The docks at a port that were checked with this profile as it is now, by what they say they are. One without a number
    /// of its own is that one only where it was checked.
    /// - Throws: as `all`.
    public func docks(checkedWith profile: RigProfile, at port: String) throws(DockError) -> Set<String> {
        let signs = Self.signs(of: profile), here = "@" + PortNames(port).best
        return Set(
            try all().filter { $0.profile == profile.name && $0.signs == signs }.compactMap { stamp in
                if stamp.dock.hasSuffix(here) { return String(stamp.dock.dropLast(here.count)) }
                return DockIdentity.isUnique(stamp.dock) ? stamp.dock : nil
            })
    }

    /// Stamps a dock at a port as checked with a profile on a day; an older stamp of the two gives way.
    /// - Throws: as `all`, and what the disk says.
    public func stamp(dock uid: String, at port: String, profile: RigProfile, date: String) throws(DockError) {
        let dock = DockIdentity.isUnique(uid) ? uid : uid + "@" + PortNames(port).best
        var stamps = try all().filter { $0.dock != dock || $0.profile != profile.name }
        stamps.append(Stamp(dock: dock, profile: profile.name, signs: Self.signs(of: profile), date: date))
        // More than this nobody has at home; the oldest go.
        try StoredFile.write(Self.text(of: stamps.suffix(Self.capacity)), to: path)
    }

    static let capacity = 256

    private static func text(of stamps: some Collection<Stamp>) -> String {
        var text = "# Docks that were checked, each with its profile and what of it was checked. By `dockface check`.\n"
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

    /// A number made of what a check makes sure of: driver, signs and ranges.
    static func signs(of profile: RigProfile) -> String {
        var text = profile.driver
        for axis in Axis.allCases {
            let own = profile[axis]
            text += "|\(own.invert)"
            for end in [own.range.lowerBound, own.range.upperBound] { text += "|\((end.inDegrees * 100).rounded())" }
        }
        // FNV-1a, 64 bits: it guards against forgetting, not against malice.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
