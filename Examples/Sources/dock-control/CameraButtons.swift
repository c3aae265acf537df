import Companion
import ExampleSupport

/// The dock's buttons as an app with a camera of its own understands them.
///
/// An app that leaves this to the library gives it the camera: `SessionConfiguration.camera`.
struct CameraButtons {
    let camera: any CameraControl
    private var magnification = 1.0
    private var isRecording = false
    private var device = 0
    private var lastShutter: ContinuousClock.Instant?

    init(camera: any CameraControl) { self.camera = camera }

    mutating func take(_ event: DockAccessory.AccessoryEvent, at now: ContinuousClock.Instant) {
        switch event {
        case .cameraZoom(let factor): zoom(by: factor)
        case .cameraShutter:
            // A button bounces: what comes within 0.2 s is the same press.
            if let last = lastShutter, now - last < .milliseconds(200) { return }
            lastShutter = now
            isRecording.toggle()
            if isRecording { camera.startRecording() } else { camera.stopRecording() }
        case .cameraFlip:
            device = (device + 1) % camera.deviceCount
            camera.selectDevice(device)
        case .button: return
        }
    }

    /// Steps of 0.2, inside what the camera can, in whole tenths: 1.2 + 0.2 is 1.4 and not a little more.
    private mutating func zoom(by factor: Double) {
        let range = camera.magnification
        magnification = (((magnification + factor) * 10).rounded() / 10).clamped(to: range)
        camera.updateMagnification(magnification)
    }
}

/// A camera that is not there: it says what it would do.
final class PrintedCamera: CameraControl {
    let deviceCount = 2
    let magnification = 1.0...3.0

    func updateMagnification(_ magnification: Double) { say("camera zoom \(magnification)") }
    func startRecording() { say("camera recording") }
    func stopRecording() { say("camera recording ended") }
    func selectDevice(_ device: Int) { say("camera device \(device)") }
}
