import Aerie
import DockClient
import ExtensionKit
import Geometry
import SpatialModel
import Synchronization
import Uplink

/// Draws the people that the server reports, as a layer of the daemon.
final class PeopleBoard: Sendable {
    static let layer = "people"
    /// How often the layer is set while people are there, in seconds; they move on between the server's reports.
    private static let period = 0.1

    private let rig: RigKnowledge, device: String
    private let shown = Mutex(ShownPeople())

    init(_ rig: RigKnowledge, device: String) { (self.rig, self.device) = (rig, device) }

    /// Receives a report of a time, CLOCK_MONOTONIC.
    func update(_ report: PoseReport, time: Seconds) {
        let reports = report.people.map { ShownPeople.Report($0, device: device) }
        shown.withLock { $0.update(reports, time: time) }
    }

    /// The people at this moment.
    var people: [ShownPeople.Person] { shown.withLock { $0.people(at: SystemTime.monotonic) } }

    /// Draws until the task is cancelled.
    func run(_ dock: Dock) async {
        var isEmpty = true
        while (try? await Task.sleep(for: .seconds(Self.period))) != nil {
            let people = people
            guard !people.isEmpty || !isEmpty else { continue }
            isEmpty = people.isEmpty
            let drawing = PeopleDrawing(device: device, stand: rig.stand)
            // A daemon that is away gets the next one.
            try? await dock.setLayer(Self.layer, drawing.items(people), in: .world, for: 0.5)
        }
    }
}
