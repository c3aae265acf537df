internal import Geometry

/// The torque that is wanted and that the board has not confirmed: it echoes our line, whose number identifies it, before it
/// executes it.
struct TorqueEcho: Sendable, Equatable {
    /// A line that is not confirmed is sent again after this time, seconds.
    static let retryInterval: Seconds = 0.1

    /// The torque of the line that waits for its echo; nil: none waits.
    private(set) var wanted: Bool?
    /// Number of the newest line, 0...999.
    private(set) var number = 0
    private var nextLine: Seconds = 0

    /// When the line is due; nil: none waits.
    var due: Seconds? { wanted.map { _ in nextLine } }

    /// Wants this torque, with a line of a new number that is due now.
    mutating func want(_ on: Bool, now: Seconds) {
        number = (number + 1) % 1000
        (wanted, nextLine) = (on, now)
    }

    /// The line is being sent: the next attempt is due an interval later.
    mutating func sent(now: Seconds) { nextLine = now + Self.retryInterval }

    /// Wants nothing any more.
    mutating func forget() { wanted = nil }

    /// Compares an echo with the line that waits. Returns its torque if they are the same.
    mutating func confirm(_ text: [UInt8]) -> Bool? {
        guard let on = wanted, (text.last == 0x0D ? text.dropLast() : text[...]).elementsEqual(line(on).utf8) else {
            return nil
        }
        wanted = nil
        return on
    }

    /// The line that switches the torque, with the newest number.
    func line(_ on: Bool) -> String { WaveshareLine.torque(on, number: number) }
}
