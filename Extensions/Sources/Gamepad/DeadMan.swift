/// The held button without which nothing moves.
///
/// A hold counts only once the sticks have been in the middle during it, so that no hand that closes starts the
/// head. After a stop, the button must be let go first.
public struct DeadMan: Sendable, Equatable {
    /// What the button allows.
    public enum State: Sendable, Equatable {
        /// It is not held.
        case released
        /// It is held, but the sticks have not been in the middle since.
        case waiting
        /// It is held: the head may move.
        case armed
        /// It is held, but something has stopped the head: it must be let go first.
        case locked
    }

    /// What it allows now.
    public private(set) var state = State.released

    /// Creates a button that is not held.
    public init() {}

    /// Whether the head may move.
    public var isArmed: Bool { state == .armed }

    /// Begins with a pad. A button that is held already must be let go first.
    public mutating func begin(isHeld: Bool) { state = isHeld ? .locked : .released }

    /// Takes the pad's state.
    public mutating func update(isHeld: Bool, isCentred: Bool) {
        switch (state, isHeld) {
        case (_, false): state = .released
        case (.released, true), (.waiting, true): state = isCentred ? .armed : .waiting
        case (.armed, true), (.locked, true): break
        }
    }

    /// Records a stop: the button must be let go.
    public mutating func lock() { if state != .released { state = .locked } }

    /// Records that the sticks are not to be trusted: they must return to the middle.
    public mutating func waitForMiddle() { if state == .armed { state = .waiting } }
}
