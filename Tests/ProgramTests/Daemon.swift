import DockControl
import DockSimulator
import Geometry
import Glibc
import TestSupport

/// `dockface run` on the test's own simulated dock, which knows the true motion.
struct Daemon {
    let dock: SimulatedDockPort
    let program: Program
    private let isRealTime: Bool

    /// Starts it, and waits until the dock is ready. `isRealTime`: its loop has real-time priority, as on a real port.
    init(
        _ arguments: [String] = ["--headless", "--detector", "stdin"], _ setup: Program.Setup = Program.Setup(),
        dock: SimulatedDockPort? = nil, port: String? = nil, waits: Bool = true, isRealTime: Bool = true
    ) throws {
        self.isRealTime = isRealTime
        // A private link: the number of a closed terminal is soon reused by another test, and a daemon that waits for
        // its dock would take that port.
        let link = TemporaryFile.freePath("dock")
        self.dock = try dock ?? SimulatedDockPort(link: link)
        // Most tests show a face that stays where it is in the image however the head nods.
        let greeting = arguments.contains("--greeting") ? [] : ["--greeting", "off"]
        program = try Program(["run", "--port", port ?? dock?.path ?? link] + greeting + arguments, setup)
        if waits { try waitForDock() }
    }

    func waitForDock() throws {
        let program = program
        guard program.wait(15, until: { program.errors.contains("dock ready") }) else {
            throw Silence(description: "the dock did not become ready: \(program.errors) \(program.output.suffix(300))")
        }
        // A loop does not ask for it on a pseudo-terminal. On a busy machine it would wait for a core for more than
        // 0.25 s, which it takes for a suspend.
        if isRealTime { program.giveRealTime(to: "dock-loop", priority: 50) }
    }

    /// Waits until the daemon knows the dock's pose.
    func waitForPose() throws {
        let end = monotonicNow() + 10
        while monotonicNow() < end { if program.ask("status").contains(" deg") { return } }
        throw Silence(description: "the dock's pose stays unknown: \(program.errors)")
    }

    /// A face right of the centre, whatever the direction of the camera: following it turns the dock for seconds.
    static let face = #"{"faces":[{"rect":[0.60,0.40,0.10,0.20]}]}"#
    /// A face in the centre: following it keeps the dock still.
    static let middle = #"{"faces":[{"rect":[0.45,0.40,0.10,0.20]}]}"#
    /// A frame without a person, as a sign of life.
    static let nobody = #"{"faces":[]}"#

    /// Sends frames of one kind until a condition holds.
    @discardableResult
    func feed(_ line: String = Daemon.face, for seconds: Double = 10, until isSo: () -> Bool) -> Bool {
        program.wait(seconds, meanwhile: { program.tell(line) }, until: isSo)
    }

    /// Sends what the camera on the head sees of a person, until a condition holds. `person` returns a direction in the
    /// room for the seconds since the first frame. `isMirrored`: the camera mirrors its image, and the profile does not
    /// say so.
    @discardableResult
    func film(
        _ person: (Double) -> PanTilt, isMirrored: Bool = false, for seconds: Double = 10, until isSo: () -> Bool
    ) -> Bool {
        let profile = RigProfile.dlpDock, camera = CameraModel(camera: profile.camera), start = monotonicNow()
        return program.wait(
            seconds,
            meanwhile: {
                let now = monotonicNow(), view = dock.pose(at: now - profile.camera.latency)
                var place = camera.project(person(now - start), from: view)
                if isMirrored { place = place.map { Point(x: 1 - $0.x, y: $0.y) } }
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

    /// Waits until the dock has stood still for a while. The time for which the machine has kept the daemon from
    /// running does not count.
    func rest(within seconds: Double = 10) -> Bool {
        let delay = CoreWait(self)
        if stands(within: seconds) { return true }
        let late = delay.seconds
        return late > 0.01 && stands(within: late + 0.2)
    }

    private func stands(within seconds: Double) -> Bool {
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

    /// The head's speed at a moment of the last 4 s, rad/s: from the dock's record, whenever the test asks.
    func rate(at moment: Double) -> PanTilt {
        let step = 0.02
        return (dock.pose(at: moment) - dock.pose(at: moment - step)) * (1 / step)
    }

    /// The last moment at which the head moved, by the dock's record of the last 4 s; `start` if it has not moved since.
    func lastMotion(since start: Double) -> Double {
        let record = dock.snapshot, step = 0.005, still = Double.degrees(0.05) * step
        var moment = monotonicNow()
        while moment > start, (record.pose(at: moment) - record.pose(at: moment - step)).magnitude < still {
            moment -= step
        }
        return max(moment, start)
    }

    /// How far the head still moved after a moment, radians.
    func movedAfter(_ moment: Double) -> Double {
        _ = rest()
        return (pose - dock.pose(at: moment)).magnitude
    }

    /// Whether nothing ever turned, and no motion was commanded.
    var neverMoved: Bool {
        dock.statistics.setpoints == dock.statistics.stops && dock.statistics.maximumSpeed < .degrees(0.1)
    }
}

/// A missing event.
struct Silence: Error, CustomStringConvertible { let description: String }

extension PanTilt {
    /// In degrees, for messages and comparisons.
    var degrees: (pan: Double, tilt: Double) { (pan.inDegrees, tilt.inDegrees) }

    /// Whether it is within `within` degrees of a pose in degrees.
    func isNear(_ pan: Double, _ tilt: Double, within: Double = 0.7) -> Bool {
        abs(self.pan.inDegrees - pan) <= within && abs(self.tilt.inDegrees - tilt) <= within
    }
}
