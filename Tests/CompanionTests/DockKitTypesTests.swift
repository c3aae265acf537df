import DockSimulator
import Foundation
import Testing
import TestSupport

@testable import CompanionDockKit

/// The library in DockKit's types, on a simulated dock.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DockKitTypesTests {
    /// Calls `use` with a connected dock, and closes everything.
    private func withDock(_ use: (DockAccessoryManager, DockAccessory) async throws -> Void) async throws {
        let rig = try LibraryRig()
        defer { rig.port.close() }
        let manager = DockAccessoryManager(rig.manager)
        do {
            let change = try await manager.accessoryStateChanges.first { $0.state == .docked }
            try await use(manager, try #require(change?.accessory))
        } catch {
            await manager.close()
            throw error
        }
        #expect(await manager.close())
        #expect(eventually { rig.port.lastFrameWasStop })
    }

    @Test func `a dock has the same object and the same identifier whenever it is reported`() async throws {
        try await withDock { manager, dock in
            let again = try await manager.accessoryStateChanges.first { $0.accessory != nil }
            #expect(again?.accessory === dock && again?.accessory == dock)
            #expect(dock.identifier.name == "dockface DLP/1 dock" && dock.identifier.category == .trackingStand)
            #expect(dock.identifier.uuid == UUID(named: "d0cface000000001"))
            #expect(dock.identifier.uuid != UUID(named: "d0cface000000002"))
            #expect(dock.hardwareModel == "simulated good" && dock.firmwareVersion != nil)
        }
    }

    @Test func `a region is a CGRect, and a point without a subject is refused by DockKit's name`() async throws {
        try await withDock { _, dock in
            #expect(dock.regionOfInterest == CGRect(x: 0, y: 0, width: 1, height: 1))
            // A negative width counts to the left.
            try await dock.setRegionOfInterest(CGRect(x: 0.75, y: 0, width: -0.5, height: 1))
            #expect(dock.regionOfInterest == CGRect(x: 0.25, y: 0, width: 0.5, height: 1))
            await #expect(throws: DockKitError.invalidParameter) {
                try await dock.setRegionOfInterest(CGRect(x: 0.5, y: 0.5, width: 1, height: 1))
            }
            await #expect(throws: DockKitError.noSubjectFound) {
                try await dock.selectSubject(at: CGPoint(x: 0.5, y: 0.5))
            }
            await #expect(throws: DockKitError.noSubjectFound) { try await dock.selectSubjects([UUID()]) }
            try await dock.setFramingMode(.right)
            #expect(dock.framingMode == .right)
        }
    }

    @Test func `own observations come back with dates and identifiers, and are selected by these`() async throws {
        try await withDock { manager, dock in
            try await manager.setSystemTrackingEnabled(false)
            let camera = DockAccessory.CameraInformation(
                orientation: .corrected, referenceDimensions: CGSize(width: 640, height: 480))
            let face = DockAccessory.Observation(
                identifier: 12, type: .humanFace, rect: CGRect(x: 0.7, y: 0.3, width: 0.1, height: 0.2),
                faceYawAngle: Measurement(value: 10, unit: UnitAngle.degrees))
            let ball = DockAccessory.Observation(
                identifier: -1, type: .object, rect: CGRect(x: 0.2, y: 0.3, width: 0.1, height: 0.2))
            let before = Date()
            try await dock.track([face, ball], cameraInformation: camera)
            let state = try #require(await dock.trackingStates.first { !$0.trackedSubjects.isEmpty })
            // The exposure is the arrival minus the camera's latency.
            #expect(abs(state.time.timeIntervalSince(before)) < 10)
            var people: [DockAccessory.TrackedPerson] = [], objects: [DockAccessory.TrackedObject] = []
            for subject in state.trackedSubjects {
                switch subject {
                case .person(let person): people.append(person)
                case .object(let object): objects.append(object)
                }
            }
            let person = try #require(people.first), object = try #require(objects.first)
            #expect(person.identifier.uuidString.hasSuffix("-8000-000000000012") && person.rect == face.rect)
            #expect(person.speakingConfidence == nil && person.saliencyRank != nil)
            #expect(people.count == 1 && objects.count == 1 && object.rect == ball.rect)
            try await dock.selectSubjects([object.identifier, person.identifier])
            try await dock.selectSubjects([])
            #expect(abs((face.faceYawAngle?.converted(to: UnitAngle.degrees).value ?? 0) - 10) < 1e-9)
        }
    }

    @Test func `states have the time of the wall clock, and a motion has Foundation's counts`() async throws {
        try await withDock { manager, dock in
            try await manager.setSystemTrackingEnabled(false)
            let progress = try await dock.setOrientation(Vector3D(x: 0, y: 0.1, z: 0), duration: .milliseconds(300))
            for await state in try dock.motionStates {
                #expect(abs(state.timestamp - Date().timeIntervalSince1970) < 10 && state.error == nil)
                if progress.isFinished { break }
            }
            #expect(progress.completedUnitCount == progress.totalUnitCount && progress.fractionCompleted == 1)
            let nod = try await dock.animate(motion: .nope)
            nod.cancel()
            #expect(await nod.finished() == .cancelled || nod.isFinished)
        }
    }

    @Test func `limits are set without waiting, and a missing axis is refused by DockKit's name`() async throws {
        try await withDock { manager, dock in
            try await manager.setSystemTrackingEnabled(false)
            let limit = try DockAccessory.Limits.Limit(positionRange: -0.2..<0.2, maximumSpeed: 1)
            try dock.setLimits(DockAccessory.Limits(yaw: limit, pitch: nil, roll: nil))
            await #expect(throws: DockKitError.self) { try await dock.setOrientation(Vector3D(y: 0.5)) }
            #expect(throws: DockKitError.invalidParameter) {
                try dock.setLimits(DockAccessory.Limits(yaw: nil, pitch: nil, roll: nil))
            }
            #expect(throws: DockKitError.notSupportedByDevice) {
                try dock.setLimits(DockAccessory.Limits(yaw: nil, pitch: nil, roll: limit))
            }
            #expect(try eventually { try abs((dock.limits.yaw?.positionRange.upperBound ?? 0) - 0.2) < 1e-6 })
        }
    }

    @Test func `a battery is reported with its level`() async throws {
        try await withDock { _, dock in
            let battery = try #require(await dock.batteryStates.first { _ in true })
            #expect(battery.name == "dock" && abs(battery.batteryLevel - 0.8) < 0.011 && !battery.lowBattery)
            #expect(battery.chargeState == .notCharging)
        }
    }

    // MARK: identifiers

    @Test(arguments: [0, 1, 12, 987_654_321_012, 999_999_999_999, 1_000_000_000_000, -1, Int.max, Int.min])
    func `every number of a subject has its UUID, which differs from run to run`(_ number: Int) {
        let run = SubjectNumbers(run: 0x0012_3456_789A_BCDE), other = SubjectNumbers(run: 0x0012_3456_789A_BCDF)
        let id = run.uuid(of: number)
        #expect(run.number(of: id) == number && other.number(of: id) == nil)
        #expect(other.uuid(of: number) != id && run.uuid(of: number) == id)
    }

    @Test func `the digits of a number can be read in its UUID`() {
        let run = SubjectNumbers(run: 0x0012_3456_789A_BCDE)
        #expect(run.uuid(of: 12).uuidString == "12345678-9ABC-8DE0-8000-000000000012")
        #expect(run.uuid(of: 987_654_321_012).uuidString == "12345678-9ABC-8DE0-8000-987654321012")
        #expect(run.uuid(of: -1).uuidString == "12345678-9ABC-8DEF-9FFF-FFFFFFFFFFFF")
        // No number has these digits.
        #expect(run.number(of: UUID(high: 0x1234_5678_9ABC_8DE0, low: 0x8000_0000_0000_000A)) == nil)
        #expect(run.number(of: UUID(high: 0x1234_5678_9ABC_8DE0, low: 0x8001_0000_0000_0001)) == nil)
    }
}
