import DockControl
import DockTypes
import Foundation
import TestSupport
import Testing

@testable import Companion

/// The rig, camera and detectors of the shared manager: those of `dockface run`.
@Suite struct SharedConfigurationTests {
    /// A folder for the adopted rigs, which is empty.
    private let folder = NSTemporaryDirectory() + "shared-\(UInt32.random(in: 0 ... .max))"

    private func shared(_ variables: [String: String], file: String = "none") throws -> SharedConfiguration {
        SharedConfiguration(
            settings: try Settings.read(file: file) { variables[$0] }, book: RigRegistry(folder: folder),
            library: ProfileLibrary(folders: [Place.file("profiles")]))
    }

    private func refusal(_ variables: [String: String]) throws -> DockError? {
        let shared = try shared(variables)
        do throws(DockError) {
            _ = try shared.configuration()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a port needs no adopted rig, and our own dock's profile is the default`() throws {
        let own = try shared(["DOCKFACE_PORT": "/dev/pts/99"]).configuration()
        #expect(own.dock.port == "/dev/pts/99" && own.dock.profile == .dlpDock)
        #expect(own.vision == nil && own.detections == .none && own.dock.mode == nil)
        let named = try shared([
            "DOCKFACE_PORT": "usb:A1", "DOCKFACE_PROFILE": "waveshare-pan-tilt-json", "DOCKFACE_MODE": "manual",
        ]).configuration()
        #expect(named.dock.port == "usb:A1" && named.dock.profile.driver == "waveshare")
        #expect(named.dock.mode == .manual)
    }

    @Test func `the name of an adopted rig is a port, and the only one needs no name`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rig = AdoptedRig(
            name: "desk", port: .path("/dev/pts/98"), profile: "waveshare-pan-tilt-json", answered: "x 1",
            date: "2026-01-31")
        try RigRegistry(folder: folder).adopt(rig)
        let ways: [[String: String]] = [[:], ["DOCKFACE_PORT": "desk"]]
        for variables in ways {
            let found = try shared(variables).configuration()
            #expect(found.dock.port == "/dev/pts/98" && found.dock.profile.driver == "waveshare")
        }
        #expect(try refusal(["DOCKFACE_PORT": "shelf"])?.hint.contains("desk") == true)
    }

    @Test func `a settings file says how the dock behaves`() throws {
        let file = try TemporaryFile(
            """
            port = "/dev/pts/99"
            limits = ["pan -60 60 45"]
            framing = "left"
            speed = 50
            search = false
            greeting = "off"
            home = false
            hotplug = "poll"
            """, ".toml")
        let found = try shared([:], file: file.path).configuration()
        #expect(found.tuning.limits == ["pan -60 60 45"] && found.tuning.speed == 0.5 && found.tuning.framing == .left)
        #expect(!found.dock.policy.greets)
        #expect(!found.dock.policy.searches && !found.dock.policy.goesHome && found.dock.hotplug == .poll)
        // A variable precedes the file.
        #expect(try shared(["DOCKFACE_FRAMING": "right"], file: file.path).configuration().tuning.framing == .right)
    }

    @Test func `a detector of the settings is the source of the detections`() throws {
        let found = try shared(["DOCKFACE_PORT": "/dev/pts/99", "DOCKFACE_DETECTOR": "exec:cat"]).configuration()
        let vision = try #require(found.vision)
        #expect(found.detections == .descriptor(vision.descriptor) && found.source == "exec:cat")
        #expect(vision.state.active == "exec")
    }

    @Test func `what is missing or cannot be used is named, with what to do`() throws {
        #expect(try refusal([:])?.hint.contains("DOCKFACE_PORT") == true)
        #expect(try refusal(["DOCKFACE_PORT": "sim"])?.hint.contains("dockface simulate") == true)
        #expect(try refusal(["DOCKFACE_PORT": "/dev/x", "DOCKFACE_PROFILE": "nosuch"])?.code == .configuration)
        for detector in ["stdin", "scene:visit", "file:/nowhere.jsonl"] {
            let error = try refusal(["DOCKFACE_PORT": "/dev/x", "DOCKFACE_DETECTOR": detector])
            #expect(error?.code == .configuration && error?.message.contains(detector) == true, "\(detector)")
        }
        let camera = try refusal(["DOCKFACE_PORT": "/dev/x", "DOCKFACE_DETECTOR": "yunet"])
        #expect(camera?.message.contains("needs a camera") == true)
        let wide = try refusal(["DOCKFACE_PORT": "/dev/x", "DOCKFACE_LIMITS": "pan 171 175"])
        #expect(wide?.code == .configuration)
    }

    @Test func `no detector is none`() throws {
        let found = try shared(["DOCKFACE_PORT": "/dev/pts/99", "DOCKFACE_DETECTOR": "none"]).configuration()
        #expect(found.vision == nil && found.detections == .none)
    }
}
