internal import Geometry

/// How a stop goes out: behind the resync prefix, and more than once; and again to a dock that comes back.
struct StopWatch {
    /// When the set-points were cut off, and how many stops have gone out since.
    private var cut: (at: Seconds, stops: Int)?
    private var opened = 0
    private var isStoppedHere = false
    /// When a stop went out behind a byte that ends whatever frame was cut off before.
    private(set) var prefixedAt: Seconds = -1

    /// Three refreshes of the slowest rig, seconds.
    static let patience: Seconds = 0.4

    /// The port is open, for the first time or once more.
    mutating func portOpened() {
        opened += 1
        isStoppedHere = false
        cut = nil
    }

    /// The port is gone, the loop is held or somebody moves it again: no more stops are owed.
    mutating func forgive() { cut = nil }

    /// A stop went out; `before` is the byte in front of it in the same write.
    mutating func stopped(wasMoving: Bool, before: UInt8?, at time: Seconds) {
        isStoppedHere = true
        if before == 0 { prefixedAt = time }
        if wasMoving { cut = (time, 1) } else { cut?.stops += 1 }
    }

    /// A set-point that turns something; what is wrong, nil: nothing.
    mutating func moves() -> String? {
        cut = nil
        return opened > 1 && !isStoppedHere ? "turns a dock that came back, and has not stopped it first" : nil
    }

    /// Time has passed and the line is sound; what is wrong, nil: nothing.
    mutating func passed(to time: Seconds) -> String? {
        guard let cut, time > cut.at + Self.patience else { return nil }
        self.cut = nil
        return cut.stops < 2 ? "the stop was written once, and may have been lost" : nil
    }
}
