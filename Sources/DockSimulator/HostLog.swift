internal import DockWire

/// What the host has written, as seen on the wire.
package struct HostLog: Sendable {
    static let capacity = 256

    private(set) var bytes: [UInt8] = []
    private(set) var frames: UInt64 = 0
    private(set) var invalidFrames: UInt64 = 0
    /// Set-points, stops among them.
    package private(set) var setpoints: UInt64 = 0
    /// Those of the set-points that are stops.
    private(set) var stops: UInt64 = 0
    /// Bytes.
    package private(set) var total: UInt64 = 0
    /// The last complete frame was a stop.
    package private(set) var lastFrameWasStop = false
    private var decoder = FrameDecoder()

    /// Nothing has been written yet.
    package init() {}

    /// The host has written.
    package mutating func append(_ new: UnsafeRawBufferPointer) {
        total += UInt64(new.count)
        bytes += new
        if bytes.count > Self.capacity { bytes.removeFirst(bytes.count - Self.capacity) }
        for byte in new {
            do throws(WireError) {
                guard let frame = try decoder.push(byte) else { continue }
                frames += 1
                lastFrameWasStop = false
                guard case .setpoint(let setpoint) = try HostMessage(frame) else { continue }
                setpoints += 1
                lastFrameWasStop = setpoint.mode == .idle
                if lastFrameWasStop { stops += 1 }
            } catch {
                invalidFrames += 1
            }
        }
    }
}
