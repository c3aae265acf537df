public import Geometry

/// One connection of a sender.
public struct Sender: Sendable, Equatable {
    /// What it does.
    public enum State: String, Sendable {
        /// It is connected, and no packet has arrived yet.
        case connected
        /// Its pictures are used.
        case steering
        /// It sends, and another one steers.
        case standby
        /// It has sent no packet for a while.
        case stalled
    }

    /// The number of its connection; a newer one has a higher number.
    public let number: Int
    /// Where it is.
    public let address: SenderAddress
    /// When the connection was opened.
    public let opened: Seconds
    /// The form of its packets, once one was complete.
    public private(set) var form: StreamForm?
    /// The packets that have arrived, and those that could not be decoded.
    public private(set) var packets = 0, flawed = 0
    /// The packets that were replaced by newer ones before they were used.
    public internal(set) var dropped = 0
    /// The flawed ones since the last good one.
    private(set) var flawedInRow = 0

    private var lastPacket: Seconds?
    private var meter = RateMeter()

    init(number: Int, address: SenderAddress, opened: Seconds) {
        (self.number, self.address, self.opened) = (number, address, opened)
    }

    /// When the last packet was complete; without one, when the connection was opened.
    public var heard: Seconds { lastPacket ?? opened }

    /// Packets a second.
    public func rate(at now: Seconds) -> Double { meter.rate(at: now) }

    func isStalled(at now: Seconds) -> Bool { now - heard >= SenderBoard.stalledAfter }

    /// What it does now.
    public func state(at now: Seconds, isSteering: Bool) -> State {
        if isStalled(at: now) { return .stalled }
        return lastPacket == nil ? .connected : isSteering ? .steering : .standby
    }

    mutating func delivered(_ form: StreamForm, _ now: Seconds) {
        (self.form, lastPacket) = (form, now)
        packets += 1
        meter.record(now)
    }

    mutating func decoded(isGood: Bool) {
        flawedInRow = isGood ? 0 : flawedInRow + 1
        if !isGood { flawed += 1 }
    }
}
