internal import Geometry

/// The newest values with their times, in a ring of fixed capacity.
struct Recent<Value: Sendable & Equatable>: Sendable, Equatable {
    private var entries: [(time: Seconds, value: Value)] = []
    private var start = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        entries.reserveCapacity(capacity)
    }

    var count: Int { entries.count }
    var newest: (time: Seconds, value: Value)? { entries.isEmpty ? nil : self[entries.count - 1] }

    /// Returns an entry; index 0 is the oldest.
    subscript(index: Int) -> (time: Seconds, value: Value) { entries[(start + index) % entries.count] }

    mutating func append(_ value: Value, at time: Seconds) {
        if entries.count < capacity {
            entries.append((time, value))
        } else {
            entries[start] = (time, value)
            start = (start + 1) % capacity
        }
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        start = 0
    }

    /// Returns the newest entry that is not after a time.
    func last(notAfter time: Seconds) -> (time: Seconds, value: Value)? {
        for back in 1...max(1, count) where back <= count {
            let entry = self[count - back]
            if entry.time <= time { return entry }
        }
        return nil
    }

    static func == (a: Recent, b: Recent) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a[$0].time == b[$0].time && a[$0].value == b[$0].value }
    }
}

extension Recent<PanTilt> {
    /// Returns the smallest and the largest value of one axis that was in force in a time span; before the first entry
    /// it is zero.
    func bounds(_ axis: Axis, from: Seconds, to: Seconds) -> ClosedRange<Double> {
        var low = Double.infinity, high = -Double.infinity, isCovered = false
        for back in 1...max(1, count) where back <= count {
            let entry = self[count - back]
            guard entry.time <= to else { continue }
            low = min(low, entry.value[axis])
            high = max(high, entry.value[axis])
            if entry.time <= from {
                isCovered = true
                break
            }
        }
        if !isCovered { (low, high) = (min(low, 0), max(high, 0)) }
        return low...high
    }
}
