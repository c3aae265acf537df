public import DockControl
internal import DockTypes
public import Geometry

/// Decides what the camera on the dock does: it turns buttons and commands into actions for a `CameraControl`.
///
/// A recording never spans two cameras: a flip ends it first, and sets the other camera to its lowest magnification.
/// The recording does not restart by itself, because no person asked for it.
public struct CameraDesk: Sendable, Equatable {
    /// The result of a button or a command.
    public struct Decision: Sendable, Equatable {
        /// The answer to the requester.
        public var answer: Answer
        /// Actions for the camera, in this order; empty if nothing changes.
        public var actions: [CameraAction]
    }

    /// The state of the camera, as it was requested last; whether it records, as programs say. Nil if there is none.
    public private(set) var state: CameraState?

    private let deviceCount: Int
    private let range: ClosedRange<Double>
    private var lastShutter: Seconds?

    /// One step of the zoom wheel.
    public static let step = 0.2
    /// The time within which a second press of the shutter button is a bounce, in seconds.
    public static let debounce: Seconds = 0.2

    /// Returns the error if no camera and no program would execute a command.
    static func unserved(_ command: CameraCommand) -> DockError {
        guard case .shutter = command else {
            return DockError(
                .notSupportedByDevice, "this rig has no such camera",
                hint: "a program can provide one: topic `events` of the control API")
        }
        return DockError(
            .notSupportedByDevice, "no program records", hint: "start one that reports as extension `record`")
    }

    /// Creates a desk for a camera. If it is nil, there is none, and every request is rejected.
    public init(for camera: (any CameraControl)?) {
        deviceCount = max(1, camera?.deviceCount ?? 1)
        range = camera?.magnification ?? 1...1
        guard camera != nil else { return }
        var state = CameraState()
        state.magnification = 1.0.clamped(to: range)
        self.state = state
    }

    /// Handles an event of the dock's buttons.
    /// - Returns: nil if the event does not concern the camera, or is a bounce of the shutter button.
    public mutating func handle(_ event: AccessoryEvent, now: Seconds) -> Decision? {
        switch event {
        case .cameraZoom(let steps): return handle(.zoom(steps: steps))
        case .cameraFlip: return handle(.flip)
        case .cameraShutter:
            if let lastShutter, (0..<Self.debounce).contains(now - lastShutter) { return nil }
            lastShutter = now
            return handle(.shutter(nil))
        case .button, .trackingButton: return nil
        }
    }

    /// Handles a command. Commands do not bounce.
    ///
    /// Fails with `notSupportedByDevice` if there is no camera, and for a flip if there is only one; with
    /// `invalidParameter` for a magnification that the camera does not support.
    public mutating func handle(_ command: CameraCommand) -> Decision {
        guard let state else {
            return Decision(answer: .failure(Self.unserved(command)), actions: [])
        }
        switch command {
        case .zoom(let steps): return magnify((state.magnification + Double(steps) * Self.step).clamped(to: range))
        case .magnify(let wanted):
            guard range.contains(wanted) else {
                return Self.refused(
                    .invalidParameter, "the camera does not support this magnification",
                    hint: "give \(Self.words(range.lowerBound)) to \(Self.words(range.upperBound))")
            }
            return magnify(wanted)
        case .shutter(let open): return record(open ?? !state.isRecording)
        case .flip: return flip()
        }
    }

    /// Records whether a program records. Returns whether that is new.
    mutating func recorder(says isRecording: Bool) -> Bool {
        guard state != nil, state?.isRecording != isRecording else { return false }
        state?.isRecording = isRecording
        return true
    }

    private mutating func magnify(_ wanted: Double) -> Decision {
        let new = ((wanted * 10).rounded() / 10).clamped(to: range), isNew = new != state?.magnification
        state?.magnification = new
        return Decision(
            answer: .success(Outcome("zoom \(Self.words(new))", .magnification(new))),
            actions: isNew ? [.magnify(new)] : [])
    }

    private mutating func record(_ wanted: Bool) -> Decision {
        let isNew = wanted != state?.isRecording
        state?.isRecording = wanted
        return Decision(
            answer: .success(Outcome(wanted ? "recording" : "recording ended", .recording(wanted))),
            actions: isNew ? [wanted ? .startRecording : .stopRecording] : [])
    }

    private mutating func flip() -> Decision {
        guard let state, deviceCount > 1 else {
            return Self.refused(.notSupportedByDevice, "there is only one camera", hint: "connect another one")
        }
        let device = (state.device + 1) % deviceCount
        var actions = state.isRecording ? record(false).actions : []
        actions.append(.select(device))
        self.state?.device = device
        actions += magnify(1.0.clamped(to: range)).actions
        return Decision(
            answer: .success(Outcome("camera \(device + 1) of \(deviceCount)", .device(device))), actions: actions)
    }

    private static func refused(_ code: DockError.Code, _ message: String, hint: String) -> Decision {
        Decision(answer: .failure(DockError(code, message, hint: hint)), actions: [])
    }

    private static func words(_ magnification: Double) -> String {
        magnification == magnification.rounded() ? "\(Int(magnification))" : "\(magnification)"
    }
}
