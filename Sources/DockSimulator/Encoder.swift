/// Encoder of one motor, and its faults.
struct Encoder: Sendable {
    enum Fault: Sendable, Equatable {
        /// Counts the wrong way.
        case reversed
        /// Stays at its last reading.
        case frozen
    }

    private var fault: Fault?
    /// The true angle when the fault began, rad.
    private var anchor = 0.0

    /// Fails from now on, or (nil) reads correctly again.
    mutating func fail(_ new: Fault?, at truth: Double) {
        guard new != fault else { return }
        fault = new
        anchor = truth
    }

    /// The reading at a true angle, rad.
    func reading(_ truth: Double) -> Double {
        switch fault {
        case nil: truth
        case .reversed: 2 * anchor - truth
        case .frozen: anchor
        }
    }

    /// The reading of a true speed, rad/s.
    func rate(_ truth: Double) -> Double {
        switch fault {
        case nil: truth
        case .reversed: -truth
        case .frozen: 0
        }
    }
}
