internal import DockControl
internal import DockTypes
internal import Files

/// The names of poses and taught motions: 1 to 32 of a-z 0-9 _ -, so that each is one word on a command line, a bare
/// key in TOML and a file name.
enum MotionName {
    static let longest = 32

    static func isRight(_ name: String) -> Bool {
        (1...longest).contains(name.utf8.count) && name.utf8.allSatisfy(isAllowed)
    }

    /// Returns the error for an invalid name, with a suggested valid one.
    static func refusal(_ name: String) -> DockError {
        let shown = name.unicodeScalars.prefix(40).map { $0.properties.isWhitespace || $0.value < 32 ? "_" : "\($0)" }
        let rule = "use 1 to \(longest) of a-z 0-9 _ -"
        let near = nearest(to: name)
        return DockError(
            .invalidParameter, "\"\(shown.joined())\" is not a valid name",
            hint: near.isEmpty ? rule : "\(rule): `\(near)`?")
    }

    /// Returns the error for an unknown name, with the nearest existing one.
    static func missing(_ kind: String, _ name: String, among names: [String]) -> DockError {
        guard isRight(name) else { return refusal(name) }
        let near = Spelling.nearest(to: name, among: names)
        let known = names.sorted().prefix(8).joined(separator: ", ") + (names.count > 8 ? ", ..." : "")
        let hint =
            near.map { "did you mean `\($0)`?" } ?? (names.isEmpty ? "there are none yet" : "there are: \(known)")
        return DockError(.invalidParameter, "there is no \(kind) \"\(name)\"", hint: hint)
    }

    /// Returns the name in lower case, with - for characters that are not allowed.
    private static func nearest(to name: String) -> String {
        let bytes = name.lowercased().utf8.prefix(longest).map { isAllowed($0) ? $0 : UInt8(ascii: "-") }
        let near = String(decoding: bytes, as: UTF8.self)
        return near.contains { $0 != "-" } ? near : ""
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
