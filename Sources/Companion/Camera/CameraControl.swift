/// A camera that can be told what to do: by the buttons of the dock, by command words, by programs.
///
/// The session calls it from the thread that took the command, so none of this may wait: whoever needs time for it hands
/// it on. What was asked of it stands in `CameraState`; what became of it is in its pictures and files.
public protocol CameraControl: Sendable {
    /// How many cameras there are to choose from, >= 1.
    var deviceCount: Int { get }
    /// What it can magnify, 1 = none.
    var magnification: ClosedRange<Double> { get }

    /// Magnify from now on; within `magnification`, in steps of 0.1.
    func updateMagnification(_ magnification: Double)
    /// Begin a recording.
    func startRecording()
    /// End the recording.
    func stopRecording()
    /// Show another camera, 0..<deviceCount.
    func selectDevice(_ device: Int)
}

/// One thing that a camera shall do.
public enum CameraAction: Sendable, Equatable {
    /// Magnification, 1 = none.
    case magnify(Double)
    /// Begin a recording.
    case startRecording
    /// End it.
    case stopRecording
    /// Show this camera, from 0.
    case select(Int)
}

extension CameraControl {
    /// Does one thing after the other.
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

/// A camera that somebody else has: each change is told to a closure, and whoever listens serves it.
///
/// The daemon's own: programs that subscribe to the topic `events` hear `camera` and act. Whether one listens is not known,
/// so nothing is refused.
public final class AnnouncedCamera: CameraControl {
    /// As given.
    public let deviceCount: Int
    /// As given.
    public let magnification: ClosedRange<Double>
    private let announce: @Sendable (CameraAction) -> Void

    /// - Parameters:
    ///   - deviceCount: front and back, as telephones have them, unless said.
    ///   - magnification: what whoever listens can do, 1 = none.
    ///   - announce: hears each change, on the thread that took the command; it must not wait.
    public init(
        deviceCount: Int = 2, magnification: ClosedRange<Double> = 1...8,
        announce: @escaping @Sendable (CameraAction) -> Void
    ) {
        self.deviceCount = max(1, deviceCount)
        self.magnification = magnification
        self.announce = announce
    }

    /// Announces it.
    public func updateMagnification(_ magnification: Double) { announce(.magnify(magnification)) }
    /// Announces it.
    public func startRecording() { announce(.startRecording) }
    /// Announces it.
    public func stopRecording() { announce(.stopRecording) }
    /// Announces it.
    public func selectDevice(_ device: Int) { announce(.select(device)) }
}

/// The camera that is the rig itself, with a lens that the dock's driver moves; the rest is told to another one.
struct RigCamera: CameraControl {
    let magnification: ClosedRange<Double>
    /// Hears all of it, too: recordings are not the rig's.
    let other: (any CameraControl)?
    let zoom: @Sendable (Double) -> Void

    var deviceCount: Int { other?.deviceCount ?? 1 }

    func updateMagnification(_ magnification: Double) {
        zoom(magnification)
        other?.updateMagnification(magnification)
    }
    func startRecording() { other?.startRecording() }
    func stopRecording() { other?.stopRecording() }
    func selectDevice(_ device: Int) { other?.selectDevice(device) }
}
