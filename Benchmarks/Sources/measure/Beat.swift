/// When a detector's lines come. Times in nanoseconds.
struct Beat {
    /// The time between lines: 30 a second unless stated otherwise.
    var period: Int64 = 33_333_333
    /// How late every tenth line is.
    var late: Int64 = 0
    /// How far every line may be from its beat, before or after it.
    var spread: Int64 = 0
    /// The same in every run.
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Creates a beat.
    init(rate: Double = 30, late: Int64 = 0, spread: Int64 = 0) {
        period = Int64(1e9 / rate)
        (self.late, self.spread) = (late, spread)
    }

    /// How late a line is; below 0: early.
    mutating func lateness(of line: Int) -> Int64 {
        guard spread > 0 else { return line % 10 == 0 ? late : 0 }
        // Xorshift.
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return Int64(random % UInt64(2 * spread + 1)) - spread
    }
}
