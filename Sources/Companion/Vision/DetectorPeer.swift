internal import CPosix
internal import FaceTracker
internal import Geometry
internal import Glibc

/// The detector that is connected to the socket: its descriptor, its stream and its deadlines.
struct DetectorPeer {
    /// -1: no detector is connected.
    private(set) var descriptor: Int32 = -1
    var relay: StreamRelay
    private var since: Seconds = -.infinity
    /// It is not read before this time, because it exceeded the permitted data rate.
    private var opensAt: Seconds = -.infinity
    /// The last frame, or when frames were first expected; infinite: none is expected.
    private var lastFrame: Seconds = .infinity
    private var nextPing: Seconds = .infinity

    /// A detector that is silent for this time while it is wanted has stalled, seconds.
    static let silence: Seconds = 5
    /// Time between two comparisons of the clocks, seconds.
    private static let pingPeriod: Seconds = 10
    /// A connection of less than this time is short, seconds.
    private static let shortest: Seconds = 1

    init(_ relay: StreamRelay) { self.relay = relay }

    var isConnected: Bool { descriptor >= 0 }

    /// A detector has connected.
    mutating func connect(_ descriptor: Int32, isActive: Bool, now: Seconds) {
        (self.descriptor, since) = (descriptor, now)
        relay.begin()
        lastFrame = isActive ? now : .infinity
    }

    /// The source is wanted from now on, or rests.
    mutating func activate(_ isActive: Bool, now: Seconds) {
        lastFrame = isConnected && isActive ? now : .infinity
        ask(isActive ? .resume : .pause)
        // Its last clock comparison is too old.
        if nextPing.isFinite { nextPing = now }
    }

    /// A frame has arrived.
    mutating func sign(isActive: Bool, now: Seconds) { if isActive { lastFrame = now } }

    /// The detector's hello says whether it has its own clock.
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

    /// When to read it again; nil means now.
    func opens(after now: Seconds) -> Seconds? { opensAt > now ? opensAt : nil }

    /// The latest time for the next action.
    func deadline(after now: Seconds) -> Seconds? {
        [lastFrame + Self.silence, nextPing, isConnected ? opens(after: now) ?? .infinity : .infinity]
            .filter(\.isFinite).min()
    }

    func ask(_ request: DetectorRequest) {
        var line: [UInt8] = []
        request.write(to: &line)
        Self.say(String(decoding: line, as: UTF8.self), to: descriptor)
    }

    /// Sends a line; a detector that does not read its input misses it.
    static func say(_ text: String, to peer: Int32) {
        guard peer >= 0 else { return }
        _ = text.withCString { send(peer, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    /// Reads what may be read now. Returns nil if nothing may; `isOpen`: the connection goes on.
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
