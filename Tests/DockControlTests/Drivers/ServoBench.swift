import DockSimulator
import Geometry

@testable import DockControl

/// Simulated servos, and a host that carries out tasks on their bus, in virtual time.
final class ServoBench<Servos: BusServos> {
    private(set) var rig: SimulatedRig<Servos>
    private var now: Seconds = 100
    /// The requests that were sent, in order.
    private(set) var requests: [ServoRequest] = []

    init(_ options: [String: Double] = [:], isNew: Bool = false) {
        rig = SimulatedRig(options: options, seed: 5, time: now)
        if isNew { rig.electronics.makeNew() }
    }

    /// The servos.
    var servos: Servos {
        get { rig.electronics }
        set { rig.electronics = newValue }
    }

    /// The highest speed of either axis so far, rad/s.
    var fastest: Double { rig.maximumSpeedSeen }

    func reboot() {
        rig.reboot()
        now += 0.5
    }

    /// Carries out a task to its end, and returns it.
    func run<Task: ServoTask>(_ task: Task) -> Task {
        var task = task
        requests = []
        while let request = task.next, requests.count < 5000 {
            requests.append(request)
            rig.lineSpeed = task.baud
            var exchange = ServoExchange(task.family, baud: task.baud)
            rig.receive(exchange.begin(request, now: now), at: now)
            while true {
                now += 0.001
                rig.advance(to: now)
                rig.drainOutput().withUnsafeBytes { exchange.receive($0) }
                guard let reply = exchange.end(now: now) else { continue }
                task.handle(reply)
                break
            }
        }
        return task
    }

    /// Looks for servos of some families at all speeds.
    func search(_ families: [ServoFamily]) -> [FoundServo] {
        ServoSearch(families).steps.flatMap { step in
            step.families.flatMap { family in
                run(ServoScan(family, baud: step.baud, ids: ServoSearch.usualIDs)).found
            }
        }
    }

    /// Reads the settings of a servo.
    func settings(_ family: ServoFamily, baud: Int, id: UInt8 = 1) -> StoredSettings {
        run(SettingsReader(family, baud: baud, id: id)).settings
    }
}
