/// The refusals and failures of the gimbal that have been reported, so that none is reported twice.
struct MavlinkNotices: Sendable {
    private var refusals: Set<String> = []
    private var fault = ReportedFault()

    /// Returns the report of a refusal, unless it has already been reported since the gimbal was greeted.
    mutating func report(refusal text: String) -> DockReport? { refusals.insert(text).inserted ? .refused(text) : nil }

    /// Appends a report if the gimbal's failures have changed. A gimbal that calibrates itself moves without a command;
    /// if `mayMove`, this counts as a failure.
    mutating func update(_ attitude: GimbalAttitude, mayMove: Bool, into reports: inout [DockReport]) {
        let parts = attitude.brokenParts, calibrates = attitude.isCalibrating && mayMove
        guard let change = fault.update(parts.isEmpty && !calibrates ? nil : .device) else { return }
        if change != .faultCleared {
            let what = parts.isEmpty ? "it is calibrating and moves on its own" : parts.joined(separator: ", ")
            reports.append(.disobeys("the gimbal reports a failure: \(what)"))
        }
        reports.append(change)
    }
}
