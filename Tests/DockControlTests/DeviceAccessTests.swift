import DockControl
import Testing

/// The advice for a device that this user may not open.
@Suite struct DeviceAccessTests {
    @Test func `the advice follows the device's group and the user's membership`() {
        let join = DeviceAccess(group: "uucp", isForGroup: true, isListed: false).remedy
        #expect(join == "sudo usermod -aG uucp $USER, then log out and in again")
        let login = DeviceAccess(group: "uucp", isForGroup: true, isListed: true).remedy
        #expect(login.hasSuffix("log out and in again") && !login.contains("usermod"))
        // No user is advised to join group root, or to open the device to all users.
        let rule = DeviceAccess(group: "root", isForGroup: false, isListed: false).remedy
        #expect(rule.contains("udev rule") && !rule.contains("usermod") && !rule.contains("chmod"))
    }

    @Test func `a device that does not exist has no access`() throws {
        #expect(DeviceAccess(at: "/dev/none-of-that-name") == nil)
        #expect(try #require(DeviceAccess(at: "/")).isForGroup == false)
    }
}
