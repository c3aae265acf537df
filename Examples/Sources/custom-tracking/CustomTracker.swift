import Companion
import ExampleSupport

/// Follows people by its own observations. It simulates a camera and a detector, and passes on what they see.
actor CustomTracker {
    private let manager: DockAccessoryManager
    private let recording: Recording
    private let camera: TurningCamera
    private var identities = Identities()
    private var work: [Task<Void, Never>] = []
    private var lastError: DockError?
    private var latest: DockAccessory.MotionState?
    /// The dock's tracking button was pressed, so the system tracks. This tracker waits until the button is pressed
    /// again.
    private var isPaused = false
    /// Control of the dock was rejected, or has not been requested yet.
    private var needsControl = true
    private var began: Seconds?
    private var ended: Seconds = 0

    /// The results.
    private(set) var frames = 0
    private(set) var refused = 0
    private(set) var pose = Vector3D()
    var subjects: Int { identities.count }
    /// Observations per second that the dock accepted.
    var rate: Double { began.map { frames > 1 ? Double(frames - 1) / max(0.001, ended - $0) : 0 } ?? 0 }

    /// More than 15 observations per second are useless. Frames of a faster recording are skipped.
    private static let shortest: Seconds = 1 / 15.0

    init(manager: DockAccessoryManager, recording: Recording) {
        self.manager = manager
        self.recording = recording
        camera = TurningCamera(
            horizontalFieldOfView: .degrees(66),
            picture: recording.hello?.image ?? PictureSize(width: 640, height: 480))
    }

    /// Follows while there is a dock, until the manager is closed or the task is cancelled.
    func run() async {
        do {
            for await change in try manager.accessoryStateChanges {
                guard change.state == .docked, let dock = change.accessory else {
                    end()
                    say("undocked")
                    continue
                }
                guard work.isEmpty else {
                    isPaused = change.trackingButtonEnabled
                    continue
                }
                say("docked \"\(dock.identifier.name)\"")
                work = [Task { await followMotion(of: dock) }, Task { await track(with: dock) }]
            }
            if let failure = manager.failure { say("error \(failure)") }
        } catch {
            say("error \(error)")
        }
        end()
    }

    private func end() {
        for task in work { task.cancel() }
        (work, latest, isPaused, needsControl) = ([], nil, false, true)
    }

    // MARK: one dock

    /// Prints a line whenever the dock has turned by half a degree.
    private func followMotion(of dock: DockAccessory) async {
        guard let states = try? dock.motionStates else { return }
        var printed: Vector3D?
        for await state in states where state.error == nil {
            latest = state
            pose = state.angularPositions
            let moved = printed.map { max(abs($0.x - pose.x), abs($0.y - pose.y)) } ?? .infinity
            guard moved > .degrees(0.5) else { continue }
            printed = pose
            say("motion yaw \(degrees(pose.y)) pitch \(degrees(pose.x)) deg\(state.isMeasured ? "" : ", as commanded")")
        }
    }

    private func track(with dock: DockAccessory) async {
        let pacer = ReplayPacer(recording, loop: .pingpong), start = ContinuousClock.now
        var last = -Seconds.infinity
        for step in 0... {
            guard let time = pacer.time(of: step), let index = pacer.index(of: step) else { return }
            guard time - last >= Self.shortest * 0.99 else { continue }
            last = time
            // Nothing happens until the next frame.
            let due = start.advanced(by: .seconds(time))
            guard (try? await Task.sleep(until: due, clock: .continuous)) != nil else { return }
            await hand(recording.frames[index].detections, to: dock)
        }
    }

    private func hand(_ faces: [Detection], to dock: DockAccessory) async {
        guard !isPaused else { return }
        let now = DockAccessoryManager.now
        // The dock's present position: the last report, extrapolated.
        let there = latest.map {
            $0.angularPositions.panTilt + $0.angularVelocities.panTilt * min(0.1, now - $0.timestamp)
        }
        let seen = camera.view(identities.observe(faces, at: now), from: there ?? .zero)
        do {
            if needsControl {
                try await manager.setSystemTrackingEnabled(false)
                needsControl = false
            }
            try await dock.track(seen, cameraInformation: camera.information, exposure: now)
            began = began ?? now
            ended = now
            frames += 1
            lastError = nil
        } catch {
            refused += 1
            needsControl = error.code == .busy
            if error != lastError { say("error \(error)") }
            lastError = error
        }
    }
}
