/// What reads the angle of one motor, and how it can lie.
struct Encoder: Sendable {
    enum Fault: Sendable, Equatable {
        /// Counts the wrong way.
        case reversed
        /// Stays where it was.
        case frozen
    }

    private var fault: Fault?
    /// The true angle when the fault began, rad.
    private var anchor = 0.0

    /// Fails from here on, or (nil) tells the truth again.
    mutating func fail(_ new: Fault?, at truth: Double) {
        guard new != fault else { return }
        fault = new
        anchor = truth
    }

    /// What it reads where the motor stands at an angle, rad.
    func reading(_ truth: Double) -> Double {
        switch fault {
        case nil: truth
        case .reversed: 2 * anchor - truth
        case .frozen: anchor
        }
    }

    /// What it reads of a speed, rad/s.
    func rate(_ truth: Double) -> Double {
        switch fault {
        case nil: truth
        case .reversed: -truth
        case .frozen: 0
        }
    }
}
