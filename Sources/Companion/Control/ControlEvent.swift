internal import ControlProtocol

/// A topic's data at one moment, encoded once for all subscribers.
struct ControlEvent: Sendable, Equatable {
    /// The meaning of the event for the recipient.
    enum Kind: String { case snapshot, change }

    /// The subscribers of topic `tracking` that get a change: all, only those that want every frame, or only the others.
    enum Pace: Sendable { case all, everyFrame, usual }

    let topic: Topic
    /// The number of the topic's change in this run.
    let sequence: Int
    /// The data, as JSON.
    let data: [UInt8]
    /// The number of changes before this one that were lost for all subscribers.
    var lost = 0
    /// Which of the topic's subscribers get it.
    var pace = Pace.all

    /// Returns the event as one line, including its line end.
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
