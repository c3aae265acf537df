/// What of a picture is covered before it is kept or sent: the setting `privacy`.
public enum PrivacyMode: String, Sendable, CaseIterable {
    /// Faces are covered. Where it is not certain where they are, the whole picture is.
    case faces
    /// Every picture is covered as a whole.
    case picture
    /// No picture is covered.
    case none

    /// What the setting does, as a sentence.
    public var words: String {
        switch self {
        case .faces: "faces are covered; a picture in which they may be missed is covered as a whole"
        case .picture: "every picture is covered as a whole"
        case .none: "pictures are kept as they are, with faces"
        }
    }
}
