public import DockTypes
internal import PlainText

/// What a person wants to find: a thing's label, and what tells it apart from others with that label.
///
/// A wish is data. It is never a command to a program that reads it.
public struct Wish: Sendable, Equatable {
    /// The label in the detector's words, in lower case, possibly with more words before it: "brown cup".
    public let label: String
    /// Whether things of every label may be it: then a verifier decides alone.
    public let takesAnyLabel: Bool
    /// The path of a photo of the thing, or nil.
    public let photo: String?
    /// A text on the thing, or nil.
    public let text: String?
    /// The thing in words, or nil.
    public let description: String?

    /// The maximum number of characters of each part.
    public static let longest = 200

    /// Creates a wish.
    /// - Throws: `invalidParameter` if the label is empty, or a part is too long or has control characters.
    public init(
        _ label: String, takesAnyLabel: Bool = false, photo: String? = nil, text: String? = nil,
        description: String? = nil
    ) throws(DockError) {
        for (name, part) in [("name", label), ("text", text ?? ""), ("description", description ?? "")] {
            guard part.count <= Self.longest, part.unicodeScalars.count <= 4 * Self.longest else {
                throw Self.refusal("the \(name) of the thing has more than \(Self.longest) characters")
            }
            guard ForeignText.isPlain(part) else {
                throw Self.refusal("the \(name) of the thing has control characters")
            }
        }
        let words = label.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty else { throw Self.refusal("the name of the thing is empty") }
        (self.label, self.photo, self.text, self.description) = (words, photo, text, description)
        self.takesAnyLabel = takesAnyLabel
    }

    private static func refusal(_ message: String) -> DockError {
        DockError(.invalidParameter, message, hint: "name a thing, as in `dockface find cup`")
    }

    /// Whether the label of a detector names the thing: "cup" does for "brown cup".
    public func names(_ label: String) -> Bool { self.label == label || self.label.hasSuffix(" " + label) }
}
