/// Time since an instant, on a clock of microseconds modulo 2^32.
///
/// It is correct over any number of wraps if it is read at least every 35 minutes. It saturates at 35 minutes.
struct Stopwatch: Sendable {
    private var start: UInt32

    init(now: UInt32) { start = now }

    /// Microseconds since the start, at most 2^31 - 1.
    mutating func elapsed(_ now: UInt32) -> UInt32 {
        let most = UInt32(Int32.max)
        if now &- start > most { start = now &- most }
        return now &- start
    }

    /// Starts again.
    mutating func restart(_ now: UInt32) { start = now }
}
