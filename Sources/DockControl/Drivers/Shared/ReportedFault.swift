/// The fault that a device reports repeatedly. Only a change of it produces a report.
struct ReportedFault: Sendable, Equatable {
    /// The last reported fault, or nil if the device reports none.
    private var present: DockFault?

    /// Compares the fault that the device reports now with the last one. Returns a report, or nil if nothing has
    /// changed.
    mutating func update(_ fault: DockFault?) -> DockReport? {
        guard fault != present else { return nil }
        present = fault
        return fault.map { .fault($0) } ?? .faultCleared
    }
}
