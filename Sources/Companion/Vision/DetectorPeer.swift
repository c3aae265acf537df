internal import CPosix
internal import FaceTracker
internal import Geometry
internal import Glibc

/// The detector that is connected to the socket: its descriptor, its stream and its deadlines.
struct DetectorPeer {
    /// The descriptor; -1 if no detector is connected.
    private(set) var descriptor: Int32 = -1
    var relay: StreamRelay
    private var since: Seconds = -.infinity
    /// The time before which it is not read, because it exceeded the permitted data rate.
    private var opensAt: Seconds = -.infinity
    /// The time of the last frame, or when frames were first expected; infinite if none is expected.
    private var lastFrame: Seconds = .infinity
    private var nextPing: Seconds = .infinity

    /// The silence after which a detector that is wanted has stalled, in seconds.
    static let silence: Seconds = 5
    /// The time between two comparisons of the clocks, in seconds.
    private static let pingPeriod: Seconds = 10
    /// The duration below which a connection is short, in seconds.
    private static let shortest: Seconds = 1

    init(_ relay: StreamRelay) { self.relay = relay }

    var isConnected: Bool { descriptor >= 0 }

    /// Records that a detector has connected.
    mutating func connect(_ descriptor: Int32, isActive: Bool, now: Seconds) {
        (self.descriptor, since) = (descriptor, now)
        relay.begin()
        lastFrame = isActive ? now : .infinity
    }

    /// Records whether the source is wanted from now on, or on standby.
    mutating func activate(_ isActive: Bool, now: Seconds) {
        lastFrame = isConnected && isActive ? now : .infinity
        ask(isActive ? .resume : .pause)
        // The last clock comparison is too old.
        if nextPing.isFinite { nextPing = now }
    }

    /// Records that a frame has arrived.
    mutating func sign(isActive: Bool, now: Seconds) { if isActive { lastFrame = now } }

    /// Records whether the detector has its own clock, according to its hello.
    mutating func hello(isRemote: Bool, now: Seconds) { nextPing = isRemote ? now : .infinity }

    /// Returns true once if it has been silent for too long.
    mutating func hasStalled(now: Seconds) -> Bool {
        guard now - lastFrame >= Self.silence else { return false }
        lastFrame = .infinity
        return true
    }

    /// Sends a ping for its clock if one is due.
    mutating func ping(now: Seconds) {
        guard now >= nextPing else { return }
        nextPing = now + Self.pingPeriod
        ask(.ping(sent: now))
    }

    /// Returns when to read it again, or nil if that is now.
    func opens(after now: Seconds) -> Seconds? { opensAt > now ? opensAt : nil }

    /// Returns the latest time for the next action.
    func deadline(after now: Seconds) -> Seconds? {
        [lastFrame + Self.silence, nextPing, isConnected ? opens(after: now) ?? .infinity : .infinity]
            .filter(\.isFinite).min()
    }

    func ask(_ request: DetectorRequest) {
        var line: [UInt8] = []
        request.write(to: &line)
        Self.say(String(decoding: line, as: UTF8.self), to: descriptor)
    }

    /// Sends a line. A detector that does not read its input misses it.
    static func say(_ text: String, to peer: Int32) {
        guard peer >= 0 else { return }
        _ = text.withCString { send(peer, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    /// Reads what may be read now. Returns nil if nothing may be read. `isOpen`: the connection continues.
    mutating func read(now: Seconds) -> (isOpen: Bool, events: [StreamRelay.Event])? {
        let room = relay.room(now: now)
        guard room > 0 else {
            opensAt = relay.opens
            return nil
        }
        return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
            let count = Glibc.read(descriptor, buffer.baseAddress, min(room, buffer.count))
            guard count > 0 else { return (count < 0 && (errno == EAGAIN || errno == EINTR), []) }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            return (true, relay.feed(bytes, now: now, realtime: cposix_realtime_now()))
        }
    }

    /// Ends the connection. Returns whether it was very short.
    mutating func hangUp(now: Seconds) -> Bool {
        close()
        (lastFrame, nextPing) = (.infinity, .infinity)
        return now - since < Self.shortest
    }

    mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
