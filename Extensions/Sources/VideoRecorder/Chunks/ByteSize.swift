/// Amounts of bytes as people write them: "16 GB".
public enum ByteSize {
    /// The units, with their bytes. Disks are sold in powers of ten; "GiB" is there for those who mean powers of two.
    private static let units: [(name: String, bytes: Double)] = [
        ("b", 1), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("tb", 1e12),
        ("kib", 1024), ("mib", 1_048_576), ("gib", 1_073_741_824), ("tib", 1_099_511_627_776),
        ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12),
    ]

    /// The forms, for messages.
    public static let forms = "16 GB, 500 MB or 1.5 TB"

    /// Reads an amount: "16 GB", "500MB", "1.5 TB", "800000000". The result is nil if it is none, or above 1,000 TB.
    public static func bytes(_ text: some StringProtocol) -> Int? {
        guard text.utf8.count <= 32 else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        guard let number = Double(digits), number.isFinite, number >= 0,
            let factor = unit.isEmpty ? 1 : units.first(where: { $0.name == unit })?.bytes
        else { return nil }
        let bytes = (number * factor).rounded()
        return bytes <= 1e15 ? Int(bytes) : nil
    }

    /// Returns an amount in words: "640 kB", "12.5 MB", "16 GB".
    public static func words(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return "\(max(0, bytes)) bytes" }
        let rows: [(name: String, bytes: Int)] = [
            ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000),
        ]
        guard let unit = rows.first(where: { bytes >= $0.bytes }) else { return "\(bytes) bytes" }
        let tenths = bytes / (unit.bytes / 10)
        let isWhole = tenths % 10 == 0 || tenths >= 1000
        return isWhole ? "\(tenths / 10) \(unit.name)" : "\(tenths / 10).\(tenths % 10) \(unit.name)"
    }
}
