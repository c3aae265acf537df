import CVirtualPad
import ControlProtocol
import DockClient
import DockTypes
import Foundation
import Gamepad
import Geometry
import Glibc
import Testing

@testable import EventDevice

/// The kernel's own devices, and the program itself, with a pad that uinput makes.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: access("/dev/uinput", W_OK) == 0, "needs /dev/uinput and the right to write it"))
struct VirtualPadTests {
    /// A pad of the kernel.
    private final class VirtualPad {
        let descriptor: Int32
        let path: String
        private var isThere = true

        init(_ name: String) throws {
            descriptor = virtual_pad_create(name, 0x1234, 0x5678)
            try #require(descriptor >= 0, "uinput: \(String(cString: strerror(errno)))")
            var text = [CChar](repeating: 0, count: 64)
            try #require(virtual_pad_path(descriptor, &text, text.count) == 0)
            path = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            // udev makes the file.
            while access(path, R_OK) != 0 { usleep(10_000) }
        }

        deinit { unplug() }

        func report(_ type: UInt16, _ code: UInt16, _ value: Int32) {
            virtual_pad_report(descriptor, type, code, value)
        }
        func unplug() {
            if isThere { virtual_pad_destroy(descriptor) }
            isThere = false
        }
    }

    @Test func `a pad of the kernel is found, read and lost`() throws {
        let pad = try VirtualPad("dockface test pad")
        let found = try #require(DeviceFolder().gamepad(at: pad.path, PadDatabase()))
        let (device, mapping) = try found.device.get()
        #expect(mapping.origin == .kernel && found.profile.name == "dockface test pad")
        #expect(found.profile.axes[0] == AxisRange(low: -32768, high: 32767, flat: 128))
        let feed = PadFeed(device, mapping)
        let first = try #require(feed.begin())
        // The middle of a range with an even number of values is between two of them.
        #expect(first.buttons == [] && StickShape(deadZone: 0).isCentred(first.left))
        pad.report(EventCode.key, 0x136, 1)
        pad.report(EventCode.axis, 0, 32767)
        #expect(WorkerThread.wait([feed.descriptor], for: 5) == [feed.descriptor])
        guard case .states(let states) = feed.read() else { return #expect(Bool(false)) }
        #expect(states.last?.buttons == [.leftShoulder] && states.last?.left.x == 1)
        #expect(try #require(EventDevice(path: pad.path).snapshot()).keys == [0x136])
    }

    @Test func `the program moves the head, and stops it when it is killed or the pad is unplugged`() async throws {
        guard RealDaemon.binary != nil else { return }
        let program = PadProgram.url
        try #require(access(program.path, X_OK) == 0)
        let daemon = try await RealDaemon()
        for isKilled in [true, false] {
            let pad = try VirtualPad("dockface test pad"), process = Process()
            process.executableURL = program
            process.arguments = ["--control", daemon.socket, "--device", pad.path]
            try process.run()
            defer { process.terminate() }
            var isMoving = false
            for _ in 0..<80 where !isMoving {
                pad.report(EventCode.axis, 0, 0)
                pad.report(EventCode.key, 0x136, 0)
                pad.report(EventCode.key, 0x136, 1)
                pad.report(EventCode.axis, 0, 32767)
                try await Task.sleep(for: .milliseconds(250))
                isMoving = try await daemon.dock.status().motion.commanded.pan > 0.1
            }
            #expect(isMoving)
            if isKilled { kill(process.processIdentifier, SIGKILL) } else { pad.unplug() }
            #expect(try await daemon.wait(isMoving: false) != nil)
        }
    }
}
