internal import ControlProtocol
internal import DockClient
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry

/// The topics of the control API as the streams of a dock.
extension DaemonRun {
    func watch(_ motion: MotionID, onEnd: @escaping @Sendable (MotionOutcome) -> Void) -> @Sendable () -> Void {
        let task = Task { [dock] in
            let outcome = try? await DockMotion(id: motion.value, of: dock).outcome()
            guard !Task.isCancelled else { return }
            // A daemon that has ended has stopped. An outcome that was displaced belongs to a motion that was replaced.
            onEnd(outcome.map { MotionOutcome(rawValue: $0) ?? .superseded } ?? .stopped)
        }
        return { task.cancel() }
    }

    func motionStates() throws(DockError) -> AsyncStream<DockAccessory.MotionState> {
        try stream(.motion, newest: 1) { update, output in
            let motion = update.value
            output.yield(
                DockAccessory.MotionState(
                    pose: motion.position, rate: motion.velocity, time: motion.time, isMeasured: motion.isMeasured))
        }
    }

    func trackingStates() throws(DockError) -> AsyncStream<DockAccessory.TrackingState> {
        try stream(.tracking, newest: 1) { update, output in
            guard let time = update.value.time else { return }
            let subjects = update.value.subjects.map { subject in
                DockAccessory.TrackedSubjectType(
                    subject.kind == "object" ? .object : .person, identifier: subject.id, rect: subject.rect,
                    saliencyRank: subject.salienceRank, attributes: subject.attributes, distance: subject.distance)
            }
            output.yield(
                DockAccessory.TrackingState(time: time, trackedSubjects: subjects, followed: update.value.followed))
        }
    }

    func batteryStates() throws(DockError) -> AsyncStream<DockAccessory.BatteryState> {
        let published = LastPublishedBatteries()
        return try stream(.battery, newest: 16) { update, output in
            for battery in published.changes(in: update.value.supplies.map { DockControl.BatteryState($0) }) {
                output.yield(DockAccessory.BatteryState(battery))
            }
        }
    }

    func accessoryEvents() throws(DockError) -> AsyncStream<DockAccessory.AccessoryEvent> {
        try stream(.events, newest: 64) { update, output in
            // A topic begins with the last events, which happened before the program asked.
            guard !update.isSnapshot else { return }
            switch update.value {
            case .button(let id, let isPressed): output.yield(.button(id: id, pressed: isPressed))
            case .cameraShutter: output.yield(.cameraShutter)
            case .cameraFlip: output.yield(.cameraFlip)
            case .cameraZoom(let factor): output.yield(.cameraZoom(factor: factor))
            case .trackingButton, .camera, .recording, .near, .other: break
            }
        }
    }

    private func stream<Value, Element: Sendable>(
        _ topic: TopicKey<Value>, newest: Int,
        _ handle: @escaping @Sendable (TopicUpdate<Value>, AsyncStream<Element>.Continuation) -> Void
    ) throws(DockError) -> AsyncStream<Element> {
        let updates = try dock.updates(topic)
        let (stream, output) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(newest))
        let task = Task {
            for await update in updates { handle(update, output) }
            output.finish()
        }
        output.onTermination = { _ in task.cancel() }
        return stream
    }
}

extension DockControl.BatteryState {
    fileprivate init(_ supply: SupplyReading) {
        self.init(
            name: supply.name, level: supply.level, charge: Charge(rawValue: supply.charge) ?? .notChargeable,
            isLow: supply.isLow, isCritical: supply.isCritical, voltage: supply.voltage)
    }
}
