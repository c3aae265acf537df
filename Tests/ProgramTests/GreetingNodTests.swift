import DockSimulator
import Geometry
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// The nod to the first face, by the built program on a simulated dock.
    @Suite struct GreetingNods {
        /// What the head does until a condition holds, with a person who stands to the right of it.
        private func film(
            _ daemon: Daemon, isMirrored: Bool = false, until isSo: (PanTilt) -> Bool
        ) -> (isSo: Bool, poses: [PanTilt]) {
            var poses = [daemon.dock.snapshot.pose]
            let seen = daemon.film({ _ in .degrees(pan: 12, tilt: 4) }, isMirrored: isMirrored) {
                let pose = daemon.dock.snapshot.pose
                if pose != poses.last { poses.append(pose) }
                return isSo(pose)
            }
            return (seen, poses)
        }

        @Test func `the head nods to a person, and then turns to them`() throws {
            let daemon = try Daemon(["--headless", "--detector", "stdin", "--greeting", "nod"])
            defer { daemon.dock.close() }
            let (arrives, poses) = film(daemon) { abs($0.pan - .degrees(12)) < .degrees(1) }
            #expect(arrives, "\(daemon.program.errors)")
            // The dip, the rise, and the sway to the other side are the nod's.
            let nod = poses.prefix { $0.pan < .degrees(4) }
            #expect((nod.map(\.tilt).min() ?? 0) < .degrees(-1.5) && (nod.map(\.pan).min() ?? 0) < .degrees(-1.5))
        }

        @Test func `the nod shows that a camera is mirrored, before the head follows a person`() throws {
            let daemon = try Daemon(["--headless", "--detector", "stdin", "--greeting", "nod"])
            defer { daemon.dock.close() }
            let (isFound, poses) = film(daemon, isMirrored: true) { _ in
                daemon.program.errors.contains("moves with pan instead of against it")
            }
            #expect(isFound, "\(daemon.program.errors)")
            let farthest = poses.map { ($0 - poses[0]).magnitude }.max() ?? 0
            #expect(farthest < .degrees(3.5), "\(farthest.inDegrees) deg")
        }
    }
}
