internal import CPosix
internal import ControlProtocol
internal import DockClient
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry
internal import Processes

/// The commands of the library as calls of the control API.
extension DaemonRun {
    /// Carries out a command even if the task was cancelled, as a session does: programs stop a motion with a velocity of
    /// zero when their task ends.
    func perform(_ command: Command) async throws(DockError) -> Outcome {
        let result = await Task { () -> Result<Outcome, DockError> in
            do throws(DockError) {
                return .success(try await carryOut(command))
            } catch {
                return .failure(error)
            }
        }.value
        return try result.get()
    }

    private func carryOut(_ command: Command) async throws(DockError) -> Outcome {
        switch command {
        case .motion(let motion): return try await carryOut(motion)
        case .animate(let name):
            return try await begin { () async throws(DockError) in try await self.dock.animate(name) }
        case .setSystemTracking(let isEnabled):
            let mode = try await dock.setSystemTrackingEnabled(isEnabled)
            if isEnabled { release() }
            confirmed { $0.confirmed(mode, now: $1) }
            return Outcome("", .mode(mode))
        case .tap(let point):
            guard (0...1).contains(point.x), (0...1).contains(point.y) else { throw Self.noSubject }
            return Outcome("", .subject(try await dock.selectSubject(at: point)))
        case .select(let ids):
            var once: [Int] = []
            for id in ids where !once.contains(id) { once.append(id) }
            return Outcome("", .subjects(try await dock.selectSubjects(once)))
        case .track(let frame):
            let rate = try await moving { () async throws(DockError) in
                try await self.dock.track(
                    frame.observations.map { ObservedSubject($0) }, camera: frame.camera.map { ObservedCamera($0) },
                    exposure: frame.exposure)
            }
            return Outcome("", .tracked(subjects: frame.observations.count, rate: rate))
        // The word counts as a person's, and the call is for a person who asked for it.
        case .giveBack: return Outcome(try await dock.command("release"))
        default: throw Self.unsupported
        }
    }

    private func carryOut(_ command: MotionCommand) async throws(DockError) -> Outcome {
        switch command {
        case .setFraming(let framing):
            let set = try await dock.setFramingMode(framing)
            confirmed { $0.confirmed(set, now: $1) }
            return Outcome("", .framing(set))
        case .setRegion(let region):
            let set = try await dock.setRegionOfInterest(region)
            confirmed { $0.confirmed(set, now: $1) }
            return Outcome("", .region(set))
        case .setLimits(let pan, let tilt):
            let set = try await dock.setLimits(pan: LimitSetting(pan), tilt: LimitSetting(tilt))
            confirmed { $0.confirmed(set, now: $1) }
            return Outcome("")
        case .velocity(let velocity, let duration):
            return try await begin { () async throws(DockError) in
                try await self.dock.setAngularVelocity(velocity, for: duration)
            }
        case .orient(let pose, let duration, let isRelative):
            return try await begin { () async throws(DockError) in
                try await self.dock.setOrientation(pose, duration: duration, isRelative: isRelative)
            }
        case .stop:
            let mode = try await dock.stop()
            confirmed { $0.confirmed(mode, now: $1) }
            return Outcome("", .mode(mode))
        case .emergencyStop:
            try await dock.emergencyStop()
            return Outcome("")
        case .clear:
            let mode = try await dock.clearFault()
            confirmed { $0.confirmed(mode, now: $1) }
            return Outcome("", .mode(mode))
        default: throw Self.unsupported
        }
    }

    func request(_ command: Command) throws(DockError) {
        switch command {
        case .motion(.setLimits(let pan, let tilt)):
            try dock.post("setLimits", LimitSetting.parameters(pan: LimitSetting(pan), tilt: LimitSetting(tilt)))
        case .motion(.cancel(let motion, _)): try dock.post("cancelMotion", ["motion": .number(motion.value)])
        case .setSystemTracking(let isEnabled):
            try dock.post("setSystemTrackingEnabled", ["enabled": .bool(isEnabled)])
            confirmed { $0.confirmed(isEnabled ? .system : .manual, now: $1) }
        default: throw Self.unsupported
        }
    }

    /// Records what the daemon has confirmed, at the present time.
    private func confirmed(_ change: (inout DaemonView, Seconds) -> Void) {
        let now = cposix_monotonic_now()
        view.withLock { change(&$0, now) }
    }

    private func begin(_ body: () async throws(DockError) -> DockMotion) async throws(DockError) -> Outcome {
        let motion = try await moving(body)
        return Outcome("", .motion(MotionID(motion.id), duration: motion.duration))
    }

    private static let noSubject = DockError(
        .noSubjectFound, "the point is outside the frame", hint: "points are 0...1 from the top left")

    private static let unsupported = DockError(
        .notSupported, "a manager beside a daemon does not do this", hint: "use DockClient")
}

extension LimitSetting {
    fileprivate init(_ change: LimitChange) {
        switch change {
        case .keep: self = .keep
        case .own: self = .own
        // `DockAccessory.Limit` has checked that the range is not empty.
        case .set(let low, let high, let speed): self = .set(min(low, high)...max(low, high), speed: speed)
        }
    }
}

extension ObservedSubject {
    fileprivate init(_ observation: Observation) {
        self.init(id: observation.identifier, rect: observation.rect)
        isObject = observation.kind == .object
        score = observation.score
        attributes = observation.attributes
    }
}

extension ObservedCamera {
    fileprivate init(_ camera: CameraInformation) {
        self.init()
        horizontalFieldOfView = camera.horizontalFieldOfView
        size = camera.referenceDimensions.map { ($0.width, $0.height) }
        intrinsics = camera.intrinsics.map { ($0.fx, $0.fy, $0.cx, $0.cy) }
        rotate = camera.rotate
        isMirrored = camera.mirrored
    }
}
