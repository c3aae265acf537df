import Camera
import Processes
import Testing

@testable import Companion

/// The words about camera and detectors.
@Suite struct VisionHealthTests {
    @Test func `the status says why a camera delivers no pictures`() {
        var vision = VisionHealth(), camera = CameraHealth(name: "exec")
        (camera.state, camera.problem) = (.starting, "no sender at 127.0.0.1:5000")
        vision.camera = camera
        #expect(vision.words == "camera starting: no sender at 127.0.0.1:5000")
        vision.camera?.state = .running
        #expect(vision.words == "camera running")
    }
}
