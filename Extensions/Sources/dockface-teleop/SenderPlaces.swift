internal import Networking
internal import Synchronization

/// Which senders may connect. One hand steers; a few more may be connected, because a phone opens a new connection
/// without closing the one that was lost. The oldest makes room for the newest.
final class SenderPlaces: Sendable {
    private struct State: Sendable {
        var open: [Int: ByteConnection] = [:], last = 0
    }

    /// The addresses that may connect; empty for all.
    private let allowed: Set<String>
    private let state = Mutex(State())

    static let most = 4

    init(_ allowed: [String]) { self.allowed = Set(allowed) }

    /// Returns the number of a new connection, or nil if it is refused. Numbers increase.
    func enter(_ connection: ByteConnection) -> Int? {
        let address = connection.address
        // An IPv4 sender at an IPv6 socket.
        let plain = address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
        guard allowed.isEmpty || allowed.contains(plain) else { return nil }
        return state.withLock { state in
            if state.open.count >= Self.most, let oldest = state.open.keys.min() {
                state.open.removeValue(forKey: oldest)?.close()
            }
            state.last += 1
            state.open[state.last] = connection
            return state.last
        }
    }

    /// A connection has ended.
    func leave(_ number: Int) { state.withLock { $0.open[number] = nil } }
}
