import Companion
import DockControl
import DockTypes

extension DeskMover {
    /// Moves the dock, and stops it before anything else is printed or written.
    /// - Throws: the verb's exit if the dock does not answer, disconnects or latches.
    func carryOut<Outcome>(_ ending: JSONEnding, _ motion: () throws -> Outcome) throws -> Outcome {
        do {
            let outcome = try motion()
            end()
            return outcome
        } catch {
            end()
            guard let error = error as? DockError else { throw error }
            ending.members["dock"] = .string(orNull: identity)
            throw error.exit
        }
    }
}
