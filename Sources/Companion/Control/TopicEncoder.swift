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
    /// Returns the data of a state topic at `now` (CLOCK_MONOTONIC); null for `events` and `log`, which are not states.
    static func data(of topic: Topic, _ status: SessionStatus, now: Seconds) -> JSONValue {
        switch topic {
        case .accessory: accessory(status)
        case .motion: motion(status, now: now)
        case .tracking: tracking(status)
        case .battery: battery(status)
        case .face: face(status)
        case .events, .log: .null
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
            "counters": counters(loop.counters),
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
        var dock = "ready", reason: String?
        var isDocked = true
        switch loop.dock {
        case .ready: break
        case .greeting: (dock, isDocked) = ("greeting", false)
        case .detached(let why):
            (dock, reason, isDocked) = ("detached", status.port == "none" ? "noPort" : why.rawValue, false)
        case .faulted(let fault):
            // A latch persists without the cable; a connected dock reports its pose.
            (dock, reason, isDocked) = ("faulted", fault.rawValue, loop.pose != nil)
        }
        let identity = loop.device.identity.map { identity in
            JSONValue.object([
                "name": .string(status.rig), "model": .string(identity.model), "firmware": .string(identity.firmware),
                "uid": .string(identity.uid),
            ])
        }
        return .object([
            "state": .string(isDocked ? "docked" : "undocked"), "dock": .string(dock),
            "reason": .string(orNull: reason), "identity": identity ?? .null,
            "trackingButtonEnabled": .bool(status.trackingButtonEnabled), "mode": .string(loop.mode.rawValue),
            "framing": .string(loop.framing.mode.rawValue), "region": rect(loop.framing.region),
            "selected": .array(status.selected.map { .number($0) }),
            "limits": loop.bounds.limits.pan.flatMap { pan in loop.bounds.limits.tilt.map { limits(pan: pan, tilt: $0) }
            } ?? .null,
            "torque": .bool(loop.torque),
            "control": .string(orNull: status.authority.control?.rawValue),
            "stoppedBy": .string(orNull: status.authority.stopHold?.rawValue),
        ])
    }

    private static func motion(_ status: SessionStatus, now: Seconds) -> JSONValue {
        let loop = status.loop
        let running = loop.motion.map { motion in
            JSONValue.object([
                "id": .number(motion.id.value), "name": .string(motion.name),
                "fraction": .number(orNull: motion.fraction(at: now)), "duration": .number(motion.duration),
            ])
        }
        let endings = status.endings.map { motion in
            JSONValue.object([
                "id": .number(motion.id.value), "name": .string(motion.name),
                "outcome": .string(motion.outcome.rawValue),
            ])
        }
        return .object([
            "t": .number(loop.time), "position": loop.pose.map(panTilt) ?? .null, "velocity": panTilt(loop.rate),
            "commanded": panTilt(loop.command),
            "source": .string(loop.device.poses.isMeasured ? "measured" : "commanded"),
            "owner": .string(loop.owner.rawValue),
            "reason": .object([
                "pan": .string("\(loop.reasons.pan)"), "tilt": .string("\(loop.reasons.tilt)"),
            ]),
            "motion": running ?? .null, "ended": endings.last ?? .null,
            "endings": .array(endings),
        ])
    }

    private static func tracking(_ status: SessionStatus) -> JSONValue {
        let frame = status.frame, followed = frame?.followed?.id
        let setPoint = frame?.setPoint ?? status.loop.framing.setPoint(yaw: nil)
        let subjects = (frame?.subjects ?? []).map { subject in
            var members: [String: JSONValue] = [
                "id": .number(subject.id), "kind": .string(subject.kind.rawValue), "rect": rect(subject.rect),
                "saliency": .number(orNull: subject.saliency.map(Double.init)), "age": .number(subject.age),
                "coasting": .bool(subject.coasting), "selected": .bool(status.selected.contains(subject.id)),
            ]
            for attribute in FaceAttribute.all where attribute.coding.isInTopic {
                members[attribute.coding.name.description] = .number(orNull: subject.attributes[attribute])
            }
            return JSONValue.object(members)
        }
        return .object([
            "t": .number(orNull: frame?.exposure), "phase": .string(status.loop.phase.rawValue),
            "followed": .number(orNull: followed.map(Double.init)),
            "setPoint": .array([.number(setPoint.x), .number(setPoint.y)]), "subjects": .array(subjects),
        ])
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
    static func limits(pan: AxisLimit, tilt: AxisLimit) -> JSONValue {
        func axis(_ limit: AxisLimit) -> JSONValue {
            .object([
                "min": .number(limit.range.lowerBound), "max": .number(limit.range.upperBound),
                "speed": .number(orNull: limit.maxSpeed),
            ])
        }
        return .object(["pan": axis(pan), "tilt": axis(tilt)])
    }

    /// Encodes both axes: radians, rad/s.
    static func panTilt(_ value: PanTilt) -> JSONValue {
        .object(["pan": .number(value.pan), "tilt": .number(value.tilt)])
    }

    /// Encodes a rectangle as [x, y, w, h].
    static func rect(_ rect: Rect) -> JSONValue {
        .array([.number(rect.x), .number(rect.y), .number(rect.width), .number(rect.height)])
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
