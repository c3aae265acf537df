import DockControl
import DockSimulator
import Testing

/// A new driver needs a simulated rig.
@Suite struct SimulatedRigsTests {
    @Test func `every driver has a simulated rig`() throws {
        for driver in DriverTable.all {
            var profile = RigProfile.dlpDock
            profile.driver = driver.name
            let rig = try SimulatedRigs.port(for: profile)
            #expect(rig.isPlugged && rig.path.hasPrefix("/dev/pts/"), "\(driver.name)")
            rig.close()
        }
    }

    @Test func `a driver that does not exist has none`() {
        var profile = RigProfile.dlpDock
        profile.driver = "semaphore"
        #expect(throws: SimulatorError.noRig(driver: "semaphore")) { try SimulatedRigs.port(for: profile) }
    }
}
