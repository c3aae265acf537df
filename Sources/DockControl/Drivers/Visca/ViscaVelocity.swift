internal import Geometry

/// The velocity that waits for the line, and the one that was written last.
struct ViscaVelocity: Sendable {
    typealias Command = (velocity: PanTilt, at: Seconds)

    /// A set-point that has waited longer is dropped, seconds.
    static let patience: Seconds = 0.2

    /// The newest velocity while an answer is pending, and when it was commanded.
    private var held: Command?
    /// The velocity that was written last, in case it is refused, and when it was written.
    private var written: Command?

    /// Whether a velocity waits, even if it is too old by now.
    var isWaiting: Bool { held != nil }
    /// Whether the camera was last commanded to turn, and not to stop.
    var isDriving: Bool { written != nil }

    /// Forgets both: the camera is greeted or stopped.
    mutating func forget() { (held, written) = (nil, nil) }

    /// Drops the velocity that waits.
    mutating func drop() { held = nil }

    /// A velocity waits for the line. It replaces an older one.
    mutating func hold(_ velocity: PanTilt, now: Seconds) { held = (velocity, now) }

    /// A velocity is being written.
    mutating func wrote(_ velocity: PanTilt, now: Seconds) { (held, written) = (nil, (velocity, now)) }

    /// The velocity that was written last was refused: it waits again, unless a newer one does already.
    mutating func refused() { held = held ?? written }

    /// The velocity to write now. One that has waited for too long is dropped; nil: none waits.
    mutating func next(now: Seconds) -> PanTilt? {
        guard let held, now - held.at < Self.patience else {
            held = nil
            return nil
        }
        return held.velocity
    }

    /// Whether a velocity was written after this time.
    func wasWritten(after time: Seconds) -> Bool { written.map { $0.at > time } ?? false }
}
