import DockControl
import DockTypes
import Geometry
import Synchronization
import Testing

@testable import Companion

@Suite struct CameraDeskTests {
    private func desk(devices: Int = 2) -> CameraDesk {
        CameraDesk(for: AnnouncedCamera(deviceCount: devices) { _ in })
    }

    private func error(_ decision: CameraDesk.Decision?) -> DockError? {
        guard case .failure(let error)? = decision?.answer else { return nil }
        return error
    }

    @Test func `one step of the wheel is 0.2, up to the end of the range`() {
        var desk = desk()
        #expect(desk.handle(.cameraZoom(steps: 1), now: 1)?.actions == [.magnify(1.2)])
        #expect(desk.handle(.zoom(steps: 2)).actions == [.magnify(1.6)])
        #expect(desk.handle(.zoom(steps: -1)).actions == [.magnify(1.4)])
        #expect(desk.handle(.zoom(steps: -99)).actions == [.magnify(1)])
        #expect(desk.handle(.zoom(steps: -1)).actions == [], "there is nothing to do")
        #expect(desk.handle(.zoom(steps: .max)).actions == [.magnify(8)])
        #expect(desk.handle(.zoom(steps: .min)).actions == [.magnify(1)])
    }

    @Test func `steps there and back never leave an uneven number`() {
        var desk = desk()
        for _ in 0..<200 {
            for step in [1, 1, 1, -1, -1, -1] {
                _ = desk.handle(.zoom(steps: step))
                let tenths = (desk.state?.magnification ?? 0) * 10
                #expect(abs(tenths - tenths.rounded()) < 1e-9)
            }
        }
        #expect(desk.state?.magnification == 1)
    }

    @Test func `a magnification is rounded to a tenth, and refused if the camera does not have it`() {
        var desk = desk()
        #expect(desk.handle(.magnify(2.34)).actions == [.magnify(2.3)])
        for wish in [0, 0.99, 8.01, -.infinity, .nan] {
            let decision = desk.handle(.magnify(wish))
            #expect(error(decision)?.code == .invalidParameter)
            #expect(error(decision)?.hint == "give 1 to 8")
            #expect(decision.actions.isEmpty && desk.state?.magnification == 2.3)
        }
    }

    @Test func `a shutter button that bounces counts once, words count each time`() {
        var desk = desk()
        #expect(desk.handle(.cameraShutter, now: 10)?.actions == [.startRecording])
        #expect(desk.handle(.cameraShutter, now: 10.05) == nil)
        #expect(desk.handle(.cameraShutter, now: 10.19) == nil)
        #expect(desk.state?.isRecording == true)
        #expect(desk.handle(.cameraShutter, now: 10.21)?.actions == [.stopRecording])
        #expect(desk.handle(.shutter(nil)).actions == [.startRecording])
        #expect(desk.handle(.shutter(nil)).actions == [.stopRecording])
        #expect(desk.handle(.shutter(true)).actions == [.startRecording])
        #expect(desk.handle(.shutter(true)).actions == [], "it is already recording")
    }

    @Test func `a flip ends the recording, switches to the next camera and resets the magnification`() {
        var desk = desk(devices: 3)
        _ = desk.handle(.magnify(3))
        _ = desk.handle(.shutter(true))
        #expect(desk.handle(.cameraFlip, now: 1)?.actions == [.stopRecording, .select(1), .magnify(1)])
        #expect(desk.handle(.flip).actions == [.select(2)])
        let last = desk.handle(.flip)
        #expect(last.actions == [.select(0)])
        #expect(last.answer == .success(Outcome("camera 1 of 3", .device(0))))
        #expect(desk.state == CameraState())
    }

    @Test func `a single camera cannot be flipped`() {
        var desk = desk(devices: 1)
        #expect(error(desk.handle(.flip))?.code == .notSupportedByDevice)
    }

    @Test func `without a camera everything is refused, and the error says what to do`() {
        var desk = CameraDesk(for: nil)
        #expect(desk.state == nil)
        let commands: [CameraCommand] = [.magnify(1), .zoom(steps: 1), .shutter(nil), .shutter(false), .flip]
        for command in commands {
            let decision = desk.handle(command)
            #expect(error(decision)?.code == .notSupportedByDevice && decision.actions.isEmpty)
            #expect(error(decision)?.hint.isEmpty == false)
        }
        #expect(error(desk.handle(.cameraShutter, now: 1))?.code == .notSupportedByDevice)
    }

    @Test func `other buttons do not concern the camera`() {
        var desk = desk()
        #expect(desk.handle(.button(id: 3, pressed: true), now: 1) == nil)
        #expect(desk.handle(.trackingButton(pressed: true), now: 1) == nil)
    }

    @Test func `an announced camera reports each change, in order`() {
        let heard = Mutex<[CameraAction]>([])
        let camera = AnnouncedCamera { action in heard.withLock { $0.append(action) } }
        camera.perform([.magnify(2), .startRecording, .stopRecording, .select(1)])
        #expect(heard.withLock { $0 } == [.magnify(2), .startRecording, .stopRecording, .select(1)])
    }

    @Test func `a picture is magnified by the rig's lens or by the other camera's, never by both`() {
        let seen = Mutex<[String]>([])
        let other = AnnouncedCamera { action in seen.withLock { $0.append("\(action)") } }
        let camera = RigCamera(magnification: 1...12, other: other) { zoom in
            seen.withLock { $0.append("lens \(zoom)") }
        }
        func did(_ work: () -> Void) -> [String] {
            seen.withLock { $0 = [] }
            work()
            return seen.withLock { $0 }
        }
        #expect(did { camera.updateMagnification(4) } == ["lens 4.0"])
        #expect(did { camera.selectDevice(1) } == ["lens 1.0", "select(1)"], "the rig's lens goes back")
        #expect(did { camera.updateMagnification(3) } == ["magnify(3.0)"])
        #expect(did { camera.selectDevice(0) } == ["magnify(1.0)", "select(0)"])
        #expect(did { camera.updateMagnification(2) } == ["lens 2.0"])
    }
}
