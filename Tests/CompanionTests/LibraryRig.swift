import Companion
import DockSimulator
import Synchronization
import Testing
import TestSupport

/// A manager on its own simulated dock.
struct LibraryRig {
    let port: SimulatedDockPort
    let manager: DockAccessoryManager
    private static let count = Atomic<Int>(0)

    init(uid: UInt64 = 1, detections: SessionConfiguration.Detections = .none) throws {
        var dock = SimulatedDock.Configuration()
        dock.uniqueID = 0xD0CF_ACE0_0000_0000 + uid
        let link = TemporaryFile.freePath("library-\(Self.count.wrappingAdd(1, ordering: .relaxed).newValue)")
        port = try SimulatedDockPort(configuration: dock, link: link)
        var configuration = SessionConfiguration(profile: .dlpDock, port: link)
        configuration.detections = detections
        configuration.storage.dataFolder = TemporaryFile.freePath("library-data")
        manager = DockAccessoryManager(configuration)
    }

    /// Waits for the dock.
    func dock() async throws -> DockAccessory {
        let change = try await manager.accessoryStateChanges.first { $0.state == .docked }
        return try #require(change?.accessory)
    }

    /// Calls `use` with a connected dock, and closes everything on each exit path. The last message to the dock is the
    /// stop.
    static func withDock(
        uid: UInt64 = 1, _ use: (SimulatedDockPort, DockAccessoryManager, DockAccessory) async throws -> Void
    ) async throws {
        let rig = try LibraryRig(uid: uid)
        defer { rig.port.close() }
        do {
            try await use(rig.port, rig.manager, try await rig.dock())
        } catch {
            await rig.manager.close()
            throw error
        }
        #expect(await rig.manager.close()?.loop.stoppedLast == true)
        // The stop is written when `close` returns; the dock reads it on its own thread.
        #expect(eventually { rig.port.lastFrameWasStop })
    }
}

extension DockAccessory.Limit {
    /// Whether the speed lies in this range, in degrees per second.
    func isNear(_ low: Double, _ high: Double, speed: Double) -> Bool {
        abs(positionRange.lowerBound.inDegrees - low) < 0.01 && abs(positionRange.upperBound.inDegrees - high) < 0.01
            && abs(maximumSpeed.inDegrees - speed) < 0.01
    }

    func isNear(_ other: DockAccessory.Limit) -> Bool {
        isNear(
            other.positionRange.lowerBound.inDegrees, other.positionRange.upperBound.inDegrees,
            speed: other.maximumSpeed.inDegrees)
    }
}
