internal import Geometry

/// The requested torque that the board has not confirmed yet. The board echoes our line, which its number identifies,
/// before it executes the line.
struct TorqueEcho: Sendable, Equatable {
    /// The time after which an unconfirmed line is sent again, in seconds.
    static let retryInterval: Seconds = 0.1

    /// The torque of the line that waits for its echo, or nil if none waits.
    private(set) var wanted: Bool?
    /// The number of the newest line, 0...999.
    private(set) var number = 0
    private var nextLine: Seconds = 0

    /// When the line is due, or nil if none waits.
    var due: Seconds? { wanted.map { _ in nextLine } }

    /// Requests this torque, with a line of a new number that is due now.
    mutating func want(_ on: Bool, now: Seconds) {
        number = (number + 1) % 1000
        (wanted, nextLine) = (on, now)
    }

    /// Records that the line is being sent. The next attempt is due an interval later.
    mutating func sent(now: Seconds) { nextLine = now + Self.retryInterval }

    /// Forgets the request.
    mutating func forget() { wanted = nil }

    /// Compares an echo with the line that waits. Returns the torque of that line if they are the same.
    mutating func confirm(_ text: [UInt8]) -> Bool? {
        guard let on = wanted, (text.last == 0x0D ? text.dropLast() : text[...]).elementsEqual(line(on).utf8) else {
            return nil
        }
        wanted = nil
        return on
    }

    /// Returns the line that switches the torque, with the newest number.
    func line(_ on: Bool) -> String { WaveshareLine.torque(on, number: number) }
}
