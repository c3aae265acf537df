internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry
internal import Processes

/// A session in this program, as the run of a manager.
final class SessionRun: DockRun {
    let session: CompanionSession

    init(_ session: CompanionSession) { self.session = session }

    var snapshot: AccessorySnapshot { AccessorySnapshot(session.status) }

    func requestEnd() { session.requestEnd() }

    func perform(_ command: Command) async throws(DockError) -> Outcome {
        let answer = await withCheckedContinuation { continuation in
            session.call(command, from: .client(0)) { continuation.resume(returning: $0) }
        }
        return try answer.get()
    }

    func request(_ command: Command) throws(DockError) {
        if case .motion(.setLimits(let pan, let tilt)) = command {
            let profile = session.configuration.dock.profile
            for (axis, change) in [(Axis.pan, pan), (.tilt, tilt)] {
                guard case .set(let low, let high, let speed) = change,
                    let refusal = profile.refusal(axis, low: low, high: high, speed: speed)
                else { continue }
                throw refusal
            }
        }
        // Who may write is decided within the call.
        let refusal = Locked<DockError?>(nil)
        session.call(command, from: .client(0)) { answer in
            if case .failure(let error) = answer { refusal.withLock { $0 = error } }
        }
        if let error = refusal.withLock({ $0 }) { throw error }
    }

    func watch(_ motion: MotionID, onEnd: @escaping @Sendable (MotionOutcome) -> Void) -> @Sendable () -> Void {
        let number = session.listen(to: [.motion]) { update in
            guard case .state(_, let status) = update else { return }
            if let over = status.endings.first(where: { $0.id == motion }) { return onEnd(over.outcome) }
            // Many newer motions have ended since, so this one has also ended, and its outcome has been displaced.
            if let over = status.ended, over.id > motion, status.loop.motion?.id != motion { onEnd(.superseded) }
        } onEnd: {
            onEnd(.stopped)
        }
        return { [session] in if let number { session.stopListening(number) } }
    }

    func motionStates() -> AsyncStream<DockAccessory.MotionState> {
        stream(.motion, newest: 1) { update in
            guard case .state(_, let status) = update else { return nil }
            let shot = status.loop
            return DockAccessory.MotionState(
                pose: shot.pose, rate: shot.rate, time: shot.time, isMeasured: shot.device.poses.isMeasured)
        }
    }

    func trackingStates() -> AsyncStream<DockAccessory.TrackingState> {
        stream(.tracking, newest: 1) { update in
            guard case .state(_, let status) = update, let frame = status.frame else { return nil }
            return DockAccessory.TrackingState(
                time: frame.exposure,
                trackedSubjects: frame.subjects.map {
                    DockAccessory.TrackedSubjectType(
                        $0.kind, identifier: $0.id, rect: $0.rect, saliencyRank: $0.salienceRank,
                        attributes: $0.attributes,
                        distance: frame.distance(of: $0))
                },
                followed: frame.followed?.id)
        }
    }

    func batteryStates() -> AsyncStream<DockAccessory.BatteryState> {
        let published = LastPublishedBatteries()
        return stream(.battery, newest: 16) { update, output in
            guard case .state(_, let status) = update else { return }
            for battery in published.changes(in: status.loop.device.batteries) {
                output.yield(DockAccessory.BatteryState(battery))
            }
        }
    }

    func accessoryEvents() -> AsyncStream<DockAccessory.AccessoryEvent> {
        stream(.events, newest: 64) { update in
            guard case .notice(let notice) = update else { return nil }
            switch notice {
            case .button(let id, let pressed): return .button(id: id, pressed: pressed)
            case .cameraShutter: return .cameraShutter
            case .cameraFlip: return .cameraFlip
            case .cameraZoom(let factor): return .cameraZoom(factor: factor)
            case .trackingButton, .camera, .recording, .near: return nil
            }
        }
    }

    private func stream<Element: Sendable>(
        _ topic: Topic, newest: Int, _ make: @escaping @Sendable (SessionUpdate) -> Element?
    ) -> AsyncStream<Element> {
        stream(topic, newest: newest) { update, output in
            if let element = make(update) { output.yield(element) }
        }
    }

    private func stream<Element: Sendable>(
        _ topic: Topic, newest: Int,
        _ handle: @escaping @Sendable (SessionUpdate, AsyncStream<Element>.Continuation) -> Void
    ) -> AsyncStream<Element> {
        let (stream, output) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(newest))
        let number = session.listen(to: [topic]) { update in
            handle(update, output)
        } onEnd: {
            output.finish()
        }
        output.onTermination = { [session] _ in if let number { session.stopListening(number) } }
        return stream
    }
}
