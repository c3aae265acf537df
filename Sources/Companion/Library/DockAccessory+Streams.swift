internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry

/// The streams of a dock. A slow reader receives only the newest state, and up to 64 events wait for it. All streams
/// end when the manager is closed.
extension DockAccessory {
    /// The dock's pose and velocity, as often as the dock reports while it moves, and at most 20 times a second.
    /// - Throws: `notConnected` after the manager was closed.
    public var motionStates: AsyncStream<MotionState> {
        get throws(DockError) {
            try stream(.motion, newest: 1) { update in
                guard case .state(_, let status) = update else { return nil }
                let shot = status.loop
                let error =
                    shot.pose == nil
                    ? DockError(.notConnected, "the dock's pose is unknown", hint: "wait until it reports") : nil
                return MotionState(
                    angularPositions: Vector3D(shot.pose ?? .zero), angularVelocities: Vector3D(shot.rate),
                    timestamp: shot.time, isMeasured: shot.device.poses.isMeasured, error: error)
            }
        }
    }

    /// The subjects in view, ten times a second while frames arrive.
    /// - Throws: `notConnected` after the manager was closed.
    public var trackingStates: AsyncStream<TrackingState> {
        get throws(DockError) {
            try stream(.tracking, newest: 1) { update in
                guard case .state(_, let status) = update, let frame = status.frame else { return nil }
                return TrackingState(
                    time: frame.exposure, trackedSubjects: frame.subjects.map { TrackedSubjectType($0) },
                    followed: frame.followed?.id)
            }
        }
    }

    /// The states of the dock's batteries, each when it changes.
    /// - Throws: `notConnected` after the manager was closed.
    public var batteryStates: AsyncStream<BatteryState> {
        get throws(DockError) {
            let session = try manager.running()
            let (stream, output) = AsyncStream<BatteryState>.makeStream(bufferingPolicy: .bufferingNewest(16))
            let told = LastPublishedBatteries()
            let number = session.listen(to: [.battery]) { update in
                guard case .state(_, let status) = update else { return }
                for battery in told.changes(in: status.loop.device.batteries) {
                    output.yield(
                        BatteryState(
                            name: battery.name, batteryLevel: battery.level, chargeState: battery.charge,
                            lowBattery: battery.isLow, criticalBattery: battery.isCritical))
                }
            } onEnd: {
                output.finish()
            }
            output.onTermination = { _ in if let number { session.stopListening(number) } }
            return stream
        }
    }

    /// The events of the dock's buttons.
    /// - Throws: `notConnected` after the manager was closed.
    public var accessoryEvents: AsyncStream<AccessoryEvent> {
        get throws(DockError) {
            try stream(.events, newest: 64) { update in
                guard case .notice(let notice) = update else { return nil }
                switch notice {
                case .button(let id, let pressed): return .button(id: id, pressed: pressed)
                case .cameraShutter: return .cameraShutter
                case .cameraFlip: return .cameraFlip
                case .cameraZoom(let factor): return .cameraZoom(factor: factor)
                case .trackingButton, .camera, .recording: return nil
                }
            }
        }
    }

    private func stream<Element: Sendable>(
        _ topic: Topic, newest: Int, _ make: @escaping @Sendable (SessionUpdate) -> Element?
    ) throws(DockError) -> AsyncStream<Element> {
        let session = try manager.running()
        let (stream, output) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(newest))
        let number = session.listen(to: [topic]) { update in
            if let element = make(update) { output.yield(element) }
        } onEnd: {
            output.finish()
        }
        output.onTermination = { _ in if let number { session.stopListening(number) } }
        return stream
    }
}
