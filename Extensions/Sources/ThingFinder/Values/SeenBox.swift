public import ControlProtocol
public import Geometry
internal import PlainText

/// One entry of a detector's `objects`.
public struct SeenBox: Sendable, Equatable {
    /// What the detector calls it, in lower case.
    public var label: String
    /// Where it is in the picture, normalised.
    public var rect: Rect
    /// The detector's confidence, 0...1.
    public var score: Double

    /// The most entries that are read, and the most that count.
    static let mostRead = 512, most = 64
    /// The maximum length of a label, in characters.
    static let longestLabel = 40

    /// Creates a box.
    public init(label: String, rect: Rect, score: Double) {
        (self.label, self.rect, self.score) = (label, rect, score)
    }

    /// Reads one entry. The result is nil if it is not a thing with a place in the picture.
    public init?(json: JSONValue) {
        guard let given = json["label"]?.string, let rect = json["rect"]?.rect else { return nil }
        let label = ForeignText.line(given, longest: Self.longestLabel).lowercased()
        self.init(label: label, rect: rect, score: json["score"]?.number ?? 1)
        guard isSound, let visible = rect.intersection(.full) else { return nil }
        (self.rect, score) = (visible, score.clamped(to: 0...1))
    }

    /// Whether it is a thing with a place near the picture.
    var isSound: Bool {
        let sides = [rect.x, rect.y, rect.width, rect.height]
        return !label.isEmpty && sides.allSatisfy { abs($0) < 4 } && rect.width > 0 && rect.height > 0 && score.isFinite
    }

    /// Reads the entries of one answer, and keeps the surest.
    public static func read(_ objects: [JSONValue]) -> [SeenBox] {
        let all = objects.prefix(mostRead).compactMap(SeenBox.init(json:))
        return Array(all.sorted { $0.score > $1.score }.prefix(most))
    }

    /// Whether the edge of the picture may cut the thing.
    var isCut: Bool {
        rect.x < Self.edge || rect.y < Self.edge || rect.maxX > 1 - Self.edge || rect.maxY > 1 - Self.edge
    }

    private static let edge = 0.01
}
