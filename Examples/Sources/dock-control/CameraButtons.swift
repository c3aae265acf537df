import Companion
import ExampleSupport

/// The dock's buttons in an app that controls its own camera.
///
/// An app can also leave this to the library and pass the camera to it: `SessionConfiguration.camera`.
struct CameraButtons {
    let camera: any CameraControl
    private var magnification = 1.0
    private var isRecording = false
    private var device = 0
    private var lastShutter: ContinuousClock.Instant?

    init(camera: any CameraControl) { self.camera = camera }

    mutating func handle(_ event: DockAccessory.AccessoryEvent, at now: ContinuousClock.Instant) {
        switch event {
        case .cameraZoom(let factor): zoom(by: factor)
        case .cameraShutter:
            // A button bounces, so events within 0.2 s belong to the same press.
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

    /// Zooms in steps of 0.2 within the camera's range, in whole tenths, so that 1.2 + 0.2 is exactly 1.4.
    private mutating func zoom(by factor: Double) {
        let range = camera.magnification
        magnification = (((magnification + factor) * 10).rounded() / 10).clamped(to: range)
        camera.updateMagnification(magnification)
    }
}

/// A simulated camera that prints its actions.
final class PrintedCamera: CameraControl {
    let deviceCount = 2
    let magnification = 1.0...3.0

    func updateMagnification(_ magnification: Double) { say("camera zoom \(magnification)") }
    func startRecording() { say("camera recording") }
    func stopRecording() { say("camera recording ended") }
    func selectDevice(_ device: Int) { say("camera device \(device)") }
}
