import ControlProtocol
import DockControl
import DockTypes
import FaceTracker
import Geometry
import RobotFace

@testable import Companion

/// Every possible message, at least once, for checks against the schema.
enum ControlSamples {
    static let reasons: [MotionReason] = [
        .moving, .nothingToDo, .deadZone, .noSubject, .limit, .detectorStale, .notConnected, .arming, .faulted,
        .poseUnknown, .batteryCritical, .torqueOff, .lensMoving,
    ]
    static let faults: [DockFault] = [
        .emergencyStop, .stall, .overTemperature, .device, .versionMismatch, .followingError, .signSuspect,
        .pictureDoesNotFollow,
    ]
    static let docks: [DockState] =
        [.ready, .greeting]
        + [DetachReason.notFound, .unplugged, .otherDevice, .noAnswer, .portBusy].map { .detached($0) }
        + faults.map { .faulted($0) }
    static let phases: [TrackingPhase] = [
        .idle, .following, .coasting, .searching, .homing, .expecting, .detectorStale,
    ]
    static let owners: [MotionOwner] = [
        .emergencyStop, .stop, .manual, .animation, .tracking, .gesture, .none,
    ]
    static let codes: [DockError.Code] = [
        .notConnected, .cannotOpen, .permission, .portBusy, .invalidParameter, .noSubjectFound, .notSupportedByDevice,
        .busy, .limitReached, .frameRateTooHigh, .frameRateTooLow, .notSupported, .faulted, .timeout, .protocolError,
        .configuration,
    ]

    /// States from nothing known to everything known, with every possible word.
    static var statuses: [SessionStatus] {
        var all = [SessionStatus()]
        for dock in docks { all.append(with(full) { $0.loop.dock = dock }) }
        for reason in reasons { all.append(with(full) { $0.loop.reasons = AxisReasons(pan: reason, tilt: .moving) }) }
        for phase in phases { all.append(with(full) { $0.loop.phase = phase }) }
        for owner in owners { all.append(with(full) { $0.loop.owner = owner }) }
        for mode in TrackingMode.allCases { all.append(with(full) { $0.loop.mode = mode }) }
        for framing in FramingMode.allCases { all.append(with(full) { $0.loop.framing.mode = framing }) }
        for outcome in MotionOutcome.allCases { all.append(with(full) { $0.endings[0].outcome = outcome }) }
        for expression in Expression.all { all.append(with(full) { $0.face.expression = expression }) }
        for control in [SessionStatus.Control.keys, .words, .lease] {
            all.append(with(full) { $0.authority.control = control })
        }
        for charge in [BatteryState.Charge.charging, .notCharging, .notChargeable] {
            all.append(with(full) { $0.loop.device.batteries[0].charge = charge })
        }
        all.append(
            with(full) {
                $0.frame?.camera?.mount = .fixed
                $0.frame?.camera?.offset = PanTilt(pan: 0.5, tilt: -0.25)
            })
        all.append(
            with(full) {
                $0.loop.device.poses.isMeasured = false
                $0.frame?.followed = nil
                $0.frameRate = .infinity
                $0.loop.pose = nil
            })
        return all
    }

    static var full: SessionStatus {
        var status = SessionStatus()
        status.loop.time = 2303.101156
        status.loop.dock = .ready
        status.loop.device.identity = DockIdentity(model: "dlp", firmware: "1.2.3", uid: "00ff")
        status.loop.pose = PanTilt(pan: 0.5, tilt: -0.25)
        status.loop.rate = PanTilt(pan: 0.01, tilt: 0)
        status.loop.motion = RunningMotion(id: MotionID(4), name: "orient", start: 2303, duration: 2)
        status.loop.device.batteries = [
            BatteryState(level: 0.5, charge: .notCharging, isLow: false, voltage: 7.4),
            BatteryState(name: "base", level: nil, charge: .notChargeable, isLow: false),
        ]
        status.loop.bounds.limits = SessionLimits(
            pan: AxisLimit(range: -1...1, maxSpeed: 2), tilt: AxisLimit(range: -0.5...0.5))
        status.endings = [EndedMotion(id: MotionID(3), name: "yes", outcome: .completed)]
        let subjects = [
            TrackedSubject(id: 7, rect: Rect(x: 0.4, y: 0.3, width: 0.1, height: 0.2), age: 2, salienceRank: 1),
            TrackedSubject(
                id: 9, kind: .object, rect: Rect(x: -0.1, y: 0, width: 0.2, height: 0.2), coasting: true,
                attributes: FaceAttributes(speaking: 0.5, looking: 1)),
        ]
        status.frame = TrackedFrame(
            exposure: 2303, camera: CameraModel(camera: RigProfile.Camera()), subjects: subjects, followed: subjects[0],
            selected: [7], setPoint: Point(x: 0.5, y: 0.45))
        status.selected = [7]
        status.source = "stdin"
        status.frameRate = 29.97
        status.camera = CameraState()
        status.shown.layers = [
            Layer(
                name: "room", client: 3, space: .world,
                items: [.label("door", at: [0, 0, -2]), .path([[0, 0, -1], [1, 0, -1]], mark: "*", colour: .red)]),
            Layer(name: "aim", client: -1, space: .picture, items: [.box(.full), .point([0.5, 0.5, 0])]),
        ]
        var indicator = IndicatorReading()
        (indicator.name, indicator.client, indicator.state) = ("record", 3, .on)
        (indicator.text, indicator.isShown) = ("to the disk", true)
        status.shown.indicators = [indicator]
        var beside = ExtensionReading()
        (beside.name, beside.version, beside.state, beside.text) = ("pad", "0.2.0", .trying, "no gamepad")
        (beside.isChild, beside.restarts) = (true, 2)
        status.shown.extensions = [beside]
        status.authority.control = .lease
        status.authority.isLeased = true
        status.uptime = 12.5
        status.rig.name = "DLP dock"
        return status
    }

    static func with(_ status: SessionStatus, _ change: (inout SessionStatus) -> Void) -> SessionStatus {
        var new = status
        change(&new)
        return new
    }

    static let notices: [JSONValue] =
        [
            AccessoryEvent.button(id: 2, pressed: true), .cameraShutter, .cameraFlip, .cameraZoom(steps: -2),
            .trackingButton(pressed: false),
        ].map { EventEncoder.event($0) } + [EventEncoder.event(CameraState())]

    static let cues: [JSONValue] = [
        Cue.say("hello", .high), .play("found"), .say("there", .low, direction: PanTilt(pan: -1, tilt: 0.25)),
        .play("found", direction: PanTilt(pan: -1, tilt: 0.25)),
    ].map { EventEncoder.event($0) }

    /// A detector's answers: as a tracker uses them, and as it does not.
    static let answers: [JSONValue] = {
        var face = Detection(rect: Rect(x: 0.4, y: 0.3, width: 0.1, height: 0.2), score: 0.2)
        face.attributes.yaw = 0.3
        face.landmarks.append(Point(x: 0.45, y: 0.35))
        let joints = "[" + Array(repeating: "[0.5,1.2,-0.05]", count: 21).joined(separator: ",") + "]"
        let line =
            #"{"faces":[],"objects":[{"label":"cup","score":0.4}],"people":[{"joints":[[0.1,0.2,1]]}],"#
            + #""hands":[{"points":\#(joints),"score":0.9,"side":"left"}]}"#
        var frame = DetectionFrame(
            sequence: 7, exposure: 2303, arrival: 2303.05, size: PictureSize(width: 640, height: 480),
            optics: FrameOptics(camera: 1, zoom: 2.5), detections: [face, Detection(rect: .full, kind: .object)])
        frame.maybe = [Detection(rect: Rect(x: 0.1, y: 0.1, width: 0.1, height: 0.1), score: 0.35)]
        let unknown = DetectionFrame(exposure: .nan, arrival: 2304)
        return [
            DetectorAnswer(source: "yunet", isActive: true, frame: frame, line: Array(line.utf8)),
            DetectorAnswer(source: "exec", isActive: false, frame: unknown, drop: .repeated),
        ].map { AnswerEncoder.json($0, distance: AnswerSight(frame: nil, profile: .dlpDock).distance) }
    }()

    static let lines: [JSONValue] = [
        EventEncoder.line(.info, "dock ready"), EventEncoder.line(.warning, "\u{1b}[31m \"quoted\" \\ \u{7f}\n"),
        EventEncoder.line(.error, String(repeating: "ß", count: 10_000)),
    ]

    /// The answer of each method.
    static let results: [(method: String, params: String, value: Outcome.Value)] = {
        let limits = Outcome.Value.limits(
            pan: AxisLimit(range: -1...1, maxSpeed: 1), tilt: AxisLimit(range: -0.5...0.5))
        var meter = LatencyMeter(profile: .dlpDock, isMeasured: true)
        meter.arrived(at: 1, exposure: 0.95, tracked: 1.000_1)
        var measured = LoopSnapshot()
        measured.timing.latency = meter.figures
        measured.timing.pictureLag = LatencyWatch.Finding(lag: -0.04, deviation: 0.003)
        measured.timing.lagCorrection = -0.038
        let begun = Outcome.Value.motion(MotionID(12), duration: 1.5)
        return [
            ("setTrackingMode", #"{"mode":"manual"}"#, .mode(.manual)),
            ("setSystemTrackingEnabled", #"{"enabled":true}"#, .mode(.system)),
            ("setFramingMode", #"{"mode":"auto"}"#, .framing(.automatic)),
            ("setRegionOfInterest", #"{"rect":null}"#, .region(.full)),
            ("selectSubject", #"{"x":0,"y":0}"#, .subject(7)), ("selectSubjects", #"{"ids":[7]}"#, .subjects([7])),
            ("selectSubjects", #"{"ids":[]}"#, .subjects([])),
            ("expect", #"{"pan":0.5,"tilt":0}"#, .none), ("selectSource", #"{"name":"yunet"}"#, .source("yunet")),
            ("track", #"{"observations":[]}"#, .tracked(subjects: 0, rate: nil)),
            ("track", #"{"observations":[]}"#, .tracked(subjects: 2, rate: 29.5)),
            ("setAngularVelocity", #"{"pan":0,"tilt":0}"#, begun), ("setOrientation", #"{"pan":0,"tilt":0}"#, begun),
            ("home", "{}", begun), ("animate", #"{"motion":"yes"}"#, begun), ("goToPreset", #"{"name":"door"}"#, begun),
            ("cancelMotion", #"{"motion":12}"#, .none), ("setLimits", "{}", limits),
            ("setSpeed", #"{"share":0.5}"#, .share(0.5)), ("setTorqueEnabled", #"{"enabled":true}"#, .torque(true)),
            ("setExpression", #"{"next":true}"#, .face(.normal, isRandom: false)),
            ("setGesturesEnabled", #"{"enabled":true}"#, .gestures(true)),
            ("savePreset", #"{"name":"door"}"#, .name("door")), ("deletePreset", #"{"name":"door"}"#, .name("door")),
            ("presets", "{}", .presets(["door": PanTilt(pan: 1, tilt: 0)])), ("presets", "{}", .presets([:])),
            ("recordMotion", #"{"name":"wave"}"#, .name("wave")),
            ("finishRecording", "{}", .taught("wave", duration: 3.2)), ("motions", "{}", .motions(["wave": 3.2])),
            ("deleteMotion", #"{"name":"wave"}"#, .name("wave")), ("setZoom", #"{"factor":2}"#, .magnification(2)),
            ("setShutter", "{}", .recording(true)), ("flipCamera", "{}", .device(1)), ("stop", "{}", .mode(.manual)),
            ("emergencyStop", "{}", .mode(.manual)), ("clearFault", "{}", .mode(.manual)),
            ("setLayer", #"{"name":"a","items":[]}"#, .items(0)),
            ("setIndicator", #"{"name":"record","state":"on"}"#, .shown(true)),
            ("setExtension", #"{"name":"log","state":"ready"}"#, .none),
            ("setDistances", #"{"distances":[{"id":7,"distance":1.25}]}"#, .used(1)),
            ("say", #"{"text":"hello"}"#, .heard(true)), ("cue", #"{"name":"found"}"#, .heard(false)),
            ("acquireControl", "{}", .lease(2, isRenewed: false)),
            ("releaseControl", "{}", .none),
            ("metrics", "{}", .metrics(SessionStatus())),
            ("latency", "{}", .latency(LoopSnapshot())), ("latency", "{}", .latency(measured)),
            ("trace", "{}", .trace(path: "/x/y-asked.jsonl", records: 12, duration: 0.25)),
        ]
    }()
}
