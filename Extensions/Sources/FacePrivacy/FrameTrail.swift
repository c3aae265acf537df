internal import Geometry

/// The pictures of the last seconds, without their pixels. It shows whether a look is one at our pictures, and how fast
/// the head turned between two of them.
struct FrameTrail: Sendable {
    /// Ascending, by number and by time.
    private(set) var frames: [FrameStamp] = []

    /// How long a picture is remembered, in seconds. It must exceed the longest delay plus the window of a policy.
    static let kept: Seconds = 4
    /// The maximum number of pictures.
    static let most = 1024

    var newest: FrameStamp? { frames.last }

    /// Adds a picture. If the numbers began again, the earlier ones are forgotten. A picture without a time is not
    /// added.
    mutating func pass(_ frame: FrameStamp, continues: (FrameStamp, FrameStamp) -> Bool) {
        guard frame.isUsable else { return }
        if let last = frames.last, !continues(frame, last) { frames.removeAll(keepingCapacity: true) }
        let old = frames.prefix(while: { frame.exposure - $0.exposure > Self.kept }).count
        frames.removeFirst(max(old, frames.count - Self.most + 1))
        frames.append(frame)
    }

    /// Whether a picture with this number was taken at this time, by this camera.
    func holds(_ sequence: Int, _ exposure: Seconds, camera: Int) -> Bool {
        let index = place(of: sequence)
        guard index < frames.count, frames[index].sequence == sequence else { return false }
        return abs(frames[index].exposure - exposure) <= FrameStamp.tolerance && frames[index].optics.camera == camera
    }

    /// Whether a look is at one of the pictures.
    func holds(_ look: FaceLook) -> Bool { holds(look.sequence, look.exposure, camera: look.optics.camera) }

    /// Whether the picture of a look would be remembered if it were one of ours.
    func shouldHold(_ look: FaceLook) -> Bool {
        guard let first = frames.first, let last = frames.last else { return false }
        return look.sequence <= last.sequence && look.exposure >= first.exposure
    }

    /// Returns how the view changed in the pictures from one time to another.
    func motion(from start: Seconds, to end: Seconds) -> ViewMotion {
        var motion = ViewMotion(), zoom: Double?
        for frame in frames.reversed() where frame.exposure <= end + FrameStamp.tolerance {
            guard frame.exposure >= start - FrameStamp.tolerance else { break }
            motion.isZooming = motion.isZooming || zoom ?? frame.optics.zoom != frame.optics.zoom
            zoom = frame.optics.zoom
            if let rate = frame.rate, rate.pan.isFinite, rate.tilt.isFinite {
                motion.turn = motion.turn.map { max($0, rate.magnitude * frame.optics.zoom) }
            } else {
                motion.turn = nil
            }
        }
        return motion
    }

    /// Returns the index of the first picture whose number is not below `sequence`.
    private func place(of sequence: Int) -> Int {
        var low = 0, high = frames.count
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// How the camera's view changed between two pictures.
struct ViewMotion: Sendable, Equatable {
    /// How fast the head turned at most, times the magnification of the picture, in rad/s; nil if that is unknown.
    var turn: Double? = 0
    /// Whether the magnification changed.
    var isZooming = false
}
