internal import Aerie
public import DockTypes
internal import Files

/// The robot's name for itself, which it keeps: a UUID in the state folder.
public struct DeviceFile: Sendable {
    private let path: String?

    /// Names the usual file.
    public init() { path = UserFolder.state.map { $0 + "/uplink/device" } }

    /// Returns the name, which is made at the first call.
    /// - Throws: `configuration` if this user has no folder; `permission`, `cannotOpen`.
    public func name() throws(DockError) -> String {
        guard let path else {
            throw DockError(.configuration, "this user has no folder for state", hint: "set HOME or XDG_STATE_HOME")
        }
        if let text = try StoredFile.read(path)?.trimmed, Self.isName(text) { return text }
        let name = Self.random()
        try StoredFile.write(name + "\n", to: path)
        return name
    }

    private static func isName(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
    }

    /// Returns a random UUID (RFC 9562, version 4).
    private static func random() -> String {
        var digits = Array(SharedSecret.nonce().utf8)
        digits[12] = UInt8(ascii: "4")
        digits[16] = UInt8(ascii: "a")
        let text = String(decoding: digits, as: UTF8.self).uppercased()
        var parts: [String] = [], at = text.startIndex
        for count in [8, 4, 4, 4, 12] {
            let end = text.index(at, offsetBy: count)
            parts.append(String(text[at..<end]))
            at = end
        }
        return parts.joined(separator: "-")
    }
}

extension String {
    fileprivate var trimmed: String {
        let kept = drop { $0.isWhitespace }
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(kept[...last])
    }
}
