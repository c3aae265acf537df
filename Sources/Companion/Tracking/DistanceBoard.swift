internal import Geometry

/// What programs with a depth camera have measured, until when it counts, and by which connection.
struct DistanceBoard: Sendable {
    private struct Entry {
        var report: DistanceReport
        var until: Seconds
        /// The order of the reports: of two about one subject the newer counts.
        var number: Int
    }

    private var entries: [Int: Entry] = [:]
    private var last = 0

    /// The largest number of programs that measure at the same time.
    static let most = 8

    /// Replaces what a connection has reported. If too many measure, the oldest report gives way: programs that only
    /// take places must not keep out the one that sees a hand near the head.
    mutating func set(_ report: DistanceReport, client: Int, now: Seconds, until: Seconds) {
        entries = entries.filter { $0.value.until > now }
        if entries[client] == nil, entries.count >= Self.most,
            let oldest = entries.min(by: { $0.value.number < $1.value.number })?.key
        {
            entries[oldest] = nil
        }
        last += 1
        entries[client] = Entry(report: report, until: until, number: last)
    }

    /// Forgets what a connection has reported, because it has ended.
    mutating func remove(client: Int) { entries[client] = nil }

    /// Returns the distances that count, by the number of the subject.
    func distances(now: Seconds) -> [Int: SubjectDistance] {
        guard !entries.isEmpty else { return [:] }
        return counting(now: now).reduce(into: [:]) { all, entry in
            all.merge(entry.report.distances) { _, newer in newer }
        }
    }

    /// Returns all distances that count, with their ends. Those of a newer report follow those of an older one, which
    /// counts again if the newer one ends first.
    func measured(now: Seconds) -> [MeasuredDistance] {
        guard !entries.isEmpty else { return [] }
        return counting(now: now).flatMap { entry in
            // A dictionary has no order, but the same session must give the same trace.
            entry.report.distances.sorted { $0.key < $1.key }.map { one in
                MeasuredDistance(id: one.key, metres: one.value.metres, until: entry.until)
            }
        }
    }

    /// Returns the reports that count, the oldest first.
    private func counting(now: Seconds) -> [Entry] {
        entries.values.filter { $0.until > now }.sorted { $0.number < $1.number }
    }

    /// Returns how far the nearest thing is, in metres, or nil if no program measures that now.
    func nearest(now: Seconds) -> Double? {
        entries.values.filter { $0.until > now }.compactMap(\.report.nearest).min()
    }
}
