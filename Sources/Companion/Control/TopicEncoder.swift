internal import Camera
internal import ControlProtocol
internal import DockControl
internal import FaceTracker
internal import Geometry
internal import Processes
internal import RobotFace

/// Encodes the session's state in the forms of docs/CONTROL-API.md: radians, seconds, normalised coordinates, null for
/// values that were not computed.
enum TopicEncoder {
    /// Returns the data of a state topic at `now` (CLOCK_MONOTONIC); null for a queue, which is not a state.
    static func data(of topic: Topic, _ status: SessionStatus, now: Seconds) -> JSONValue {
        switch topic {
        case .accessory: accessory(status)
        case .motion: motion(status, now: now)
        case .tracking: tracking(status)
        case .battery: battery(status)
        case .face: face(status)
        case .layers: LayersReading(status.shown.layers).json
        case .indicators: IndicatorsReading(status.shown.indicators).json
        case .events, .log, .detections, .cues: .null
        }
    }

    /// Returns the result of `status`.
    static func status(_ status: SessionStatus, version: String, why: Bool, now: Seconds) -> JSONValue {
        let loop = status.loop
        var members: [String: JSONValue] = [
            "version": .string(version), "uptime": .number(status.uptime), "lease": .bool(status.authority.isLeased),
            "guarded": .bool(loop.safety.isGuarded), "findings": .array(loop.device.findings.map { .string($0) }),
            "accessory": accessory(status), "motion": motion(status, now: now), "tracking": tracking(status),
            "battery": battery(status), "face": face(status), "camera": status.camera.map(camera) ?? .null,
            "detector": .object([
                "source": .string(status.source), "frames": .number(loop.counters.frames),
                "dropped": .number(loop.counters.droppedFrames), "rate": .number(orNull: status.frameRate),
                "camera": status.vision.flatMap(picture) ?? .null,
                "sources": .array((status.vision?.detectors ?? []).map { source($0, of: status.vision) }),
            ]),
            "counters": counters(loop.counters), "layers": .array(status.shown.layers.map(\.summary)),
            "indicators": .array(status.shown.indicators.map(\.json)),
            "extensions": .array(status.shown.extensions.map(\.json)), "rig": status.rig.json,
        ]
        if why { members["why"] = .object(["pan": reason(loop.reasons.pan), "tilt": reason(loop.reasons.tilt)]) }
        return .object(members)
    }

    /// Encodes the camera that the daemon itself has opened.
    private static func picture(_ vision: VisionHealth) -> JSONValue? {
        guard let camera = vision.camera else { return nil }
        return .object([
            "name": .string(camera.name), "state": .string(camera.state.rawValue), "restarts": .number(camera.restarts),
            "problem": camera.problem.map { .string($0) } ?? .null,
            "width": camera.width.map { .number($0) } ?? .null, "height": camera.height.map { .number($0) } ?? .null,
            "rate": .number(orNull: camera.framesPerSecond), "estimated": camera.isEstimated.map { .bool($0) } ?? .null,
            "readers": .number(vision.readers),
        ])
    }

    private static func source(_ detector: DetectorHealth, of vision: VisionHealth?) -> JSONValue {
        .object([
            "name": .string(detector.name), "state": .string(detector.state.rawValue),
            "active": .bool(detector.name == vision?.active),
            "detector": detector.detector.map { .string($0) } ?? .null, "restarts": .number(detector.restarts),
            "problem": detector.problem.map { .string($0) } ?? .null, "latency": .number(orNull: detector.latency),
        ])
    }

    // MARK: topics

    private static func accessory(_ status: SessionStatus) -> JSONValue {
        let loop = status.loop
        var reading = AccessoryReading()
        reading.isDocked = true
        switch loop.dock {
        case .ready: reading.dock = "ready"
        case .greeting: (reading.dock, reading.isDocked) = ("greeting", false)
        case .detached(let why):
            (reading.dock, reading.isDocked) = ("detached", false)
            reading.reason = status.rig.port == "none" ? "noPort" : why.rawValue
        case .faulted(let fault):
            // A latch persists without the cable; a connected dock reports its pose.
            (reading.dock, reading.reason, reading.isDocked) = ("faulted", fault.rawValue, loop.pose != nil)
        }
        reading.identity = loop.device.identity.map { identity in
            var dock = IdentityReading()
            (dock.name, dock.model) = (status.rig.name, identity.model)
            (dock.firmware, dock.uid) = (identity.firmware, identity.uid)
            return dock
        }
        reading.isTrackingButtonOn = status.trackingButtonEnabled
        (reading.mode, reading.framing, reading.region) = (loop.mode, loop.framing.mode, loop.framing.region)
        reading.selected = status.selected
        reading.limits = loop.bounds.limits.pan.flatMap { pan in
            loop.bounds.limits.tilt.map { Self.reading(pan: pan, tilt: $0) }
        }
        reading.hasTorque = loop.torque
        reading.control = status.authority.control?.rawValue
        reading.stoppedBy = status.authority.stopHold?.rawValue
        return reading.json
    }

    private static func motion(_ status: SessionStatus, now: Seconds) -> JSONValue {
        let loop = status.loop
        var reading = MotionReading()
        (reading.time, reading.position) = (loop.time, loop.pose)
        (reading.velocity, reading.commanded) = (loop.rate, loop.command)
        (reading.isMeasured, reading.owner) = (loop.device.poses.isMeasured, loop.owner.rawValue)
        reading.reasons = ("\(loop.reasons.pan)", "\(loop.reasons.tilt)")
        reading.running = loop.motion.map { motion in
            var running = RunningReading()
            (running.id, running.name) = (motion.id.value, motion.name)
            (running.fraction, running.duration) = (motion.fraction(at: now), motion.duration)
            return running
        }
        reading.endings = status.endings.map { motion in
            var ending = EndingReading()
            (ending.id, ending.name, ending.outcome) = (motion.id.value, motion.name, motion.outcome.rawValue)
            return ending
        }
        reading.ended = reading.endings.last
        return reading.json
    }

    private static func tracking(_ status: SessionStatus) -> JSONValue {
        let frame = status.frame
        var reading = TrackingReading()
        (reading.time, reading.sequence) = (frame?.exposure, frame?.sequence)
        (reading.phase, reading.followed) = (status.loop.phase.rawValue, frame?.followed?.id)
        reading.setPoint = frame?.setPoint ?? status.loop.framing.setPoint(yaw: nil)
        reading.lens = frame?.camera.map { LensReading($0) }
        guard let frame else { return reading.json }
        reading.subjects = frame.subjects.map { subject in
            var new = SubjectReading()
            (new.id, new.kind, new.rect) = (subject.id, subject.kind.rawValue, subject.rect)
            (new.salienceRank, new.age, new.isCoasting) = (subject.salienceRank, subject.age, subject.coasting)
            (new.attributes, new.isSelected) = (subject.attributes, status.selected.contains(subject.id))
            new.distance = frame.distance(of: subject)
            return new
        }
        return reading.json
    }

    private static func battery(_ status: SessionStatus) -> JSONValue {
        let supplies = status.loop.device.batteries.map { battery in
            var supply = SupplyReading()
            (supply.name, supply.level, supply.charge) = (battery.name, battery.level, battery.charge.rawValue)
            (supply.isLow, supply.isCritical, supply.voltage) = (battery.isLow, battery.isCritical, battery.voltage)
            return supply
        }
        return BatteryReading(supplies).json
    }

    private static func face(_ status: SessionStatus) -> JSONValue {
        var face = FaceReading()
        face.expression = status.face.expression.name
        (face.isRandom, face.hasGestures) = (status.face.isRandom, status.face.gestures)
        return face.json
    }

    // MARK: parts

    /// Encodes the known state of the camera on the dock.
    static func camera(_ camera: CameraState) -> JSONValue {
        var reading = CameraReading()
        (reading.magnification, reading.isRecording) = (camera.magnification, camera.isRecording)
        reading.device = camera.device
        return reading.json
    }

    /// Encodes the limits of both axes: radians, rad/s.
    static func limits(pan: AxisLimit, tilt: AxisLimit) -> JSONValue { reading(pan: pan, tilt: tilt).json }

    private static func reading(pan: AxisLimit, tilt: AxisLimit) -> LimitsReading {
        func axis(_ limit: AxisLimit) -> LimitReading {
            var reading = LimitReading()
            (reading.low, reading.high) = (limit.range.lowerBound, limit.range.upperBound)
            reading.speed = limit.maxSpeed
            return reading
        }
        var reading = LimitsReading()
        (reading.pan, reading.tilt) = (axis(pan), axis(tilt))
        return reading
    }

    private static func reason(_ reason: MotionReason) -> JSONValue {
        .object(["state": .string("\(reason)"), "text": .string(reason.rawValue)])
    }

    private static func counters(_ counters: LoopCounters) -> JSONValue {
        .object([
            "frames": .number(counters.frames), "droppedFrames": .number(counters.droppedFrames),
            "setpoints": .number(counters.setpoints), "droppedSetpoints": .number(counters.droppedSetpoints),
            "faults": .number(counters.faults), "losses": .number(counters.losses),
            "invalidBytes": .number(counters.invalidBytes), "lateWakes": .number(counters.lateWakes),
            "guardStops": .number(counters.guardStops),
        ])
    }
}
