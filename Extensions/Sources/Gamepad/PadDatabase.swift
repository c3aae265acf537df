/// SDL's mapping database: what the buttons of many gamepads mean. Only its rows for Linux are kept.
public struct PadDatabase: Sendable {
    private var rows: [PadGUID: PadRow] = [:]
    private var others: [PadGUID: PadRow] = [:]

    /// The longest text that is read, in bytes, and the most rows that are kept.
    public static let longestText = 4 << 20, mostRows = 20_000

    /// Creates an empty database.
    public init() {}

    /// Reads the text of a database. Lines that are not rows for Linux are skipped; of several rows for one device the
    /// last counts.
    public init(_ text: String) {
        guard text.utf8.count <= Self.longestText else { return }
        for line in text.split(whereSeparator: \.isNewline) {
            guard rows.count < Self.mostRows else { return }
            guard let row = PadRow(line) else { continue }
            rows[row.guid.withoutChecksum] = row
            if let other = row.guid.withoutVersion { others[other] = row }
        }
    }

    /// The number of rows.
    public var count: Int { rows.count }

    /// Returns the row for a device, or for another version of it, or nil if there is none.
    func row(for device: DeviceProfile) -> (PadRow, isOtherVersion: Bool)? {
        let guid = PadGUID(device)
        if let row = rows[guid] { return (row, false) }
        return guid.withoutVersion.flatMap { others[$0] }.map { ($0, true) }
    }
}
