internal import Geometry

/// Bytes under way. They come out in order, and no run comes out before its time.
struct TimedBytes: Sendable {
    private var runs: [(at: Seconds, bytes: [UInt8])] = []
    /// Index of the first run that is still under way. Earlier ones are removed in batches.
    private var first = 0
    private var count = 0
    /// Time of the next run; infinity: none is under way. It is checked every tick.
    private(set) var due = Seconds.infinity

    /// Largest number of bytes under way. Further bytes are lost, as in a full buffer.
    static let capacity = 1 << 16

    var next: Seconds? { due == .infinity ? nil : due }

    mutating func append(_ bytes: [UInt8], at time: Seconds) {
        guard !bytes.isEmpty, count + bytes.count <= Self.capacity else { return }
        count += bytes.count
        let moment = first < runs.count ? max(time, runs[runs.count - 1].at) : time
        if due == .infinity { due = moment }
        runs.append((moment, bytes))
    }

    /// The next run if it is due by `time`.
    @inline(__always)
    mutating func removeFirst(until time: Seconds) -> (at: Seconds, bytes: [UInt8])? {
        due <= time ? removeFirst() : nil
    }

    /// All bytes that are due by `time`.
    mutating func drain(until time: Seconds) -> [UInt8] {
        var bytes: [UInt8] = []
        while let run = removeFirst(until: time) { bytes += run.bytes }
        return bytes
    }

    private mutating func removeFirst() -> (at: Seconds, bytes: [UInt8]) {
        let run = runs[first]
        runs[first].bytes = []
        first += 1
        count -= run.bytes.count
        if first == runs.count {
            runs.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 64, first * 2 >= runs.count {
            runs.removeFirst(first)
            first = 0
        }
        due = first < runs.count ? runs[first].at : .infinity
        return run
    }

    /// Makes everything under way arrive earlier by `gain`, but not before `now`.
    mutating func hasten(by gain: Seconds, now: Seconds) {
        guard gain > 0 else { return }
        for index in first..<runs.count where runs[index].at > now { runs[index].at = max(now, runs[index].at - gain) }
        due = first < runs.count ? runs[first].at : .infinity
    }

    mutating func removeAll() {
        runs = []
        first = 0
        count = 0
        due = .infinity
    }
}
