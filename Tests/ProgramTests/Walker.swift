import DockControl
import DockSimulator
import Geometry

/// A person who walks around a dock, and stands still while the head is far behind.
struct Walker {
    /// The direction in the room, rad.
    private var place: PanTilt?
    private var moved = 0.0
    private var isWaiting = true
    private var pace = Double.degrees(32)
    private let camera = CameraModel(camera: RigProfile.dlpDock.camera)

    /// The person turns back here, before the head reaches its limits.
    private static let turns = Double.degrees(130)
    /// The person waits at this distance from the centre of the image, rad, ...
    private static let mostAhead = Double.degrees(16)
    /// ... and walks on at this one.
    private static let caughtUp = Double.degrees(4)

    /// The line of a detector that sees the person through the camera on the head.
    mutating func frame(at now: Double, seenFrom dock: SimulatedDockPort) -> String {
        let view = dock.pose(at: now - RigProfile.dlpDock.camera.latency)
        var person = place ?? PanTilt(pan: view.pan + Self.mostAhead, tilt: view.tilt)
        let ahead = abs(person.pan - view.pan)
        isWaiting = isWaiting ? ahead > Self.caughtUp : ahead > Self.mostAhead
        if !isWaiting { person.pan += pace * (now - moved) }
        if abs(person.pan) > Self.turns { pace = person.pan > 0 ? -abs(pace) : abs(pace) }
        (place, moved) = (person, now)
        guard let spot = camera.project(person, from: view) else { return Daemon.nobody }
        return #"{"faces":[{"rect":[\#(spot.x - 0.05),\#(spot.y - 0.09),0.1,0.18]}]}"#
    }
}
