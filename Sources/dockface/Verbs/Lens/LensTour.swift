import Companion
import ControlProtocol
import CPosix
import DockClient
import DockControl
import DockTypes
import Geometry

/// Turns the head of a running daemon from view to view, and takes the pictures of each.
///
/// It drives as a program: with the lease, so that keys and words of people go first, and its motion ends with its
/// connection.
final class LensTour {
    /// The user of the verb ended it.
    struct Stopped: Error {}

    /// What the daemon says before anything moves.
    struct Beginning {
        /// The pose of the head, in radians.
        var pose: PanTilt
        /// The limits of both axes, in radians.
        var limits: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)
        var mode: TrackingMode
        /// The rig; nil if the daemon is older and does not say.
        var rig: RigReading?
    }

    /// How long the head stands still before the first picture, in seconds, and how fast it may still turn, in rad/s.
    private static let rest: Seconds = 0.3, still = Double.degrees(0.5)
    /// How long it may take until two pictures in a row show the same. A picture whose time is estimated may be older than
    /// it seems: network cameras are late by a second.
    private static let settling: Seconds = 3
    private static let shots = 3, attempts = 3
    /// The longest waits, in seconds: for a picture at rest, and for the end of a motion beyond its planned duration.
    private static let patience = (picture: Seconds(6), motion: Seconds(10))
    /// How often the lease is renewed, in seconds; it lasts for 2.
    private static let renewal: Seconds = 0.5
    /// How far from its target the head may stand: it is the reported pose that counts.
    private static let tolerance = Double.degrees(3)

    private let client: ControlClient
    private let pictures: Pictures
    private let isStopped: () -> Bool
    /// Whether the lease was taken, and when it was renewed last.
    private var renewed: Seconds?
    /// The motion that runs, or nil.
    private var motion: Int?

    /// Connects to the daemon and opens its pictures. Nothing moves.
    /// - Parameters:
    ///   - width: the greatest width of the pictures, in pixels, or nil for that of detectors.
    ///   - interrupt: a descriptor that ends waits when it becomes readable.
    ///   - isStopped: says whether the user ends the verb.
    init(socket: String?, width: Int?, interrupt: Int32, isStopped: @escaping () -> Bool) throws(DockError) {
        do throws(DockError) {
            client = try ControlClient(path: socket)
        } catch {
            guard error.code == .notConnected else { throw error }
            throw DockError(
                .notConnected, error.message,
                hint:
                    "start it in another terminal, with the camera (dockface run --camera /dev/video0); its keys stop "
                    + "the head")
        }
        client.interrupt = interrupt
        self.isStopped = isStopped
        pictures = try client.openPictures(maximumWidth: width, format: .rgb24)
        pictures.interrupt = interrupt
        try client.subscribe([.motion])
    }

    /// Asks the daemon where the head is and what it may do.
    func begin() throws(DockError) -> Beginning {
        guard let status = StatusReading(json: try client.call("status")) else {
            throw DockError(.protocolError, "the daemon's status cannot be read", hint: "update dockface")
        }
        guard status.accessory.dock == "ready", let pose = status.motion.position, let limits = status.accessory.limits
        else {
            throw DockError(
                .notConnected, "the dock is not ready (\(status.accessory.reason ?? status.accessory.dock))",
                hint: "see `dockface status --why`")
        }
        guard (status.camera?.magnification ?? 1) == 1 else { throw Self.zoomed }
        func range(_ limit: LimitReading) -> ClosedRange<Double> { limit.low...max(limit.low, limit.high) }
        return Beginning(
            pose: pose, limits: (range(limits.pan), range(limits.tilt)), mode: status.accessory.mode, rig: status.rig)
    }

    /// The first picture, for its size and its camera, and to see that there are pictures. The head may turn meanwhile.
    func look() throws -> LensShot { try shot(view: 0, after: 0, isAtRest: false) }

    /// Turns to the views one after the other. `onView` is called before each view, `onShot` with each picture. At the
    /// end the head returns to where it was, and the daemon to its mode.
    /// - Throws: `Stopped`, `DockError`, or what `onShot` throws. The caller then calls `halt`.
    func run(
        _ views: [PanTilt], from beginning: Beginning, onView: (Int) -> Void, onShot: (LensShot) throws -> Void
    ) throws {
        try renew()
        _ = try client.call("setTrackingMode", ["mode": .string(TrackingMode.manual.rawValue)])
        for (number, pose) in views.enumerated() {
            onView(number)
            try turn(to: pose)
            let shots = try shots(of: number)
            guard shots.allSatisfy({ ($0.pose - pose).magnitude < Self.tolerance }) else {
                throw DockError(
                    .timeout, "the head did not arrive at view \(number + 1)",
                    hint: "make sure that nothing is in its way; `dockface status --why` says more")
            }
            for shot in shots { try onShot(shot) }
        }
        try turn(to: beginning.pose)
        _ = try client.call("setTrackingMode", ["mode": .string(beginning.mode.rawValue)])
        _ = try client.call("releaseControl")
    }

    /// Ends this program's motion, if there is one. Only its own is cancelled: a person may have begun another one.
    /// - Returns: whether the daemon was left in mode manual.
    func halt() -> Bool {
        guard let motion else { return renewed != nil }
        self.motion = nil
        do throws(DockError) {
            if case .failure = try client.ask("cancelMotion", ["motion": .number(motion)], timeout: 2) {
                _ = try client.call("stop", timeout: 2)
            }
        } catch {
            // The motion ends with the connection, too.
        }
        return renewed != nil
    }

    /// Keeps the lease, without which another program could turn the head.
    private func renew() throws {
        let now = cposix_monotonic_now()
        if let renewed, now - renewed < Self.renewal { return }
        let answer = try client.call("acquireControl")
        guard renewed == nil || answer["renewed"]?.bool == true else {
            throw DockError(.busy, "another program took the dock over", hint: "end it, and calibrate again")
        }
        renewed = now
    }

    private func turn(to pose: PanTilt) throws {
        try renew()
        let answer = try client.call(
            "setOrientation", ["pan": .number(pose.pan), "tilt": .number(pose.tilt)])
        guard let number = answer["motion"]?.integer else { return }
        motion = number
        let follower = MotionFollower(number: number)
        let end = cposix_monotonic_now() + (answer["duration"]?.number ?? 0) + Self.patience.motion
        while true {
            // Short waits, because keys are not among the descriptors that end one.
            let event = try client.nextEvent(timeout: 0.05)
            if isStopped() { throw Stopped() }
            try renew()
            guard case .ended(let outcome) = event.map({ follower.find(in: $0.topic == "motion" ? $0.data : .null) })
            else {
                if cposix_monotonic_now() > end {
                    throw DockError(.timeout, "the head did not arrive", hint: "see `dockface status --why`")
                }
                continue
            }
            motion = nil
            guard outcome != .completed else { return }
            throw DockError(.busy, "the head did not arrive: \(outcome.story.text)", hint: outcome.story.hint)
        }
    }

    /// Takes the pictures of a view. If something moved meanwhile, as when a late picture of the way here arrived, it tries
    /// again; whether what remains is too much, the comparison decides.
    private func shots(of view: Int) throws -> [LensShot] {
        var shots: [LensShot] = []
        for _ in 0..<Self.attempts {
            var last = try settled(view: view)
            shots = []
            for _ in 0..<Self.shots {
                last = try shot(view: view, after: last.time)
                shots.append(last)
            }
            if let first = shots.first, shots.allSatisfy(first.isLike) { break }
        }
        return shots
    }

    /// Waits until two pictures in a row show the same, and returns the second.
    private func settled(view: Int) throws -> LensShot {
        let begin = cposix_monotonic_now()
        var last = try shot(view: view, after: begin + Self.rest)
        // The pictures on the way here may also look alike, if all of them are from before the motion.
        if last.isEstimated { last = try shot(view: view, after: begin + 3 * Self.rest) }
        while cposix_monotonic_now() < begin + Self.settling {
            let next = try shot(view: view, after: last.time)
            if next.isLike(last) { return next }
            last = next
        }
        return last
    }

    /// Returns the first picture that was taken after a time (CLOCK_MONOTONIC), while the head was at rest.
    private func shot(view: Int, after time: Seconds, isAtRest: Bool = true) throws -> LensShot {
        let end = cposix_monotonic_now() + Self.patience.picture
        var hasPicture = false
        while cposix_monotonic_now() < end {
            if isStopped() { throw Stopped() }
            if renewed != nil { try renew() }
            guard let shown = try pictures.next(timeout: 0.1) else { continue }
            hasPicture = true
            let facts = shown.facts
            guard facts.exposure > time, let pose = facts.pose else { continue }
            guard !isAtRest || pose.rate.magnitude < Self.still else { continue }
            guard facts.optics.zoom == 1 else { throw Self.zoomed }
            guard let pixels = pictures.reader.copy(shown) else { continue }
            return LensShot(view: view, pose: pose.pose, pixels, of: pictures.reader.layout, facts)
        }
        throw DockError(
            .timeout,
            hasPicture
                ? "the head does not come to rest, or its pose is unknown" : "the camera delivers no pictures",
            hint: hasPicture ? "see `dockface status --why`" : "see `dockface doctor`")
    }

    private static let zoomed = DockError(
        .notSupported, "the camera is zoomed in, and the lens is measured without zoom",
        hint: "run `dockface zoom 1`, and calibrate again")
}
