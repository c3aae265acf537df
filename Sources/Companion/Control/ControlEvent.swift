/// A topic's data at one moment, encoded once for all who listen.
struct ControlEvent: Sendable, Equatable {
    /// What an event is to who gets it.
    enum Kind: String { case snapshot, change }

    let topic: Topic
    /// Counts the topic's changes in this run.
    let sequence: Int
    /// The data, as JSON.
    let data: [UInt8]
    /// So many changes before this one were lost for everybody.
    var lost = 0

    /// One line, with its end.
    func line(_ kind: Kind, lost: Int) -> [UInt8] {
        var line = Array(#"{"jsonrpc":"2.0","method":"event","params":{"data":"#.utf8)
        line += data
        line += #","kind":"\#(kind.rawValue)""#.utf8
        if lost > 0 { line += #","lost":\#(lost)"#.utf8 }
        line += #","seq":\#(sequence),"topic":"\#(topic.rawValue)"}}"#.utf8
        line.append(0x0A)
        return line
    }
}

extension Topic {
    /// Each of its changes counts by itself; of the other topics only the newest state does.
    var isQueue: Bool { self == .events || self == .log }

    /// Not more often than this, seconds.
    var interval: Double {
        switch self {
        case .motion: 0.05
        case .tracking: 0.1
        case .accessory, .battery, .events, .face, .log: 0
        }
    }
}
