import DockTypes
import Geometry
import Testing

@testable import DockControl

/// Which commands find room on the way to the loop, whatever is queued before them.
@Suite struct CommandQueueTests {
    private let turn = MotionCommand.velocity(PanTilt(pan: 0.3, tilt: 0), duration: 60)

    private func queued(_ command: MotionCommand, program: Int? = nil, isPersonal: Bool = false) -> QueuedCommand {
        QueuedCommand(command: command, program: program.map { ProgramID($0) }, isPersonal: isPersonal, reply: nil)
    }

    /// A queue that accepts no more commands from programs, neither motions nor ends.
    private func full() -> CommandQueue {
        let queue = CommandQueue()
        for _ in 0..<200 { _ = queue.put(queued(turn)) }
        for number in 0..<200 { _ = queue.put(queued(.cancel(MotionID(number), .cancelled))) }
        return queue
    }

    @Test func `a full queue accepts the end of a lease, and refuses what waits under the lease`() {
        let queue = CommandQueue()
        for index in 0..<64 { _ = queue.put(queued(turn, program: index % 2 == 0 ? 7 : 8)) }
        for number in 0..<64 { _ = queue.put(queued(.cancel(MotionID(number), .cancelled))) }
        let refused = queue.end(LostLease(ProgramID(7), endsTracking: true))
        #expect(refused.count == 32 && refused.allSatisfy { $0.0.program == ProgramID(7) && $0.1.code == .busy })
        let batch = queue.take()
        #expect(batch.lost == [LostLease(ProgramID(7), endsTracking: true)])
        #expect(batch.commands.count == 96 && !batch.commands.contains { $0.program == ProgramID(7) })
        #expect(queue.take().lost.isEmpty)
    }

    @Test(arguments: [MotionCommand.stop, .emergencyStop, .torque(false)])
    func `a queued stop and a queued torque off outlive the lease of their program`(safe: MotionCommand) {
        let queue = CommandQueue()
        _ = queue.put(queued(safe, program: 7))
        _ = queue.put(queued(turn, program: 7))
        _ = queue.put(queued(.torque(true), program: 7))
        #expect(queue.end(LostLease(ProgramID(7), endsTracking: false)).map(\.0.command) == [turn, .torque(true)])
        #expect(queue.take().commands.map(\.command) == [safe])
    }

    @Test func `while the loop is held up, the list of lost leases stays bounded, and its first entry is kept`() {
        let queue = CommandQueue()
        for number in 1...1000 { _ = queue.end(LostLease(ProgramID(number), endsTracking: number == 900)) }
        let lost = queue.take().lost
        #expect(lost.count == CommandQueue.mostLost && lost.first?.program == ProgramID(1))
        #expect(lost.map(\.endsTracking).contains(true), "mode custom ends, whichever program it belongs to")
    }

    @Test func `in a full queue people outrank programs, and the end of a motion outranks a start`() {
        let queue = full()
        #expect(queue.put(queued(turn)).first?.0.command == turn, "a program's motion is refused")
        // A person releases the arrow key, and a person turns the dock.
        for command in [MotionCommand.chevron(.zero, duration: 0), turn] {
            let refused = queue.put(queued(command, isPersonal: true))
            #expect(refused.count == 1 && refused.first?.0.isPersonal == false, "\(command)")
        }
        let commands = queue.take().commands
        #expect(
            commands.count == CommandQueue.capacity + CommandQueue.reserve && commands.count(where: \.isPersonal) == 2)
    }

    @Test func `a stop finds room behind any number of commands, even from people`() {
        let queue = full()
        for _ in 0..<200 { _ = queue.put(queued(.cancel(MotionID(1), .cancelled), isPersonal: true)) }
        for stop in [MotionCommand.stop, .emergencyStop] {
            let refused = queue.put(queued(stop))
            #expect(!refused.contains { $0.0.command == stop })
        }
        #expect(queue.take().commands.map(\.command) == [.stop, .emergencyStop])
    }
}
