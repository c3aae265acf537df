import Companion
import DockTypes
import Testing

/// DockKit's names in the library, which need no dock.
@Suite struct LibraryNamesTests {
    /// How an error is caught. The function throws without a type, as an app's functions do.
    private func caught(_ error: any Error) -> String {
        func call() throws { throw error }
        do {
            try call()
        } catch DockKitError.noSubjectFound {
            return "no subject"
        } catch DockKitError.notConnected {
            return "not connected"
        } catch DockKitError.cameraTCCMissing {
            return "no permission"
        } catch let error as DockKitError {
            return error.code.rawValue
        } catch {
            return "another error"
        }
        return "nothing"
    }

    @Test func `an error is caught by DockKit's name, whatever its message`() {
        #expect(caught(DockError(.notConnected, "the cable was pulled", hint: "")) == "not connected")
        #expect(caught(DockError(.noSubjectFound, "no face at that point", hint: "")) == "no subject")
        #expect(caught(DockError(.permission, "/dev/ttyACM0", hint: "")) == "no permission")
        #expect(caught(DockError(.busy, "a person controls the dock", hint: "")) == "busy")
        #expect(caught(CancellationError()) == "another error")
    }

    @Test func `an error with a type is caught by DockKit's name, too`() {
        func call() throws(DockError) { throw DockError(.frameRateTooHigh, "80 a second", hint: "") }
        var isCaught = false
        do throws(DockError) {
            try call()
        } catch DockKitError.frameRateTooLow {
            Issue.record("caught by another name")
        } catch DockKitError.frameRateTooHigh {
            isCaught = true
        } catch {
            Issue.record("not caught by its name")
        }
        #expect(isCaught)
    }

    static let cases: [(DockKitError, DockError.Code)] = [
        (.notConnected, .notConnected), (.notSupported, .notSupported),
        (.notSupportedByDevice, .notSupportedByDevice), (.invalidParameter, .invalidParameter),
        (.noSubjectFound, .noSubjectFound), (.frameRateTooHigh, .frameRateTooHigh),
        (.frameRateTooLow, .frameRateTooLow), (.cameraTCCMissing, .permission),
    ]

    @Test(arguments: cases) func `each of DockKit's cases has its code`(_ error: DockKitError, _ code: DockError.Code) {
        #expect(error.code == code && !error.message.isEmpty && !error.hint.isEmpty)
    }

    @Test func `nested names mean the same types`() {
        #expect(DockAccessory.Animation.nope == .no)
        let observation: DockAccessory.Observation = Observation(identifier: 1, rect: .full)
        let camera: DockAccessory.CameraInformation = CameraInformation()
        #expect(observation.kind == .person && camera.rotate == 0)
        #expect(DockAccessory.Category.trackingStand == DockAccessory.Identifier.Category.trackingStand)
        #expect(DockAccessory.BatteryChargeState.charging.rawValue == "charging")
        #expect(Vector3D.zero == Vector3D())
    }

    @Test func `an observation is a person if it is a face or a body`() {
        let types: [(Observation.ObservationType, SubjectKind)] = [
            (.humanFace, .person), (.humanBody, .person), (.object, .object),
        ]
        for (type, kind) in types {
            let seen = DockAccessory.Observation(
                identifier: 3, type: type, rect: Rect(x: 0.1, y: 0.2, width: 0.3, height: 0.4), faceYawAngle: 0.5)
            #expect(seen.kind == kind && seen.identifier == 3 && seen.faceYawAngle == 0.5 && seen.rect.width == 0.3)
        }
    }

    @Test func `an orientation says how the frame is rotated to be upright`() {
        let rotated: [DockAccessory.CameraOrientation: Int] = [
            .portrait: 90, .landscapeRight: 180, .portraitUpsideDown: 270,
        ]
        for orientation in DockAccessory.CameraOrientation.allCases {
            let camera = CameraInformation(
                orientation: orientation, referenceDimensions: PictureSize(width: 640, height: 480))
            #expect(camera.rotate == rotated[orientation] ?? 0 && camera.referenceDimensions?.width == 640)
        }
    }
}
