internal import Geometry

/// A chunk whose encoder works.
struct OpenChunk {
    /// Its number and its first frame.
    let beginning: RecorderMachine.Beginning
    /// Its encoder.
    let encoder: ChunkEncoder
    /// The frames that the encoder got, in order.
    private(set) var frames: [Frame] = []
    /// Frames that the encoder was too slow for, and pictures that never arrived.
    private(set) var lost = 0
    /// Why it ended; nil while it is open.
    private(set) var end: ChunkEnd?
    private var next: Seconds?
    /// Its sound; nil if it has none.
    private var sound: SoundTrack?

    /// A frame that the encoder got.
    struct Frame {
        var exposure: Seconds
        var verdict: ChunkVerdict
        /// Nil also if poses are not kept.
        var pose: PanTilt?
    }

    private let keepsPoses: Bool

    init(_ beginning: RecorderMachine.Beginning, _ encoder: ChunkEncoder, keepsPoses: Bool = false) {
        (self.beginning, self.encoder, self.keepsPoses) = (beginning, encoder, keepsPoses)
        sound = encoder.hasSound ? SoundTrack(from: beginning.exposure) : nil
    }

    /// Adds a frame. `missed`: the number of pictures between it and the one before that never arrived.
    mutating func put(_ frame: ChunkFrame, missed: Int = 0, now: Seconds) {
        lost += missed
        if encoder.put(frame, now: now) {
            frames.append(
                Frame(exposure: frame.exposure, verdict: frame.verdict, pose: keepsPoses ? frame.usablePose : nil))
        } else {
            lost += 1
        }
    }

    /// Passes on the sound up to the last frame.
    mutating func pass(_ ring: SoundRing) {
        guard end == nil, let last = frames.last?.exposure, encoder.takesSound else { return }
        if let block = sound?.take(until: last, from: ring) { encoder.put(block) }
    }

    /// No frame follows.
    /// - Parameters:
    ///   - next: the exposure at which the next chunk begins, if it does so at once.
    ///   - ring: the sound of the last seconds, if any is recorded.
    mutating func close(_ reason: ChunkEnd, next: Seconds?, _ ring: SoundRing?, now: Seconds) {
        (end, self.next) = (reason, next)
        if let ring, let first = frames.first, let last = frames.last {
            let end = end(first.exposure, last.exposure, frames.count)
            while let block = sound?.take(until: end, isEnd: true, from: ring) { encoder.put(block) }
        }
        encoder.finish(now: now)
    }

    /// Takes back the frames that the encoder never got.
    mutating func takeUnsent() -> [ChunkFrame] {
        let unsent = encoder.takeUnsent()
        frames.removeLast(min(unsent.count, frames.count))
        return unsent
    }

    /// What is known of the chunk when its encoder has ended. Frames that are not in its fragments are lost.
    var facts: ChunkFacts? {
        let stored = frames.prefix(encoder.length.frames)
        guard let first = stored.first, let last = stored.last else { return nil }
        var tally = ChunkTally()
        for frame in stored { tally.count(frame.verdict) }
        tally.lost = lost + frames.count - stored.count
        var facts = ChunkFacts(
            duration: end(first.exposure, last.exposure, stored.count) - first.exposure,
            exposures: first.exposure...last.exposure, size: beginning.size,
            tally: tally, isDated: beginning.isDated, hasSound: encoder.length.hasSound)
        facts.poses = stored.enumerated().compactMap { number, frame in
            frame.pose.map { FramePose(frame: number, date: date(of: frame.exposure), pose: $0) }
        }
        return facts
    }

    private func date(of exposure: Seconds) -> Int {
        beginning.date + Int(((exposure - beginning.exposure) * 1000).rounded().clamped(to: 0...86_400_000))
    }

    /// The longest time for which the last frame counts, in seconds. After a pause of the camera there is a gap.
    private static let longest: Seconds = 0.5

    /// Returns when the last frame ends: when the next chunk begins, or after the mean distance of two frames.
    private func end(_ first: Seconds, _ last: Seconds, _ count: Int) -> Seconds {
        if count == frames.count, let next, next - last <= Self.longest { return next }
        let interval = count > 1 ? (last - first) / Seconds(count - 1) : 1.0 / 30
        return last + min(interval, Self.longest)
    }
}
