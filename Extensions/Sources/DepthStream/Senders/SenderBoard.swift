public import Geometry

/// Who sends, and which of the senders steers, as a pure value.
///
/// One steers as long as it sends; the others are on standby. Of the connections of one address the newest counts: the
/// app opens another one after an error, and leaves the old one open.
public struct SenderBoard: Sendable {
    /// The most connections, in all and of one address.
    public static let most = 16, mostOfOne = 4
    /// A connection without a complete packet for this time, in seconds, is stalled. It stays open.
    public static let stalledAfter: Seconds = 10
    /// A sender that steers loses that after this time without a packet, in seconds.
    public static let silence: Seconds = 2

    /// The result of a new connection.
    public enum Opening: Sendable, Equatable {
        /// It is accepted; these older ones must be closed.
        case accepted(closing: [Int])
        /// It must be closed, for this reason.
        case refused(String)
    }

    private let allowed: Set<SenderAddress>
    private var senders: [Int: Sender] = [:]
    /// The number of the connection that steers.
    public private(set) var steering: Int?
    /// Connections that were refused since the start.
    public private(set) var refusals = 0

    /// Creates a board. `allowed`: the addresses that may send; empty for all.
    public init(allowed: Set<SenderAddress> = []) { self.allowed = allowed }

    /// All senders, the oldest connection first.
    public var all: [Sender] { senders.values.sorted { $0.number < $1.number } }

    /// The sender that steers, or nil.
    public var steeringSender: Sender? { steering.flatMap { senders[$0] } }

    // MARK: events

    /// Records a new connection. Numbers must grow.
    public mutating func opened(_ number: Int, from address: SenderAddress, now: Seconds) -> Opening {
        guard allowed.isEmpty || allowed.contains(address) else {
            refusals += 1
            return .refused("\(address) may not send here; pass --allow \(address) if it may")
        }
        var closing: [Int] = []
        let own = all.filter { $0.address == address }
        // Of its own connections, the one that has been silent for the longest time. The one that steers stays.
        if own.count >= Self.mostOfOne,
            let silent = own.filter({ $0.number != steering }).min(by: { $0.heard < $1.heard })
        {
            closing.append(silent.number)
        } else if senders.count >= Self.most {
            // A place that gives nothing is given to another sender.
            let stalled = all.filter { $0.isStalled(at: now) }.min { $0.heard < $1.heard }
            guard let stalled else {
                refusals += 1
                return .refused("\(address) cannot connect: \(Self.most) connections are open")
            }
            closing.append(stalled.number)
        }
        for number in closing { closed(number) }
        senders[number] = Sender(number: number, address: address, opened: now)
        return .accepted(closing: closing)
    }

    /// Records a complete packet. Returns whether it is the one to use.
    public mutating func delivered(_ number: Int, _ form: StreamForm, now: Seconds) -> Bool {
        guard var sender = senders[number] else { return false }
        sender.delivered(form, now)
        senders[number] = sender
        if mayTakeOver(sender, now) { steering = number }
        return steering == number
    }

    /// Records that a packet of a sender was replaced by a newer one before it was used.
    public mutating func dropped(_ number: Int) { senders[number]?.dropped += 1 }

    /// Records whether a packet that was used could be decoded. A sender whose pictures cannot be decoded does not keep
    /// others from steering.
    public mutating func decoded(_ number: Int, isGood: Bool) {
        guard senders[number] != nil else { return }
        senders[number]?.decoded(isGood: isGood)
        if !isGood, steering == number { steering = nil }
    }

    /// Records the end of a connection.
    public mutating func closed(_ number: Int) {
        senders[number] = nil
        if steering == number { steering = nil }
    }

    // MARK: who steers

    private func mayTakeOver(_ sender: Sender, _ now: Seconds) -> Bool {
        guard let present = steeringSender, present.number != sender.number else { return true }
        if now - present.heard > Self.silence { return true }
        // Its own older connection, unless the pictures of the new one are no pictures.
        return present.address == sender.address && sender.number > present.number && sender.flawedInRow == 0
    }
}
