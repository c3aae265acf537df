public import Geometry

/// A direction in which a person is expected to appear, because another observer sees them. The head turns there while
/// the camera sees no person. A person in the frames always has precedence.
public struct Expectation: Sendable, Equatable {
    /// The direction from the dock, in radians.
    public var direction: PanTilt
    /// When it ends, CLOCK_MONOTONIC.
    public var until: Seconds
    /// The program that expects the person: it ends when this program loses its lease. It is nil for a person's word.
    public var program: ProgramID?

    /// The longest duration, in seconds. A program repeats it, and if the program dies, the head goes home.
    public static let longest: Seconds = 2
    /// The duration if none is given, in seconds.
    public static let usual: Seconds = 1

    /// Creates an expectation of a person in a direction (rad) until a time.
    public init(direction: PanTilt, until: Seconds, program: ProgramID? = nil) {
        self.direction = direction
        self.until = until
        self.program = program
    }

    /// Whether it still counts at `now`.
    func isInForce(at now: Seconds) -> Bool { now < until || SafetyMutant.expectsForever.isOn }
}
