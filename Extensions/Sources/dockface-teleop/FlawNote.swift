internal import Geometry
internal import Teleop

/// Sums up commands that were dropped and senders that were refused, for at most one line of the log in five seconds.
struct FlawNote: Sendable {
    private var dropped = 0, refused = 0
    private var command: String?, address: String?
    private var nextAt: Seconds = -.infinity

    private static let pause: Seconds = 5

    mutating func add(_ reading: CommandReader.Reading) {
        dropped += reading.dropped
        command = command ?? reading.firstDropped
    }

    mutating func turnAway(_ address: String) {
        refused += 1
        self.address = self.address ?? address
    }

    /// Returns the line that is due, or nil.
    mutating func due(now: Seconds) -> String? {
        guard now >= nextAt, dropped + refused > 0 else { return nil }
        defer { (dropped, refused, command, address, nextAt) = (0, 0, nil, nil, now + Self.pause) }
        let commands = dropped == 0 ? nil : "commands dropped: \(dropped), the first: \(command ?? "")"
        let senders = refused == 0 ? nil : "connections refused: \(refused), the first from \(address ?? "")"
        return [commands, senders].compactMap { $0 }.joined(separator: "; ")
    }
}
