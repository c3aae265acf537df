internal import DockTypes

/// The kinds of records.
enum TraceKind: UInt8 {
    case toDock = 1
    case fromDock, pose, rectangles, set, command, state, end, note
    // The inputs of decisions: `TraceInput`.
    case begin, turn, over, opened, notOpened, hungUp, queued, guardian, intervention, renewed, port, realTimeRefused,
        zoom
    case lens, epoch, picture, reading, tap, select, observed, gap, program, leaseLost, optics
    case distances
}

/// The names of values that are recorded as one byte, which is the index in the row. New names are only added at the
/// end of a row.
enum TraceNames {
    static let owners = ["emergencyStop", "stop", "manual", "animation", "tracking", "gesture", "none"]
    static let reasons = [
        "moving", "nothingToDo", "deadZone", "noSubject", "limit", "detectorStale", "notConnected", "arming", "faulted",
        "poseUnknown", "batteryCritical", "torqueOff", "lensMoving",
    ]
    static let states = ["detached", "greeting", "ready", "faulted"]
    static let commands = [
        "setMode", "setFraming", "setRegion", "chevron", "velocity", "orient", "home", "animate", "gesture", "cancel",
        "setLimits", "setSpeed", "stop", "emergencyStop", "clear", "torque", "expect", "slow",
    ]

    static func name(_ code: UInt8, in row: [String]) -> String { code < row.count ? row[Int(code)] : "unknown" }
}

extension MotionOwner {
    var code: UInt8 {
        switch self {
        case .emergencyStop: 0
        case .stop: 1
        case .manual: 2
        case .animation: 3
        case .tracking: 4
        case .gesture: 5
        case .none: 6
        }
    }
}

extension MotionReason {
    var code: UInt8 {
        switch self {
        case .moving: 0
        case .nothingToDo: 1
        case .deadZone: 2
        case .noSubject: 3
        case .limit: 4
        case .detectorStale: 5
        case .notConnected: 6
        case .arming: 7
        case .faulted: 8
        case .poseUnknown: 9
        case .batteryCritical: 10
        case .torqueOff: 11
        case .lensMoving: 12
        }
    }
}

extension TrackingMode {
    var code: UInt8 {
        switch self {
        case .system: 0
        case .custom: 1
        case .manual: 2
        }
    }
}

extension FramingMode {
    var code: UInt8 {
        switch self {
        case .automatic: 0
        case .center: 1
        case .left: 2
        case .right: 3
        }
    }
}

extension MotionOutcome {
    /// The index among all outcomes.
    var code: UInt8 {
        switch self {
        case .completed: 0
        case .cancelled: 1
        case .superseded: 2
        case .takenOver: 3
        case .stopped: 4
        case .emergencyStopped: 5
        case .faulted: 6
        case .unplugged: 7
        case .limited: 8
        case .modeChanged: 9
        case .leaseLost: 10
        }
    }
}

extension MotionCommand {
    var code: UInt8 {
        switch self {
        case .setMode: 0
        case .setFraming: 1
        case .setRegion: 2
        case .chevron: 3
        case .velocity: 4
        case .orient: 5
        case .home: 6
        case .animate: 7
        case .gesture: 8
        case .cancel: 9
        case .setLimits: 10
        case .setSpeed: 11
        case .stop: 12
        case .emergencyStop: 13
        case .clear: 14
        case .torque: 15
        case .expect: 16
        case .slow: 17
        }
    }
}

extension DockState {
    /// The state, and the cause of a fault or a detachment: its index in `DockFault.names` or `DetachReason.names`.
    var codes: (UInt8, UInt8) {
        switch self {
        case .detached(let reason): (0, reason.code)
        case .greeting: (1, 0)
        case .ready: (2, 0)
        case .faulted(let fault): (3, fault.code)
        }
    }
}

extension DetachReason {
    static let names = ["notFound", "unplugged", "otherDevice", "noAnswer", "portBusy"]

    /// The index in the row. A new reason without an index does not compile.
    var code: UInt8 {
        switch self {
        case .notFound: 0
        case .unplugged: 1
        case .otherDevice: 2
        case .noAnswer: 3
        case .portBusy: 4
        }
    }
}

extension DockFault {
    static let names = [
        "emergencyStop", "stall", "overTemperature", "device", "versionMismatch", "followingError", "signSuspect",
        "pictureDoesNotFollow",
    ]

    /// The index in the row. A new fault without an index does not compile.
    var code: UInt8 {
        switch self {
        case .emergencyStop: 0
        case .stall: 1
        case .overTemperature: 2
        case .device: 3
        case .versionMismatch: 4
        case .followingError: 5
        case .signSuspect: 6
        case .pictureDoesNotFollow: 7
        }
    }
}
