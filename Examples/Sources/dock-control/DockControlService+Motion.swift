import Companion
import ExampleSupport

/// A button of the user interface that turns the dock a little.
enum Chevron: String {
    case up, down, left, right

    /// Its velocity: pitch is + downward, yaw + to the dock's right.
    func velocity(_ speed: Double) -> Vector3D {
        switch self {
        case .up: Vector3D(x: -speed)
        case .down: Vector3D(x: speed)
        case .left: Vector3D(y: -speed)
        case .right: Vector3D(y: speed)
        }
    }
}

/// What turns the dock by itself, without anybody being followed.
extension DockControlService {
    /// One tap on a chevron: 0.2 rad/s for a quarter of a second, about 2.9 degrees.
    func chevron(_ chevron: Chevron, speed: Double = 0.2) async throws(DockError) {
        let dock = try docked()
        guard mode == .manual else {
            throw DockError(.busy, "mode \(mode.rawValue) steers the dock", hint: "`mode manual` first")
        }
        try await dock.setAngularVelocity(chevron.velocity(speed))
        // How long a tap turns is the tap's meaning; nothing is waited for. Cancelled or not: the zero follows.
        try? await Task.sleep(for: .milliseconds(250))
        try await dock.setAngularVelocity(Vector3D())
    }

    /// Plays an animation as a DockKit app does: system tracking off, the motion, and the mode as it was. Returns when the
    /// motion has begun.
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

    /// Tells how far it is until it is over.
    private func follow(
        _ progress: DockAccessory.Progress, of motion: DockAccessory.Animation, then saved: TrackingMode
    ) async {
        // A bar on a screen is drawn so often. Who only waits for the end awaits `finished()`.
        while !progress.isFinished, (try? await Task.sleep(for: .milliseconds(100))) != nil {
            say("animation \(motion.rawValue) \(Int((progress.fractionCompleted * 100).rounded())) %")
        }
        let outcome = await progress.finished()
        switch outcome {
        case .modeChanged:
            // A user has chosen meanwhile, here or at the dock.
            isAnimating = false
            lookAtTrackingButton()
        case _ where outcome.restoresMode: await restore(saved)
        default:
            // Stopped, faulted, or somebody took the dock: it must not begin to follow people by itself.
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
