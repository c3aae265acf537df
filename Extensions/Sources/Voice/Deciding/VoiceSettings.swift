/// What a voice may do.
public struct VoiceSettings: Sendable, Equatable {
    /// Whether sentences are spoken.
    public var speaks = true
    /// Whether sounds are played.
    public var sounds = true
    /// Where the listener stands.
    public var viewpoint = Viewpoint.front
    /// The hours in which nothing sounds, or nil for none.
    public var night = QuietHours(start: 22 * 60, end: 7 * 60)

    /// Creates the default settings.
    public init() {}
}
