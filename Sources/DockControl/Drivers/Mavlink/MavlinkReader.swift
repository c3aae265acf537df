internal import Geometry

/// Finds the gimbal's frames in the bytes that arrive.
struct MavlinkReader: Sendable {
    /// The time within which a frame that has begun is complete, in seconds.
    static let frameTime: Seconds = 0.05

    private var scanner = FrameScanner(capacity: 320)
    private var heardAt: Seconds = 0

    /// The number of bytes that belonged to no frame.
    var invalidBytes: Int { scanner.invalidBytes }

    mutating func reset() { scanner.reset() }

    /// Returns the frames that these bytes complete.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds) -> [MavlinkFrame] {
        if !bytes.isEmpty { heardAt = now }
        var frames: [MavlinkFrame] = []
        for byte in bytes {
            scanner.push(byte, MavlinkFrame.match) { if let frame = MavlinkFrame($0) { frames.append(frame) } }
        }
        return frames
    }

    /// Drops a frame that has not been completed in time.
    mutating func dropLate(now: Seconds) {
        if !scanner.isEmpty, now - heardAt > Self.frameTime { scanner.giveUp(MavlinkFrame.match) { _ in } }
    }
}
