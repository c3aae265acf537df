import CompanionDockKit

/// A button of the user interface that turns the dock a little.
enum Chevron: String {
    case up, down, left, right
}

/// Motion that the app commands. System tracking must be off.
extension DockKitService {
    /// Turns the dock for a quarter of a second; 0.2 rad/s are then about 2.9 degrees.
    func move(_ chevron: Chevron, speed: Double = 0.2) async throws {
        guard let accessory else { throw DockKitError.notConnected }
        var velocity = Vector3D()
        switch chevron {
        case .up: velocity.x = -speed
        case .down: velocity.x = speed
        case .left: velocity.y = -speed
        case .right: velocity.y = speed
        }
        try await accessory.setAngularVelocity(velocity)
        // The duration belongs to the tap. The zero velocity follows even if the task is cancelled.
        try? await Task.sleep(for: .milliseconds(250))
        try await accessory.setAngularVelocity(Vector3D())
    }

    /// Plays an animation to its end, and then tracks again if tracking was on.
    func animate(_ animation: DockAccessory.Animation) async throws {
        guard let accessory else { throw DockKitError.notConnected }
        guard !isAnimating else { return }
        isAnimating = true
        defer { isAnimating = false }
        let wasTracking = DockAccessoryManager.shared.isSystemTrackingEnabled
        try await DockAccessoryManager.shared.setSystemTrackingEnabled(false)
        do {
            let progress = try await accessory.animate(motion: animation)
            // A progress bar would be drawn at this rate.
            while !progress.isFinished, !progress.isCancelled {
                report("animation \(progress.completedUnitCount) of \(progress.totalUnitCount)")
                try await Task.sleep(for: .milliseconds(100))
            }
        } catch {
            try? await DockAccessoryManager.shared.setSystemTrackingEnabled(wasTracking)
            throw error
        }
        try await DockAccessoryManager.shared.setSystemTrackingEnabled(wasTracking)
    }

    /// Turns to a yaw angle in radians, within half a second.
    func turn(to yaw: Double) async throws {
        guard let accessory else { throw DockKitError.notConnected }
        let limit = try DockAccessory.Limits.Limit(positionRange: -1..<1, maximumSpeed: 1.5)
        try accessory.setLimits(DockAccessory.Limits(yaw: limit, pitch: nil, roll: nil))
        try await accessory.setOrientation(Vector3D(x: 0, y: yaw, z: 0), duration: .milliseconds(500), relative: false)
    }

    /// Follows a face that the app has found itself. A camera calls this 10 to 30 times a second.
    func observe(_ face: CGRect) async throws {
        guard let accessory else { throw DockKitError.notConnected }
        let observation = DockAccessory.Observation(identifier: 1, type: .humanFace, rect: face, faceYawAngle: nil)
        let camera = DockAccessory.CameraInformation(
            orientation: .corrected, referenceDimensions: CGSize(width: 1280, height: 720))
        try await accessory.track([observation], cameraInformation: camera)
    }
}
