import Companion
import ExampleSupport

/// A button of the user interface that turns the dock a little.
enum Chevron: String {
    case up, down, left, right

    /// Its velocity: pitch + is downward, yaw + is to the dock's right.
    func velocity(_ speed: Double) -> Vector3D {
        switch self {
        case .up: Vector3D(x: -speed)
        case .down: Vector3D(x: speed)
        case .left: Vector3D(y: -speed)
        case .right: Vector3D(y: speed)
        }
    }
}

/// Motion that is not tracking.
extension DockControlService {
    /// One tap on a chevron: 0.2 rad/s for a quarter of a second, about 2.9 degrees.
    func chevron(_ chevron: Chevron, speed: Double = 0.2) async throws(DockError) {
        let dock = try docked()
        guard mode == .manual else {
            throw DockError(.busy, "mode \(mode.rawValue) steers the dock", hint: "`mode manual` first")
        }
        try await dock.setAngularVelocity(chevron.velocity(speed))
        // The duration belongs to the tap; nothing is awaited here. Even if the task is cancelled, the zero velocity
        // follows.
        try? await Task.sleep(for: .milliseconds(250))
        try await dock.setAngularVelocity(Vector3D())
    }

    /// Plays an animation as a DockKit app does: switches system tracking off, starts the motion, and restores the
    /// mode. Returns when the motion has begun.
    func animate(_ motion: DockAccessory.Animation) async throws(DockError) {
        let dock = try docked()
        guard !isAnimating else { throw DockError(.busy, "an animation is running", hint: "wait for its end") }
        isAnimating = true
        let saved = mode
        do throws(DockError) {
            if saved == .system { try await manager.setSystemTrackingEnabled(false) }
            let progress = try await dock.animate(motion: motion)
            Task { await follow(progress, of: motion, then: saved) }
        } catch {
            await restore(saved)
            throw error
        }
    }

    /// Prints the progress until the motion ends.
    private func follow(
        _ progress: DockAccessory.Progress, of motion: DockAccessory.Animation, then saved: TrackingMode
    ) async {
        // A progress bar would be drawn at this rate. To wait for the end only, await `finished()`.
        while !progress.isFinished, (try? await Task.sleep(for: .milliseconds(100))) != nil {
            say("animation \(motion.rawValue) \(Int((progress.fractionCompleted * 100).rounded())) %")
        }
        let outcome = await progress.finished()
        switch outcome {
        case .modeChanged:
            // A user has chosen a mode meanwhile, in the app or at the dock.
            isAnimating = false
            lookAtTrackingButton()
        case _ where outcome.restoresMode: await restore(saved)
        default:
            // The motion was stopped, a fault occurred, or another client took the dock. Tracking must not start by
            // itself.
            mode = .manual
            isAnimating = false
        }
        say("animation \(motion.rawValue) \(outcome.rawValue), mode \(mode.rawValue)")
    }

    private func restore(_ saved: TrackingMode) async {
        defer { isAnimating = false }
        guard saved == .system else { return }
        do {
            try await manager.setSystemTrackingEnabled(true)
        } catch {
            mode = .manual
            say("error \(error)")
        }
    }

    func stop() async throws(DockError) {
        try await docked().stop()
        mode = .manual
    }
}
