internal import ControlProtocol
public import Geometry

/// What a verifier gets on its standard input. docs/FIND.md describes the lines.
public enum VerifierQuestion {
    /// The version of the lines.
    static let version = 1
    /// The largest side of a picture that is sent to a verifier, in pixels.
    public static let side = 1024

    /// The first line: what to look for.
    public static func wish(_ wish: Wish) -> [UInt8] {
        line([
            "type": .string("wish"), "version": .number(version), "label": .string(wish.label),
            "photo": .string(orNull: wish.photo), "text": .string(orNull: wish.text),
            "description": .string(orNull: wish.description),
        ])
    }

    /// The line before the pixels of a picture: width times height times three bytes, red, green and blue.
    /// - Parameters:
    ///   - rect: where the thing is in the picture, normalised.
    ///   - seconds: how long the answer is waited for.
    public static func ask(_ id: Int, width: Int, height: Int, rect: Rect, seconds: Seconds) -> [UInt8] {
        line([
            "type": .string("ask"), "id": .number(id), "w": .number(width), "h": .number(height),
            "rect": .rect(rect), "seconds": .number(seconds),
        ])
    }

    private static func line(_ members: [String: JSONValue]) -> [UInt8] { JSONValue.object(members).bytes + [0x0A] }
}
