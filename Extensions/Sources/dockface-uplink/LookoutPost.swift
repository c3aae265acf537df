import DockClient
import DockTypes
import ExtensionKit
import Processes
import SpatialModel
import Uplink

/// Tells the daemon where a person is expected whom only others see (`follow = "on"`). The daemon turns the head there
/// only while its own camera sees no person, and only in mode system.
struct LookoutPost: Sendable {
    /// How often the direction is sent, and how long it counts, in seconds: two that are lost do not stop the head.
    private static let period = 0.2, lasts = 0.6

    let rig: RigKnowledge, board: PeopleBoard, log: ExtensionLog, device: String

    /// Watches until the task is cancelled.
    func run(_ dock: Dock) async {
        var lookout = Lookout(device: device), announced: String?, problem: String?
        // The names are the server's, which may change them all the time.
        var gate = LogGate()
        while (try? await Task.sleep(for: .seconds(Self.period))) != nil {
            guard let choice = lookout.choose(board.people, from: rig.stand.head) else {
                announced = nil
                continue
            }
            do throws(DockError) {
                try await dock.expect(choice.direction, for: Self.lasts)
                if announced != choice.name,
                    let line = gate.pass(
                        "\(choice.name) is near: the head may turn there", now: SystemTime.monotonic)
                {
                    log.note(line)
                }
                (announced, problem) = (choice.name, nil)
            } catch {
                // In mode manual the daemon refuses it, which is what the mode is for.
                guard error.code != .busy, error.code != .notConnected, error.message != problem else { continue }
                problem = error.message
                log.warning("the head does not turn to people whom others see: \(error.message)")
            }
        }
    }
}
