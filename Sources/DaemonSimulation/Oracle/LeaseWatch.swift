internal import Companion
internal import DockControl

/// The requests of a program under its lease, and their results. Once the lease is lost, none of them may begin.
struct LeaseWatch {
    private var waiting: [(command: MotionCommand, client: Int, isLost: Bool)] = []

    /// Records a command that was admitted from the program with the lease.
    mutating func admitted(_ command: MotionCommand, from client: Int) { waiting.append((command, client, false)) }

    /// Records that the program lost its lease.
    mutating func lost(by client: Int) {
        for index in waiting.indices where waiting[index].client == client { waiting[index].isLost = true }
    }

    /// Takes the answer to a program's command. Returns what is wrong, or nil.
    mutating func answered(_ command: MotionCommand, from client: Int, _ answer: MotionAnswer) -> String? {
        guard let index = waiting.firstIndex(where: { $0.command == command && $0.client == client }) else {
            return nil
        }
        let isLost = waiting.remove(at: index).isLost
        guard isLost, case .success(let receipt) = answer, receipt.motion != nil else { return nil }
        return "\(receipt.text): program \(client) had lost its lease before this began"
    }
}
