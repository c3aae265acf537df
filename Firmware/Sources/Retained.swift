internal import Support

/// The commanded servo positions across a reset, because the first pulse after it must not jump to the middle.
///
/// Memory that survives a reset partly survives a short loss of power too. Two copies, each with a checksum, are
/// written alternately. If a reset interrupts one, the other is intact and a millisecond older.
enum Retained {
    /// Positions in milli-degrees; 0, the middle, if unknown.
    static var places: (pan: Int32, tilt: Int32) {
        let first = retained.first, second = retained.second
        if first.sum == sum(first.pan, first.tilt) { return (first.pan, first.tilt) }
        if second.sum == sum(second.pan, second.tilt) { return (second.pan, second.tilt) }
        return (0, 0)
    }

    static func keep(pan: Int32, tilt: Int32, copy: UInt32) {
        let place = retained_place(pan: pan, tilt: tilt, sum: sum(pan, tilt))
        if copy == 0 { retained.first = place } else { retained.second = place }
    }

    /// FNV-1a over words. Memory of zeros or ones does not match it.
    private static func sum(_ pan: Int32, _ tilt: Int32) -> UInt32 {
        var sum = (2_166_136_261 ^ UInt32(bitPattern: pan)) &* 16_777_619
        sum = (sum ^ sum >> 15 ^ UInt32(bitPattern: tilt)) &* 16_777_619
        return sum ^ sum >> 15
    }
}
