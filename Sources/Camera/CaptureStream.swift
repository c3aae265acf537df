internal import CPosix
internal import Geometry
internal import Glibc
internal import Processes

/// One size of a camera's frames: the pipes for its pixels and their times, and the frames made of them.
struct CaptureStream {
    private(set) var pixels = ChildPipe()
    private(set) var times = ChildPipe()
    private(set) var frames: FrameAssembly
    private let outlet: PictureOutlet

    init(_ ledger: FrameLedger, _ copy: FrameLedger.Copy, outlet: PictureOutlet) {
        frames = FrameAssembly(ledger, copy, outlet: outlet)
        self.outlet = outlet
    }

    /// Opens the pipes. Returns the program's ends for its pixels and times, which the caller closes after the start.
    mutating func open() -> (pixels: Int32?, times: Int32?) {
        frames.restart()
        return (pixels.open(toChild: false, room: 1 << 20), times.open(toChild: false))
    }

    mutating func close() {
        pixels.close()
        times.close()
        frames.discard()
    }

    /// The descriptors to wait for: the times, and the pixels unless something must come first. Without a size, pixels
    /// have no meaning. `isHeld`: they stay in the pipe, and the capture program waits.
    func waits(isHeld: Bool) -> [pollfd] {
        let wantsPixels = frames.size != nil && !isHeld && frames.completeAt == nil
        return [
            pollfd(fd: times.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wantsPixels ? pixels.descriptor : -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// Reads lines with times. Returns an invalid one, or nil if all are valid.
    mutating func readTimes() -> String? {
        var failure: FrameTimes.Failure?
        _ = times.read { bytes in
            do throws(FrameTimes.Failure) { try frames.feedTimes(bytes) } catch { failure = error }
        }
        return failure?.line
    }

    /// Returns whether the frame size is new.
    mutating func adoptNewSize() -> Bool { frames.adoptNewSize() }

    /// Reads pixels once. Returns false if there were none.
    mutating func readPixels() -> Bool { frames.readPixels(&pixels) }

    /// Returns the complete frame if its time is known, and shows it to other programs.
    mutating func next() -> CameraFrame? {
        guard let frame = frames.next() else { return nil }
        if case .shared(let slot, let writer) = frame.memory { outlet.publish(slot, of: writer, frame.facts) }
        return frame
    }

    /// Drops the complete frame if its time is overdue. Returns whether the program is faulty.
    mutating func dropTimeless(now: Seconds) -> Bool { frames.dropTimeless(now: now) }
}
