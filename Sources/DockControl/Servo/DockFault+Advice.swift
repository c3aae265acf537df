extension DockFault {
    /// The action that is needed before the fault is cleared, as an imperative.
    public var advice: String {
        switch self {
        case .emergencyStop, .device: "make sure all is well"
        case .stall: "free what blocks the head"
        case .overTemperature: "let it cool down"
        case .versionMismatch: "update the dock's firmware or dockface"
        case .followingError: "check load, motors and wiring"
        case .signSuspect, .pictureDoesNotFollow: SignGuard.Verdict.advice(self)
        }
    }
}
