internal import Companion
internal import DockControl

/// What a program asked for under its lease, and what became of it: once the lease is lost, none of it may begin.
struct LeaseWatch {
    private var waiting: [(command: MotionCommand, client: Int, isLost: Bool)] = []

    /// A command was admitted from the program that has the lease.
    mutating func admitted(_ command: MotionCommand, from client: Int) { waiting.append((command, client, false)) }

    /// The program lost its lease.
    mutating func lost(by client: Int) {
        for index in waiting.indices where waiting[index].client == client { waiting[index].isLost = true }
    }

    /// A command of a program was answered; what is wrong, nil: nothing.
    mutating func answered(_ command: MotionCommand, from client: Int, _ answer: MotionAnswer) -> String? {
        guard let index = waiting.firstIndex(where: { $0.command == command && $0.client == client }) else {
            return nil
        }
        let isLost = waiting.remove(at: index).isLost
        guard isLost, case .success(let receipt) = answer, receipt.motion != nil else { return nil }
        return "\(receipt.text): program \(client) had lost its lease before this began"
    }
}
