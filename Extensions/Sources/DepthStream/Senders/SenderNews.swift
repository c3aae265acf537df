public import Geometry

/// What has happened to the connections since the last look, in words, as a pure value.
public struct SenderNews: Sendable {
    private struct Shown: Sendable {
        var address: SenderAddress, state: Sender.State
    }

    private var shown: [Int: Shown] = [:]

    /// Creates a value before the first connection.
    public init() {}

    /// Returns a line for each connection whose state has changed, and for each that has ended.
    public mutating func update(_ board: SenderBoard, now: Seconds) -> [String] {
        var lines: [String] = [], new: [Int: Shown] = [:]
        for sender in board.all {
            let state = sender.state(at: now, isSteering: board.steering == sender.number)
            new[sender.number] = Shown(address: sender.address, state: state)
            guard shown[sender.number]?.state != state else { continue }
            lines.append("\(sender.address): \(state.words)")
        }
        for (number, old) in shown.sorted(by: { $0.key < $1.key }) where new[number] == nil {
            lines.append("\(old.address): disconnected")
        }
        shown = new
        return lines
    }
}

extension Sender.State {
    /// The state in words.
    var words: String {
        switch self {
        case .connected: "connected, no picture yet"
        case .steering: "its pictures are used"
        case .standby: "sends, but another sender is used"
        case .stalled: "connected, but has sent nothing for \(Int(SenderBoard.stalledAfter)) s"
        }
    }
}
