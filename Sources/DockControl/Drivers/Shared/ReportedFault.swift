/// The fault that a device reports over and over: only a change of it is a report.
struct ReportedFault: Sendable, Equatable {
    /// The last one; nil: the device reports none.
    private var present: DockFault?

    /// Compares what the device reports now with what it reported last; nil: no change.
    mutating func update(_ fault: DockFault?) -> DockReport? {
        guard fault != present else { return nil }
        present = fault
        return fault.map { .fault($0) } ?? .faultCleared
    }
}
