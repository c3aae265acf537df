/// What a critical battery asks of the head: it goes home once, and then no motion begins until the battery is charged.
struct BatterySaving: Sendable, Equatable {
    /// A battery is critical.
    private(set) var isActive = false
    /// The return home has not begun yet.
    private(set) var mustGoHome = false
    /// The head had been stopped before: it stays at its position.
    private var staysPut = false

    /// A battery has become critical. If a person or program has stopped the head or taken it over, it makes no motion without a
    /// request.
    mutating func begin(wasStopped: Bool) {
        isActive = true
        staysPut = wasStopped
        mustGoHome = !wasStopped
    }

    /// The return home begins.
    mutating func beganHome() { mustGoHome = false }

    /// All motion ended. If the cable was unplugged, the return home is owed again. After a stop or a fault the head stands still.
    mutating func halted(_ outcome: MotionOutcome) {
        if isActive { mustGoHome = outcome == .unplugged && !staysPut }
    }

    /// The battery is charged enough.
    mutating func end() { (isActive, mustGoHome) = (false, false) }
}
