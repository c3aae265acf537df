/// The consequences of a critical battery: the head goes home once, and then no motion begins until the battery is
/// charged.
struct BatterySaving: Sendable, Equatable {
    /// Whether a battery is critical.
    private(set) var isActive = false
    /// Whether the return home has not begun yet.
    private(set) var mustGoHome = false
    /// Whether the head had been stopped before, and therefore stays at its position.
    private var staysPut = false

    /// Records that a battery has become critical. If a person or program has stopped the head or taken it over, it
    /// makes no motion without a request.
    mutating func begin(wasStopped: Bool) {
        isActive = true
        staysPut = wasStopped
        mustGoHome = !wasStopped
    }

    /// Records that the return home begins.
    mutating func returnHomeBegan() { mustGoHome = false }

    /// Records that all motion has ended. If the cable was unplugged, the return home becomes due again. After a stop
    /// or a fault the head stays at rest.
    mutating func halted(_ outcome: MotionOutcome) {
        if isActive { mustGoHome = outcome == .unplugged && !staysPut }
    }

    /// Records that the battery is charged enough.
    mutating func end() { (isActive, mustGoHome) = (false, false) }
}
