public import Geometry
internal import Synchronization

/// The poses of the last seconds as the dock reported them. One thread writes them and never waits; any thread reads.
public final class PoseRing: @unchecked Sendable {
    // Unchecked: every number is atomic, and an entry's version guards the entry.

    /// One report.
    private struct Entry {
        var time: Seconds
        var motion: PicturePose
    }

    /// Version, time, pan, tilt and their rates.
    private static let words = 6
    private let memory: UnsafeMutablePointer<Atomic<UInt64>>
    private let capacity: Int
    /// The number of reports so far, and of those before the last `forget`.
    private let written = Atomic<Int>(0), forgotten = Atomic<Int>(0)

    /// The longest time for which the newest report is extrapolated with its rate, and for which it holds, in seconds.
    static let horizon: Seconds = 0.05, validity: Seconds = 0.25

    /// Creates a ring for this number of reports. 1024 are 10 s of a dock that reports 100 times a second.
    public init(capacity: Int = 1024) {
        self.capacity = max(2, capacity)
        memory = .allocate(capacity: self.capacity * Self.words)
        for index in 0..<self.capacity * Self.words { (memory + index).initialize(to: Atomic(0)) }
    }

    deinit {
        memory.deinitialize(count: capacity * Self.words)
        memory.deallocate()
    }

    /// Adds a report. Only one thread may call this and `forget`. A report that is not newer than the last is dropped.
    public func append(time: Seconds, _ motion: PicturePose) {
        let count = written.load(ordering: .relaxed)
        if count > forgotten.load(ordering: .relaxed), let last = entry(count - 1), time <= last.time { return }
        let place = memory + count % capacity * Self.words
        place[0].store(UInt64(2 * count + 1), ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        place[1].store(time.bitPattern, ordering: .relaxed)
        place[2].store(motion.pose.pan.bitPattern, ordering: .relaxed)
        place[3].store(motion.pose.tilt.bitPattern, ordering: .relaxed)
        place[4].store(motion.rate.pan.bitPattern, ordering: .relaxed)
        place[5].store(motion.rate.tilt.bitPattern, ordering: .relaxed)
        place[0].store(UInt64(2 * count + 2), ordering: .releasing)
        written.store(count + 1, ordering: .releasing)
    }

    /// Discards all reports, because the dock restarted or was replaced.
    public func forget() { forgotten.store(written.load(ordering: .relaxed), ordering: .releasing) }

    /// The newest report and its time, or nil if there is none.
    public var newest: (time: Seconds, motion: PicturePose)? {
        let count = written.load(ordering: .acquiring)
        guard count > forgotten.load(ordering: .acquiring) else { return nil }
        return entry(count - 1).map { ($0.time, $0.motion) }
    }

    /// Returns the pose at a time: interpolated between two reports, or extrapolated after the newest. The result is nil
    /// if the reports do not reach that far.
    public func motion(at time: Seconds) -> PicturePose? {
        let count = written.load(ordering: .acquiring)
        let oldest = max(forgotten.load(ordering: .acquiring), count - capacity + 1, 0)
        guard count > oldest, let newest = entry(count - 1), time - newest.time <= Self.validity else { return nil }
        if time >= newest.time {
            let ahead = min(time - newest.time, Self.horizon)
            return PicturePose(pose: newest.motion.pose + newest.motion.rate * ahead, rate: newest.motion.rate)
        }
        var newer = newest
        for index in stride(from: count - 2, through: oldest, by: -1) {
            guard let older = entry(index) else { return nil }
            if older.time <= time {
                let share = (time - older.time) / (newer.time - older.time)
                return PicturePose(
                    pose: older.motion.pose + (newer.motion.pose - older.motion.pose) * share,
                    rate: older.motion.rate + (newer.motion.rate - older.motion.rate) * share)
            }
            newer = older
        }
        return nil
    }

    /// Returns an entry, or nil if it was overwritten meanwhile.
    private func entry(_ index: Int) -> Entry? {
        let place = memory + index % capacity * Self.words
        let version = UInt64(2 * index + 2)
        guard place[0].load(ordering: .acquiring) == version else { return nil }
        func value(_ index: Int) -> Double { Double(bitPattern: place[index].load(ordering: .relaxed)) }
        let entry = Entry(
            time: value(1),
            motion: PicturePose(
                pose: PanTilt(pan: value(2), tilt: value(3)), rate: PanTilt(pan: value(4), tilt: value(5))))
        atomicMemoryFence(ordering: .acquiring)
        return place[0].load(ordering: .relaxed) == version ? entry : nil
    }
}
