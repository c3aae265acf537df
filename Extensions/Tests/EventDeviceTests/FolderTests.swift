import DockTestKit
import DockTypes
import Gamepad
import Testing

@testable import EventDevice

/// The devices of a machine.
@Suite struct FolderTests {
    @Test func `maps of keys are read in both forms`() {
        #expect(BitMap.members([0b1000_0001, 0, 0b10]) == [0, 7, 17])
        // As the kernel writes the keys of a gamepad: words of 64 bits, the highest first.
        #expect(
            BitMap.members("7cdb000000000000 0 0 0 0") == [
                0x130, 0x131, 0x133, 0x134, 0x136, 0x137, 0x13A, 0x13B, 0x13C, 0x13D, 0x13E,
            ])
        #expect(BitMap.members("3001b") == [0, 1, 3, 4, 16, 17])
        #expect(BitMap.members("").isEmpty && BitMap.members("nonsense 1").isEmpty)
    }

    @Test func `devices are listed in the order of their numbers`() {
        let folder = TemporaryFolder()
        for name in ["event10", "event2", "js0", "mouse1", "eventually", "event-3", "by-id/x"] {
            folder.write("", to: name)
        }
        #expect(DeviceFolder(path: folder.path).paths() == [folder.path + "/event2", folder.path + "/event10"])
        let missing = DeviceFolder(path: "/no/such/folder")
        #expect(!missing.exists && missing.paths().isEmpty && missing.gamepads(PadDatabase()).isEmpty)
    }

    @Test func `the kernel describes a pad to those who may not read it`() throws {
        let folder = TemporaryFolder()
        for (file, text) in [
            ("id/bustype", "0003\n"), ("id/vendor", "045e\n"), ("id/product", "028e\n"), ("id/version", "0110\n"),
            ("name", "Some Pad\n"), ("capabilities/key", "7cdb000000000000 0 0 0 0\n"), ("capabilities/abs", "3003f\n"),
        ] {
            folder.write(text, to: "event5/device/" + file)
        }
        let profile = try #require(DeviceFolder(descriptions: folder.path).description(of: "/dev/input/event5"))
        #expect(PadGUID(profile).description == "030000005e0400008e02000010010000" && profile.name == "Some Pad")
        #expect(PadMapping(of: profile, in: PadDatabase()) != nil)
        #expect(DeviceFolder(descriptions: folder.path).description(of: "/dev/input/event6") == nil)
    }

    @Test func `files that are no devices are no gamepads`() {
        let folder = TemporaryFolder()
        folder.write("text", to: "event1")
        #expect(DeviceFolder(path: folder.path).gamepads(PadDatabase()).isEmpty)
    }

    @Test func `an error says what to do`() {
        let denied = EventDevice.error("/dev/input/event5", 13), gone = EventDevice.error("/dev/input/event5", 19)
        #expect(denied.code == .permission && denied.hint.contains("group input"))
        #expect(gone.code == .cannotOpen && gone.message.contains("No such device"))
    }
}
