internal import Support

/// Where the servos were told to be, over a reset: the first pulse behind it must not be a snap to the middle.
///
/// Memory that outlives a reset outlives a short loss of power as well, in part. Two copies, written in turns, each with its sum:
/// a reset in the middle of one leaves the other, a millisecond older.
enum Retained {
    /// Milli-degrees; 0, the middle, where nothing is known.
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

    /// FNV-1a over words; memory of zeros or ones has another.
    private static func sum(_ pan: Int32, _ tilt: Int32) -> UInt32 {
        var sum = (2_166_136_261 ^ UInt32(bitPattern: pan)) &* 16_777_619
        sum = (sum ^ sum >> 15 ^ UInt32(bitPattern: tilt)) &* 16_777_619
        return sum ^ sum >> 15
    }
}
