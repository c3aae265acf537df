internal import Geometry

/// Bytes on their way: they come out in order, each run not before its time.
struct TimedBytes: Sendable {
    private var runs: [(at: Seconds, bytes: [UInt8])] = []
    private var count = 0

    /// More bytes than this are not on their way at once; what comes then is lost, as in a full buffer.
    static let capacity = 1 << 16

    var next: Seconds? { runs.first?.at }

    mutating func append(_ bytes: [UInt8], at time: Seconds) {
        guard !bytes.isEmpty, count + bytes.count <= Self.capacity else { return }
        count += bytes.count
        runs.append((max(time, runs.last?.at ?? time), bytes))
    }

    mutating func take(until time: Seconds) -> (at: Seconds, bytes: [UInt8])? {
        guard let first = runs.first, first.at <= time else { return nil }
        count -= first.bytes.count
        return runs.removeFirst()
    }

    mutating func removeAll() {
        runs = []
        count = 0
    }
}
