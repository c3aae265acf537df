internal import Geometry

/// Numbers the frames of a camera and determines when they were taken. The same frame may come twice, in two sizes; both
/// get the same number and the same exposure. Only the camera's thread uses it.
final class FrameLedger {
    /// The two sizes of a frame.
    enum Copy { case usual, full }

    /// What both copies of a frame have in common.
    struct Entry {
        /// The time that came with it.
        let time: Seconds
        let sequence: Int
        let exposure: Seconds
        /// The magnification by which its pixels are cut out and scaled, >= 1.
        let crop: Double
        let optics: FrameOptics
        /// The copies that have arrived.
        fileprivate var copies: Set<Copy>
    }

    /// What applies to the frames that arrive from now on.
    var crop = 1.0, optics = FrameOptics.usual
    private var clock: ExposureClock
    private var entries: [Entry] = []
    private var sequence = 0
    private var start: Seconds?
    /// How far into its own time the source is, in seconds. It goes on over restarts of the program.
    private(set) var position: Seconds = 0

    /// The number of frames that are remembered. One copy is at most a few frames behind the other.
    private static let kept = 32

    init(clock: ExposureClock) { self.clock = clock }

    /// Whether the exposures are estimated from the arrivals, or nil if unknown.
    var isEstimated: Bool? { clock.isEstimated }

    /// Prepares for a restart of the program. The numbers go on.
    func restart(clock: ExposureClock) {
        self.clock = clock
        entries = []
    }

    /// Forgets how far into its own time the source was, because another one follows.
    func changeSource() { (start, position) = (nil, 0) }

    /// Returns the entry of a frame by the time that came with it. The first copy to arrive makes it. Two frames of one
    /// size are two entries, even if their times are equal.
    func entry(time: Seconds, arrival: Seconds, _ copy: Copy) -> Entry {
        if let index = entries.firstIndex(where: { $0.time == time && !$0.copies.contains(copy) }) {
            entries[index].copies.insert(copy)
            return entries[index]
        }
        if entries.count == Self.kept { entries.removeFirst() }
        let exposure = clock.exposure(time: time, arrival: arrival)
        let new = Entry(time: time, sequence: sequence, exposure: exposure, crop: crop, optics: optics, copies: [copy])
        entries.append(new)
        sequence += 1
        start = start ?? time
        position = time - (start ?? time)
        return new
    }
}
