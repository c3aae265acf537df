internal import Synchronization

/// A camera that the dock's buttons, command words and programs control.
///
/// The session calls these functions on the thread that received the command, so none of them may block. An
/// implementation that needs time must continue on another thread. `CameraState` contains the requested state. Only the
/// images and files show the actual one.
public protocol CameraControl: Sendable {
    /// The number of cameras to choose from, >= 1.
    var deviceCount: Int { get }
    /// Supported magnifications, 1 = none.
    var magnification: ClosedRange<Double> { get }
    /// Returns whether only another program would execute this command: one that subscribes to topic `events`, or, for a
    /// recording, one that says that it records. Without such a program the command is rejected. The default is false.
    func needsListener(for command: CameraCommand) -> Bool

    /// Sets the magnification, within `magnification`, in steps of 0.1.
    func updateMagnification(_ magnification: Double)
    /// Begins a recording.
    func startRecording()
    /// Ends the recording.
    func stopRecording()
    /// Selects a camera, 0..<deviceCount.
    func selectDevice(_ device: Int)
}

/// One request to a camera.
public enum CameraAction: Sendable, Equatable {
    /// Sets the magnification, where 1 is none.
    case magnify(Double)
    /// Begins a recording.
    case startRecording
    /// Ends the recording.
    case stopRecording
    /// Selects this camera, counted from 0.
    case select(Int)
}

extension CameraControl {
    /// The camera executes every command itself.
    public func needsListener(for command: CameraCommand) -> Bool { false }

    /// Performs actions in order.
    public func perform(_ actions: [CameraAction]) {
        for action in actions {
            switch action {
            case .magnify(let magnification): updateMagnification(magnification)
            case .startRecording: startRecording()
            case .stopRecording: stopRecording()
            case .select(let device): selectDevice(device)
            }
        }
    }
}

/// A camera that another program serves: a closure receives each change and announces it.
///
/// The daemon uses this camera: programs that subscribe to the topic `events` receive `camera` and act. If no program
/// subscribes, it rejects commands.
public final class AnnouncedCamera: CameraControl {
    /// The number of cameras, as given.
    public let deviceCount: Int
    /// The magnifications, as given.
    public let magnification: ClosedRange<Double>
    private let announce: @Sendable (CameraAction) -> Void
    private let needsListener: Bool

    /// - Parameters:
    ///   - deviceCount: number of cameras; the default is two, front and back, as in a telephone.
    ///   - magnification: magnifications that the serving program supports, 1 = none.
    ///   - needsListener: whether the closure does nothing and only programs that subscribe to topic `events` act.
    ///   - announce: receives each change on the thread that received the command; it must not block.
    public init(
        deviceCount: Int = 2, magnification: ClosedRange<Double> = 1...8, needsListener: Bool = false,
        announce: @escaping @Sendable (CameraAction) -> Void
    ) {
        self.deviceCount = max(1, deviceCount)
        self.magnification = magnification
        self.needsListener = needsListener
        self.announce = announce
    }

    /// As given.
    public func needsListener(for command: CameraCommand) -> Bool { needsListener }
    /// Announces the magnification.
    public func updateMagnification(_ magnification: Double) { announce(.magnify(magnification)) }
    /// Announces the start of a recording.
    public func startRecording() { announce(.startRecording) }
    /// Announces the end of a recording.
    public func stopRecording() { announce(.stopRecording) }
    /// Announces the camera.
    public func selectDevice(_ device: Int) { announce(.select(device)) }
}

/// The rig's own camera, whose lens the dock's driver moves. Another control records and switches cameras, because the
/// rig does neither, and magnifies the cameras that are not the rig's.
final class RigCamera: CameraControl {
    let magnification: ClosedRange<Double>
    private let other: (any CameraControl)?
    private let zoom: @Sendable (Double) -> Void
    /// The selected camera; the first one is the rig's.
    private let device = Mutex(0)

    init(magnification: ClosedRange<Double>, other: (any CameraControl)?, zoom: @escaping @Sendable (Double) -> Void) {
        (self.magnification, self.other, self.zoom) = (magnification, other, zoom)
    }

    var deviceCount: Int { other?.deviceCount ?? 1 }

    func needsListener(for command: CameraCommand) -> Bool {
        switch command {
        case .zoom, .magnify: device.withLock { $0 != 0 } && other?.needsListener(for: command) ?? false
        case .shutter, .flip: other?.needsListener(for: command) ?? false
        }
    }

    func updateMagnification(_ magnification: Double) {
        // One picture must not be magnified twice.
        if device.withLock({ $0 == 0 }) { zoom(magnification) } else { other?.updateMagnification(magnification) }
    }
    func startRecording() { other?.startRecording() }
    func stopRecording() { other?.stopRecording() }
    func selectDevice(_ new: Int) {
        let before = device.withLock { device in
            defer { device = new }
            return device
        }
        // Every camera begins at its lowest magnification.
        if before != new { if before == 0 { zoom(magnification.lowerBound) } else { other?.updateMagnification(1) } }
        other?.selectDevice(new)
    }
}
