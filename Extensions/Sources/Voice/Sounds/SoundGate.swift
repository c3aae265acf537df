internal import Geometry

/// A sound, and where it is played from.
struct PlacedSound: Sendable, Equatable {
    var earcon: Earcon
    /// -1 left to 1 right of the listener.
    var side: Double
    /// How high the thing is, in radians.
    var tilt: Double
    /// When it was offered, CLOCK_MONOTONIC.
    var arrival: Seconds
}

/// Which sound plays, and which one waits. One plays, and one waits.
struct SoundGate: Sendable, Equatable {
    private var waiting: PlacedSound?
    /// When the pause after the beginning of the last sound is over.
    private var free: Seconds = -.infinity
    private(set) var isPlaying = false

    /// The shortest time between the beginnings of two sounds, and how long one waits, in seconds.
    static let pause: Seconds = 0.3, patience: Seconds = 1

    /// Whether none plays and none waits.
    var isIdle: Bool { !isPlaying && waiting == nil }

    /// When the one that waits is due, or too late.
    var deadline: Seconds? { waiting.map { isPlaying ? $0.arrival + Self.patience : free } }

    /// Adds a sound. Returns the one that is left out: a tick never waits, and a newer sound replaces an older one.
    mutating func add(_ sound: PlacedSound, now: Seconds) -> PlacedSound? {
        if sound.earcon.isTick, isPlaying || waiting != nil || now < free { return sound }
        defer { waiting = sound }
        return waiting
    }

    /// Removes and returns the sound that has waited too long.
    mutating func takeLate(now: Seconds) -> PlacedSound? {
        guard let old = waiting, now >= old.arrival + Self.patience else { return nil }
        waiting = nil
        return old
    }

    /// Returns the sound to play now, if it is time for one.
    mutating func next(now: Seconds) -> PlacedSound? {
        guard let sound = waiting, !isPlaying, now >= free else { return nil }
        (waiting, free, isPlaying) = (nil, now + Self.pause, true)
        return sound
    }

    /// The sound has ended.
    mutating func ended() { isPlaying = false }
}
