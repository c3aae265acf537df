/// What was reported of the gimbal's refusals and failures: neither is repeated.
struct MavlinkNotices: Sendable {
    private var refusals: Set<String> = []
    private var fault = ReportedFault()

    /// A refusal, unless it was reported since the gimbal was greeted.
    mutating func refusal(_ text: String) -> DockReport? { refusals.insert(text).inserted ? .refused(text) : nil }

    /// Appends what has changed about the failures that the gimbal reports. One that calibrates itself moves by itself: that is a
    /// failure while it `mayMove`.
    mutating func update(_ attitude: GimbalAttitude, mayMove: Bool, into reports: inout [DockReport]) {
        let parts = attitude.brokenParts, calibrates = attitude.isCalibrating && mayMove
        guard let change = fault.update(parts.isEmpty && !calibrates ? nil : .device) else { return }
        if change != .faultCleared {
            let what = parts.isEmpty ? "it is calibrating itself, and moves by itself" : parts.joined(separator: ", ")
            reports.append(.disobeys("the gimbal reports a failure: \(what)"))
        }
        reports.append(change)
    }
}
