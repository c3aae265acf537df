import DockControl
import DockSimulator
import Geometry
import Glibc
import TestSupport

/// `dockface run` on a simulated dock of the test's own, which knows what really moved.
struct Daemon {
    let dock: SimulatedDockPort
    let program: Program

    /// Starts it, and waits until the dock is ready.
    init(
        _ arguments: [String] = ["--headless", "--detector", "stdin"], _ setup: Program.Setup = Program.Setup(),
        dock: SimulatedDockPort? = nil, port: String? = nil, waits: Bool = true
    ) throws {
        // A name of its own: the number of a terminal that is gone is soon another test's, and a daemon that waits for its
        // dock there would take that one's port.
        let link = TemporaryFile.freePath("dock")
        self.dock = try dock ?? SimulatedDockPort(link: link)
        program = try Program(["run", "--port", port ?? dock?.path ?? link] + arguments, setup)
        if waits { try waitForDock() }
    }

    func waitForDock() throws {
        let program = program
        guard program.wait(15, until: { program.errors.contains("dock ready") }) else {
            throw Silence(description: "the dock did not become ready: \(program.errors) \(program.output.suffix(300))")
        }
    }

    /// Waits until the daemon knows where the dock is.
    func waitForPose() throws {
        let end = monotonicNow() + 10
        while monotonicNow() < end { if program.ask("status").contains(" deg") { return } }
        throw Silence(description: "the dock's pose stays unknown: \(program.errors)")
    }

    /// A face right of the middle, wherever the camera looks: followed, the dock turns for seconds.
    static let face = #"{"faces":[{"rect":[0.60,0.40,0.10,0.20]}]}"#
    /// A face in the middle: followed, the dock stays.
    static let middle = #"{"faces":[{"rect":[0.45,0.40,0.10,0.20]}]}"#
    /// The sign of life without anybody.
    static let nobody = #"{"faces":[]}"#

    /// Sends frames of one kind until something is so.
    @discardableResult
    func feed(_ line: String = Daemon.face, for seconds: Double = 10, until isSo: () -> Bool) -> Bool {
        program.wait(seconds, meanwhile: { program.tell(line) }, until: isSo)
    }

    /// Sends what the camera on the head sees of a person, until something is so. `person` is a direction in the room, by the seconds
    /// since the first frame.
    @discardableResult
    func film(_ person: (Double) -> PanTilt, for seconds: Double = 10, until isSo: () -> Bool) -> Bool {
        let profile = RigProfile.dlpDock, camera = CameraModel(camera: profile.camera), start = monotonicNow()
        return program.wait(
            seconds,
            meanwhile: {
                let now = monotonicNow(), view = dock.pose(at: now - profile.camera.latency)
                let place = camera.project(person(now - start), from: view)
                program.tell(
                    place.map { #"{"faces":[{"rect":[\#($0.x - 0.05),\#($0.y - 0.09),0.1,0.18]}]}"# } ?? Self.nobody)
            }, until: isSo)
    }

    /// Sends frames until the dock turns fast.
    func turn() throws {
        guard feed(until: { dock.rate.magnitude > .degrees(8) }) else {
            throw Silence(description: "the dock does not turn: \(program.errors) \(program.output.suffix(300))")
        }
    }

    /// Waits until the dock has stood still for a while.
    func rest(within seconds: Double = 10) -> Bool {
        var since: Double?
        return program.wait(seconds) {
            let now = monotonicNow()
            guard dock.rate.magnitude < .degrees(0.05) else {
                since = nil
                return false
            }
            since = since ?? now
            return since.map { now - $0 > 0.15 } ?? false
        }
    }

    /// The dock's pose in degrees.
    var pose: PanTilt { dock.snapshot.pose }

    /// How far the head has still moved after a moment, radians.
    func movedAfter(_ moment: Double) -> Double {
        _ = rest()
        return (pose - dock.pose(at: moment)).magnitude
    }

    /// Nothing has ever turned, and nothing was asked to.
    var neverMoved: Bool {
        dock.statistics.setpoints == dock.statistics.stops && dock.statistics.maximumSpeed < .degrees(0.1)
    }
}

/// What stayed out.
struct Silence: Error, CustomStringConvertible { let description: String }

extension PanTilt {
    /// In degrees, for messages and comparisons.
    var degrees: (pan: Double, tilt: Double) { (pan.inDegrees, tilt.inDegrees) }

    /// Whether it is within so many degrees of a pose in degrees.
    func isNear(_ pan: Double, _ tilt: Double, within: Double = 0.7) -> Bool {
        abs(self.pan.inDegrees - pan) <= within && abs(self.tilt.inDegrees - tilt) <= within
    }
}
