public import DockControl
public import Geometry

/// Decides what the camera on the dock does: buttons of the dock and commands in, actions for a `CameraControl` out.
///
/// A recording never spans two cameras: a flip ends it first, and magnifies the other camera as little as it can. It does not
/// begin again by itself, because nobody pressed for that.
public struct CameraDesk: Sendable, Equatable {
    /// What came of a button or a command.
    public struct Decision: Sendable, Equatable {
        /// For whoever asked.
        public var answer: Answer
        /// For the camera, in this order; empty: nothing changes.
        public var actions: [CameraAction]
    }

    /// What the camera was last told; nil: nobody serves one.
    public private(set) var state: CameraState?

    private let deviceCount: Int
    private let range: ClosedRange<Double>
    private var lastShutter: Seconds?

    /// One step of the zoom wheel.
    public static let step = 0.2
    /// A shutter button that is pressed again within this time has bounced, seconds.
    public static let debounce: Seconds = 0.2

    /// For a camera; nil: there is none, and everything is refused.
    public init(for camera: (any CameraControl)?) {
        deviceCount = max(1, camera?.deviceCount ?? 1)
        range = camera?.magnification ?? 1...1
        guard camera != nil else { return }
        var state = CameraState()
        state.magnification = 1.0.clamped(to: range)
        self.state = state
    }

    /// Takes what a person did to the dock.
    /// - Returns: nil if it is nothing for the camera, or a shutter that bounced.
    public mutating func take(_ event: AccessoryEvent, now: Seconds) -> Decision? {
        switch event {
        case .cameraZoom(let steps): return take(.zoom(steps: steps))
        case .cameraFlip: return take(.flip)
        case .cameraShutter:
            if let lastShutter, (0..<Self.debounce).contains(now - lastShutter) { return nil }
            lastShutter = now
            return take(.shutter(nil))
        case .button, .trackingButton: return nil
        }
    }

    /// Takes a command; commands do not bounce.
    ///
    /// Fails with `notSupportedByDevice` without a camera, and for a flip where there is one only; with `invalidParameter` for
    /// a magnification that the camera does not have.
    public mutating func take(_ command: CameraCommand) -> Decision {
        guard let state else {
            return Self.refused(
                .notSupportedByDevice, "nobody serves a camera", hint: "let a program serve one, by the topic `events`")
        }
        switch command {
        case .zoom(let steps): return magnify((state.magnification + Double(steps) * Self.step).clamped(to: range))
        case .magnify(let wish):
            guard range.contains(wish) else {
                return Self.refused(
                    .invalidParameter, "the camera does not magnify by that",
                    hint: "give \(Self.words(range.lowerBound)) to \(Self.words(range.upperBound))")
            }
            return magnify(wish)
        case .shutter(let open): return record(open ?? !state.isRecording)
        case .flip: return flip()
        }
    }

    private mutating func magnify(_ wish: Double) -> Decision {
        let new = ((wish * 10).rounded() / 10).clamped(to: range), isNew = new != state?.magnification
        state?.magnification = new
        return Decision(
            answer: .success(Outcome("zoom \(Self.words(new))", .magnification(new))),
            actions: isNew ? [.magnify(new)] : [])
    }

    private mutating func record(_ wish: Bool) -> Decision {
        let isNew = wish != state?.isRecording
        state?.isRecording = wish
        return Decision(
            answer: .success(Outcome(wish ? "recording" : "recording ended", .recording(wish))),
            actions: isNew ? [wish ? .startRecording : .stopRecording] : [])
    }

    private mutating func flip() -> Decision {
        guard let state, deviceCount > 1 else {
            return Self.refused(.notSupportedByDevice, "there is one camera only", hint: "connect another one")
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
