internal import Geometry

/// The velocity that waits for the line, and the last one that was written.
struct ViscaVelocity: Sendable {
    typealias Command = (velocity: PanTilt, at: Seconds)

    /// The longest wait of a set-point, in seconds. After that it is dropped.
    static let patience: Seconds = 0.2

    /// The newest velocity while an answer is pending, and when it was commanded.
    private var held: Command?
    /// The last velocity that was written, in case it is refused, and when it was written.
    private var written: Command?

    /// Whether a velocity waits, even if it is too old by now.
    var isWaiting: Bool { held != nil }
    /// Whether the last command made the camera turn, and did not stop it.
    var isDriving: Bool { written != nil }

    /// Forgets both, because the camera is greeted or stopped.
    mutating func forget() { (held, written) = (nil, nil) }

    /// Drops the velocity that waits.
    mutating func drop() { held = nil }

    /// Makes a velocity wait for the line. It replaces an older one.
    mutating func hold(_ velocity: PanTilt, now: Seconds) { held = (velocity, now) }

    /// Records that a velocity is being written.
    mutating func wrote(_ velocity: PanTilt, now: Seconds) { (held, written) = (nil, (velocity, now)) }

    /// Records that the last velocity was refused. It waits again, unless a newer one is already waiting.
    mutating func refused() { held = held ?? written }

    /// Returns the velocity to write now, or nil if none waits. One that has waited too long is dropped.
    mutating func next(now: Seconds) -> PanTilt? {
        guard let held, now - held.at < Self.patience else {
            held = nil
            return nil
        }
        return held.velocity
    }

    /// Returns whether a velocity was written after this time.
    func wasWritten(after time: Seconds) -> Bool { written.map { $0.at > time } ?? false }
}
