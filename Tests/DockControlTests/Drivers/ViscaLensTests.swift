import DockSimulator
import Geometry
import Testing
import TestSupport

@testable import DockControl

/// The zoom of a VISCA camera.
@Suite struct ViscaLensTests {
    @Test func `the lens goes to its target, the newest target wins, and a stop waits for at most one packet of it`() {
        let rig = DriverRows.visca.rig { $0.options["zoom_max"] = 10 }
        rig.run(2)
        #expect(rig.abilities.magnification == 1...10)
        for (magnification, lens) in [(10.0, 0x4000), (1, 0), (3.162_277_66, 0x2000), (99, 0x4000)] {
            rig.zoom(to: 2)
            rig.zoom(to: magnification)
            rig.run(0.5)
            #expect(rig.line.dock.electronics.lens == lens, "\(magnification)")
        }
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 10))
        rig.run(1)
        rig.zoom(to: 5)
        rig.give(.stop)
        rig.run(0.5)
        #expect(abs(rig.speed) < 0.5 && rig.line.dock.electronics.lens > 0x2000)
        #expect(ViscaAddress(number: 1).zoom(0x2000) == [0x81, 0x01, 0x04, 0x47, 2, 0, 0, 0, 0xFF])
        let without = DriverRows.visca.rig()
        without.run(2)
        without.zoom(to: 5)
        without.run(0.5)
        #expect(without.abilities.magnification == nil && without.line.dock.electronics.lens == 0)
    }
}
