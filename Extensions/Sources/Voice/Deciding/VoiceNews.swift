public import ControlProtocol
public import Geometry

/// The time as a voice needs it.
public struct VoiceMoment: Sendable, Equatable {
    /// CLOCK_MONOTONIC.
    public var now: Seconds
    /// The minute of the local day, 0...1439.
    public var minute: Int

    /// Creates a moment.
    public init(now: Seconds, minute: Int) { (self.now, self.minute) = (now, minute) }
}

/// What happens.
public enum VoiceEvent: Sendable, Equatable {
    /// A program offers a sentence.
    case say(String, CueUrgency)
    /// A program offers a sound, by name; it is about something in this direction, in radians of the dock.
    case sound(String, PanTilt?)
    /// The sentence has ended, for this reason if it failed.
    case spoken(failure: String?)
    /// The sound has ended.
    case played
    /// The dock was stopped: whatever is being said may be wrong.
    case stopped
    /// Time has passed.
    case tick
}

/// What to do, in order.
public enum VoiceOrder: Sendable, Equatable {
    /// Speak a sentence.
    case speak(Utterance)
    /// End the sentence at once.
    case silence
    /// Play a sound. `side`: -1 left to 1 right of the listener. `tilt`: how high the thing is, in radians.
    case play(Earcon, side: Double, tilt: Double)
    /// A sentence or a sound was left out.
    case dropped(String, VoiceDrop)
}

/// Why a sentence or a sound is left out.
public enum VoiceDrop: String, Sendable, CaseIterable {
    /// Nothing sounds at this time of the day.
    case night = "it is quiet at this time"
    /// The same sentence was spoken a moment ago.
    case repeated = "the same was said a moment ago"
    /// Others had precedence.
    case noRoom = "others had precedence"
    /// It waited longer than it stays true.
    case late = "it waited too long"
    /// The dock was stopped.
    case stopped = "the dock was stopped"
    /// There are no words in it.
    case empty = "there are no words in it"
    /// There is no sound of this name.
    case unknown = "there is no sound of this name"
    /// A sound was played just before.
    case tooSoon = "a sound was played just before"
    /// Sentences, or sounds, are switched off.
    case off = "it is switched off"
}
