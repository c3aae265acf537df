internal import DockWire

/// The bytes that the host has written, as seen on the wire.
package struct HostLog: Sendable {
    static let capacity = 256

    private(set) var bytes: [UInt8] = []
    private(set) var frames: UInt64 = 0
    private(set) var invalidFrames: UInt64 = 0
    /// Number of set-points, including stops.
    package private(set) var setpoints: UInt64 = 0
    /// Number of stops.
    private(set) var stops: UInt64 = 0
    /// Number of bytes.
    package private(set) var total: UInt64 = 0
    /// Whether the last complete frame was a stop.
    package private(set) var lastFrameWasStop = false
    private var decoder = FrameDecoder()

    /// An empty log.
    package init() {}

    /// Adds bytes that the host has written.
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
