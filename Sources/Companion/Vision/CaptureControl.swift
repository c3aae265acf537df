internal import Camera
internal import Geometry

/// The daemon's own cameras, as buttons and words operate them. It magnifies and selects; another program records.
///
/// Magnification is made by the camera's own zoom as far as that goes, and by cutting out the middle of the picture for
/// the rest. Tracking learns both with each frame.
struct CaptureControl: CameraControl {
    private let capture: Capture

    /// Creates the control of cameras. The result is nil if there are none.
    init?(_ vision: Vision?) {
        guard let capture = vision?.capture else { return nil }
        self.capture = capture
    }

    var deviceCount: Int { capture.cameras.count }
    /// Above eight times, a cut-out of 640 pixels shows hardly anything.
    var magnification: ClosedRange<Double> { 1...8 }

    func needsListener(for command: CameraCommand) -> Bool {
        if case .shutter = command { true } else { false }
    }

    func updateMagnification(_ magnification: Double) { capture.magnify(magnification) }
    func startRecording() {}
    func stopRecording() {}
    func selectDevice(_ device: Int) { capture.select(device) }
}
