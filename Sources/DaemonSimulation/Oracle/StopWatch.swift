internal import Geometry

/// How a stop is sent: after the resync prefix, more than once, and again to a dock that returns.
struct StopWatch {
    /// When the set-points were cut off, and the number of stops since.
    private var cut: (at: Seconds, stops: Int)?
    private var opened = 0
    private var isStoppedHere = false
    /// When a stop was last sent after a byte that ends a frame which was cut off, seconds.
    private(set) var prefixedAt: Seconds = -1

    /// Three refreshes of the slowest rig, seconds.
    static let patience: Seconds = 0.4

    /// The port was opened, for the first time or again.
    mutating func portOpened() {
        opened += 1
        isStoppedHere = false
        cut = nil
    }

    /// No more stops are required: the port is gone, the loop is held, or the dock is moved again.
    mutating func forgive() { cut = nil }

    /// A stop was sent. `before` is the byte in front of it in the same write.
    mutating func stopped(wasMoving: Bool, before: UInt8?, at time: Seconds) {
        isStoppedHere = true
        if before == 0 { prefixedAt = time }
        if wasMoving { cut = (time, 1) } else { cut?.stops += 1 }
    }

    /// A set-point that moves the dock. Returns what is wrong, or nil.
    mutating func moves() -> String? {
        cut = nil
        return opened > 1 && !isStoppedHere ? "turns a dock that returned without stopping it first" : nil
    }

    /// Advances the time while the line works. Returns what is wrong, or nil.
    mutating func passed(to time: Seconds) -> String? {
        guard let cut, time > cut.at + Self.patience else { return nil }
        self.cut = nil
        return cut.stops < 2 ? "the stop was written only once and may have been lost" : nil
    }
}
